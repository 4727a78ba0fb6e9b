import CEL

@testable import Engine

extension LocalClock {
  /// Central European time in 2026: summer time from 29 March to 25 October, 01:00 UTC.
  static let berlin = LocalClock { moment in
    let summer = Int64(1_774_746_000)..<Int64(1_792_890_000)
    return summer.contains(moment.seconds) ? 7_200 : 3_600
  }
}

/// The moment that a text in RFC 3339 means; the epoch for anything else.
func moment(_ text: String) -> Timestamp {
  Timestamp(rfc3339: text) ?? Timestamp(seconds: 0)
}
