@testable import CEL
@testable import Program

extension LocalClock {
  /// Central European Time by the rule since 1996.
  static let berlin = LocalClock { .berlin }
}

extension TimeZoneRules {
  /// Central European Time by the rule since 1996.
  static let berlin: TimeZoneRules = {
    guard let rule = RecurringRule("CET-1CEST,M3.5.0,M10.5.0/3") else { return .utc }
    return TimeZoneRules(
      name: "Europe/Berlin", transitions: [], following: [], initial: rule.standard, footer: rule)
  }()
}

/// Parses an RFC 3339 timestamp; the epoch for anything else.
func moment(_ text: String) -> Timestamp {
  Timestamp(rfc3339: text) ?? Timestamp(seconds: 0)
}
