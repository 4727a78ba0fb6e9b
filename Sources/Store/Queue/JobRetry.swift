/// When a job that failed is done again.
package struct JobRetry: Hashable, Sendable {
  /// How often after the first time.
  package var times: Int
  /// How long after the first failure, in microseconds.
  package var delay: Int64
  /// By what each further delay is longer.
  package var backoff: Double
  /// How long a delay is at most, in microseconds.
  package var longest: Int64

  /// After 15 minutes, an hour and four hours.
  package static let usual = JobRetry()

  package init(
    times: Int = 3, delay: Int64 = 15 * minute, backoff: Double = 4, longest: Int64 = day
  ) {
    self.times = times
    self.delay = delay
    self.backoff = backoff
    self.longest = longest
  }

  /// A minute and a day, in microseconds.
  package static let minute: Int64 = 60_000_000
  package static let day: Int64 = 24 * 60 * minute

  /// How long after a failure, in microseconds; nil when it was the last.
  ///
  /// - Parameter failures: how often it has failed, from 1.
  package func delay(after failures: Int) -> Int64? {
    guard failures <= times else { return nil }
    var length = Double(delay)
    // More than 64 of them have reached any limit.
    for _ in 1..<min(max(failures, 1), 64) { length *= backoff }
    return Int64(min(length, Double(longest)).rounded())
  }
}
