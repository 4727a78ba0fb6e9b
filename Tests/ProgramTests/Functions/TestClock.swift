@testable import CEL
@testable import Program

extension LocalClock {
  /// Central European time, by the rule that has held since 1996.
  static let berlin = LocalClock { .berlin }
}

extension TimeZoneRules {
  /// Central European time, by the rule that has held since 1996.
  static let berlin: TimeZoneRules = {
    guard let rule = RecurringRule("CET-1CEST,M3.5.0,M10.5.0/3") else { return .utc }
    return TimeZoneRules(
      name: "Europe/Berlin", transitions: [], following: [], initial: rule.standard, footer: rule)
  }()
}

/// The moment that a text in RFC 3339 means; the epoch for anything else.
func moment(_ text: String) -> Timestamp {
  Timestamp(rfc3339: text) ?? Timestamp(seconds: 0)
}
