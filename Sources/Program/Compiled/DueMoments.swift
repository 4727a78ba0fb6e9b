package import CEL
import Catalog
package import Items

/// The moments at which items of an entity fire a trigger by what is due.
package struct DueMoments: Sendable {
  package let entity: String
  /// The property with the day or the time.
  package let property: String
  /// The time before.
  package let before: DurationValue
  /// The property with reminders, which replace the time before; nil for none.
  package let reminders: String?
  /// The second of the day at which a whole day is due.
  package let second: Int
  /// Whether it is that of each occurrence of an item.
  package let occurs: Bool

  /// The moments of an item, in no order.
  package func moments(of item: Item, in clock: LocalClock) -> [Timestamp] {
    var due: Timestamp?
    if case .timestamp(let moment)? = item.field(property) {
      due = clock.moment(due: moment, wholeDayAt: second)
    }
    guard let reminders else {
      return due.flatMap { due in before.negated.flatMap(due.adding) }.map { [$0.asMoment] } ?? []
    }
    guard case .list(let values)? = item.field(reminders) else { return [] }
    return values.compactMap { value in
      guard case .string(let text) = value, let rule = ReminderRule(text) else { return nil }
      return rule.moment(of: due, in: clock)
    }
  }

  /// The range of time in which occurrences take place that fire in an interval; nil beyond all times.
  package func range(from start: Timestamp, to end: Timestamp) -> Range<Timestamp>? {
    guard let first = start.adding(before), let last = end.adding(before) else { return nil }
    return first..<Timestamp(microseconds: last.microseconds + 1)
  }

  /// The condition for items that may fire in an interval, or after its start if that has no end.
  func condition(from start: Timestamp, to end: Timestamp?) -> String {
    if let reminders { return "size(self.\(reminders)) > 0" }
    // A whole day begins before it is due.
    let first = start.adding(before)?.adding(DurationValue(seconds: -86_400)) ?? .earliest
    let lower = "self.\(property) >= timestamp(\"\(first.text)\")"
    guard let last = end?.adding(before) else { return lower }
    return "\(lower) && self.\(property) <= timestamp(\"\(last.text)\")"
  }

  /// The words for it, such as `Task 15m before`.
  package var text: String {
    let when =
      reminders.map { "by \($0)" }
      ?? (before.seconds == 0 ? "" : "\(ReminderRule.timeBefore(before).text)")
    return when.isEmpty ? entity : "\(entity) \(when)"
  }
}

extension CompiledTrigger {
  /// The filter for items of its condition that may fire in an interval, or after its start if that has no
  /// end.
  package func filter(of due: DueMoments, from start: Timestamp, to end: Timestamp?) -> String {
    let interval = due.condition(from: start, to: end)
    return condition.map { "(\($0.expression.source.text)) && \(interval)" } ?? interval
  }
}

extension LocalClock {
  /// The moment at which something is due; of a whole day, that of a second of it.
  func moment(due: Timestamp, wholeDayAt second: Int) -> Timestamp {
    due.isDay
      ? moment(of: CivilTime(date: time(at: due).date, secondOfDay: second)) : due
  }
}

extension ReminderRule {
  /// The moment of a reminder of what is due at a moment; nil if it depends on one and there is none.
  func moment(of due: Timestamp?, in clock: LocalClock) -> Timestamp? {
    switch self {
    case .atDue: due
    case .timeBefore(let length): due.flatMap { due in length.negated.flatMap(due.adding) }
    case .daysBefore(let period):
      due.map { due in
        var time = clock.time(at: due)
        time.date = time.date.adding(days: -period.days, months: -period.months)
        return clock.moment(of: time)
      }
    case .at(let time): clock.moment(of: time)
    case .moment(let moment): moment
    }
  }
}
