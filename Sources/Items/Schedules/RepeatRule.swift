package import CEL

/// A rule by which a thing is to be done again: on days that recur, or some time after it was done.
package enum RepeatRule: Hashable, Sendable {
  case recurrence(Recurrence)
  case afterDone(Period)

  /// Ways to write a rule, for messages and help.
  package static let examples = "every monday, every 2 weeks, every month on 15, 3d after done"

  /// Reads `every monday`, `every 2 weeks` or `3d after done`; nil for anything else.
  package init?(_ text: String) {
    let words = text.lowercased().split(whereSeparator: \.isWhitespace)
    if words.count > 2, words.suffix(2) == ["after", "done"] {
      let period = words.dropLast(2).drop { $0 == "every" }.joined()
      guard let period = Period(period), period.months >= 0, period.days >= 0,
        period != Period("0d")
      else { return nil }
      self = .afterDone(period)
    } else {
      guard let rule = Recurrence(text) else { return nil }
      self = .recurrence(rule)
    }
  }

  /// The rule in one spelling.
  package var text: String {
    switch self {
    case .recurrence(let rule): rule.text
    case .afterDone(let period): "\(period.text) after done"
    }
  }

  /// The day on which a thing is due again that was due on one day and done on another.
  ///
  /// Days that recur count from the day it was due, and those until it was done are left out. Nil
  /// where none is left before the calendar ends.
  package func next(due: CivilDate, done: CivilDate) -> CivilDate? {
    switch self {
    case .recurrence(let rule): rule.next(after: max(due, done), from: due)
    case .afterDone(let period): done.adding(days: period.days, months: period.months)
    }
  }
}
