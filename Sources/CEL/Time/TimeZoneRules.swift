/// The rules of a time zone: how far its clocks are ahead of UTC, at any moment.
package struct TimeZoneRules: Sendable {
  /// Clocks as they stand for a while.
  package struct Period: Hashable, Sendable {
    /// Seconds ahead of UTC.
    package let offset: Int
    /// Whether it is summer time.
    package let isDaylightSaving: Bool
    /// What the zone is called meanwhile, such as `CEST`.
    package let abbreviation: String
  }

  /// The moments at which a clock shows some time.
  package enum Resolution: Hashable, Sendable {
    /// The clock shows it once.
    case once(Timestamp)
    /// Clocks are set back, and it is shown twice.
    case twice(Timestamp, Timestamp)
    /// Clocks skip it; the moments that a clock not set, or already set, would give.
    case skipped(Timestamp, Timestamp)
  }

  /// Its name, such as `Europe/Berlin`.
  package let name: String
  /// The moments at which clocks change, in seconds since the epoch, ascending.
  private let transitions: [Int64]
  /// The period that begins at each transition.
  private let following: [Period]
  /// The period before the first transition.
  private let initial: Period
  /// What holds after the last transition.
  private let footer: RecurringRule?

  /// A zone whose clocks are always as far ahead of UTC.
  package init(offset: Int, name: String = "UTC") {
    self.init(
      name: name, transitions: [], following: [],
      initial: Period(offset: offset, isDaylightSaving: false, abbreviation: name), footer: nil)
  }

  /// Makes a zone of its parts.
  init(
    name: String, transitions: [Int64], following: [Period], initial: Period,
    footer: RecurringRule?
  ) {
    self.name = name
    self.transitions = transitions
    self.following = following
    self.initial = initial
    self.footer = footer
  }

  /// The zone of UTC itself.
  package static let utc = TimeZoneRules(offset: 0)

  /// Whether its clocks always show UTC.
  package var isUTC: Bool {
    guard transitions.isEmpty, initial.offset == 0 else { return false }
    return footer.map { $0.daylight == nil && $0.standard.offset == 0 } ?? true
  }

  // MARK: - From UTC

  /// How clocks stand at a moment.
  ///
  /// - Complexity: O(log n) in the number of transitions.
  package func period(at seconds: Int64) -> Period {
    if let last = transitions.last, seconds < last {
      let next = firstTransition(after: seconds)
      return next == 0 ? initial : following[next - 1]
    }
    return footer?.period(at: seconds) ?? following.last ?? initial
  }

  /// How far clocks are ahead of UTC at a moment, in seconds.
  package func offset(at moment: Timestamp) -> Int {
    period(at: moment.seconds).offset
  }

  /// What a clock shows at a moment.
  package func civilTime(at moment: Timestamp) -> CivilTime {
    CivilTime(moment, offset: offset(at: moment))
  }

  /// The next moment at which clocks change, in seconds since the epoch; nil when they never do.
  package func nextTransition(after seconds: Int64) -> Int64? {
    let next = firstTransition(after: seconds)
    if next < transitions.count { return transitions[next] }
    return footer?.nextTransition(after: seconds)
  }

  /// The position of the first transition after a moment.
  private func firstTransition(after seconds: Int64) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: - To UTC

  /// The moments at which a clock shows a time.
  package func resolve(_ time: CivilTime) -> Resolution {
    let local = time.secondsSinceEpoch
    // No zone is further from UTC than 26 hours, so all that matters happens in this window.
    var start = local - 26 * 3_600
    let end = local + 26 * 3_600
    var current = period(at: start)
    var found: [Timestamp] = []
    var skipped: (before: Int, after: Int)?
    // Clocks change a few times in such a window at most; the bound is against broken files.
    for _ in 0..<64 {
      let next = nextTransition(after: start)
      let moment = local - Int64(current.offset)
      if next.map({ moment < $0 }) ?? true {
        if moment >= start || found.isEmpty && skipped == nil {
          found.append(time.timestamp(offset: current.offset))
        }
        if next.map({ $0 > end }) ?? true { break }
      }
      guard let next else { break }
      let following = period(at: next)
      // In the gap: past the change by the old offset, not yet there by the new one.
      if moment >= next, local - Int64(following.offset) < next {
        skipped = (current.offset, following.offset)
      }
      start = next
      current = following
    }
    if let skipped, found.isEmpty {
      return .skipped(
        time.timestamp(offset: skipped.before), time.timestamp(offset: skipped.after))
    }
    guard let first = found.first, let last = found.last, first != last else {
      return .once(found.first ?? time.timestamp(offset: current.offset))
    }
    return .twice(first, last)
  }

  /// The moment at which a clock shows a time: the earlier of two, and for a time that clocks
  /// skip, as far after the change as it is after the gap's begin.
  package func timestamp(of time: CivilTime) -> Timestamp {
    switch resolve(time) {
    case .once(let moment), .twice(let moment, _), .skipped(let moment, _): moment
    }
  }
}
