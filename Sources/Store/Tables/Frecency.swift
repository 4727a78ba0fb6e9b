import Glibc

/// The usage score of an item, stored as the moment at which it falls to 1.
///
/// A score s at time t with a half-life of 30 days falls to 1 at t + ln(s)/λ with λ = ln 2 / 30
/// days, so a higher score is a later moment, nothing needs decaying, and an index can sort it.
enum Frecency {
  /// 30 days in microseconds.
  static let halfLife: Double = 30 * 86_400 * 1e6

  /// The new moment after a use.
  ///
  /// - Parameter date: The stored moment; negative when the item was never used.
  static func date(afterUseAt now: Int64, weight: Double, before date: Int64) -> Int64 {
    let old = date < 0 ? 0 : exp2(Double(date - now) / halfLife)
    let moment = Double(now) + log2(old + weight) * halfLife
    return Int64(max(0, min(moment, 9e18)))
  }

  /// The score at a moment.
  static func score(_ date: Int64, at now: Int64) -> Double {
    exp2(Double(date - now) / halfLife)
  }

  /// The relevance multiplier of a usage score: 0.5 more for each doubling.
  static func factor(_ date: Int64, at now: Int64) -> Double {
    1 + 0.5 * log2(1 + min(score(date, at: now), 1e6))
  }
}
