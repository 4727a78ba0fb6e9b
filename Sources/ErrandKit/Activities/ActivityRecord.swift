package import CEL
package import Engine
import JSON
import POSIX

/// An activity in its file format.
package struct ActivityRecord {
  package var activity: Activity
  package var began: Timestamp
  /// The time of the last update.
  package var updated: Timestamp
  /// The process of the last update and its start time, since process ids are reused.
  package var process: Int32
  package var processStart: Int64

  /// The maximum age of an activity, and how long a finished one stays visible.
  package static let longest = Duration.seconds(8 * 3_600)
  package static let lingering: Int64 = 3

  /// Whether it is no longer visible.
  package func isOver(at now: Timestamp) -> Bool {
    let age = now.seconds - began.seconds
    // If the clock was set back, times can be in the future.
    if age >= Self.longest.wholeSeconds || age < -Self.longest.wholeSeconds { return true }
    return activity.state != .active && abs(now.seconds - updated.seconds) >= Self.lingering
  }

  /// The content of its file.
  package var text: String {
    let record = Value.record(
      Record(activity.fields),
      [
        "began": began.microseconds, "updated": updated.microseconds, "process": process,
        "started": processStart,
      ])
    return ((try? JSONWriter().text(of: record)) ?? "{}") + "\n"
  }

  /// The record for machine-readable output.
  package var value: Value {
    .record(
      Record(activity.fields),
      [
        "fraction": activity.fraction, "began": began, "updated": updated,
        "ended": activity.state == .active ? nil : updated, "process": process,
      ])
  }
}

extension ActivityRecord {
  /// Parses the content of a file; nil if it is invalid.
  package init?(text: String) {
    guard case .map(let map)? = try? JSONParser().parse(text) else { return nil }
    func word(_ name: String) -> String? {
      if case .string(let text)? = map[name] { text } else { nil }
    }
    func number(_ name: String) -> Double? {
      switch map[name] {
      case .int(let number)?: Double(number)
      case .double(let number)? where number.isFinite: number
      default: nil
      }
    }
    func whole(_ name: String) -> Int64? {
      if case .int(let number)? = map[name] { number } else { nil }
    }
    guard let key = word("key"), let title = word("title"),
      let kind = word("kind").flatMap(Activity.Kind.init),
      let state = word("state").flatMap(Activity.State.init), let began = whole("began"),
      let updated = whole("updated"), let process = whole("process")
    else { return nil }
    var activity = Activity(kind, key: key, title: title)
    activity.state = state
    activity.done = number("done")
    activity.total = number("total")
    activity.detail = word("detail")
    self.init(
      activity: activity, began: Timestamp(microseconds: began),
      updated: Timestamp(microseconds: updated), process: Int32(truncatingIfNeeded: process),
      processStart: whole("started") ?? 0)
  }
}
