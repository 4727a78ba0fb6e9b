package import CEL

/// A part of each day, such as that from 8:00 to 22:00; one from 22:00 to 6:00 goes over midnight.
package struct DayWindow: Hashable, Sendable {
  /// The seconds of the day at which it begins, and at which it is over.
  private let start: Int
  private let end: Int

  /// The window between two times of day; nil if they are the same, or are none.
  package init?(from start: String, to end: String) {
    guard let start = TimeOfDay.second(start), let end = TimeOfDay.second(end), start != end else {
      return nil
    }
    self.start = start
    self.end = end
  }

  /// Whether a local time is in it.
  package func contains(_ time: CivilTime) -> Bool { contains(second: time.secondOfDay) }

  /// Whether a second of the day is in it.
  package func contains(second: Int) -> Bool {
    start < end
      ? start <= second && second < end : start <= second || second < end
  }

  /// The two times, such as `08:00 to 22:00`.
  package var text: String {
    "\(TimeOfDay.text(ofSecond: start)) to \(TimeOfDay.text(ofSecond: end))"
  }
}
