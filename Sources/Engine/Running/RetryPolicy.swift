import CEL
import Items
import Program

/// How often, when and after which errors a step is tried again.
struct RetryPolicy {
  private let times: Int64
  private let delay: Duration
  private let backoff: Double
  private let max: Duration
  private let jitter: Double
  private let codes: [String]?

  /// The statuses of HTTP that may pass by themselves (RFC 9110 §15; RFC 6585 §4).
  static func mayPass(_ status: Int64) -> Bool {
    [408, 425, 429].contains(status) || (500...599).contains(status)
  }

  /// The policy that a `retry` gives now.
  init(_ retry: CompiledStep.Retry, _ runner: Runner) throws {
    func duration(_ value: CompiledValue?, _ name: String, _ usual: Int64) throws -> Duration {
      guard let value,
        case .duration(let length) = try runner.value(of: value, as: .duration, named: name)
      else { return Duration(seconds: usual) }
      return length
    }
    func number(_ value: CompiledValue?, _ name: String, _ usual: Double) throws -> Double {
      guard let value,
        case .double(let number) = try runner.value(of: value, as: .double, named: name)
      else { return usual }
      return number
    }
    guard case .int(let times) = try runner.value(of: retry.times, as: .int, named: "times") else {
      throw RunError(.invalidValue, "`retry` needs a number of times")
    }
    self.times = times
    delay = try duration(retry.delay, "delay", 1)
    max = try duration(retry.max, "max", 60)
    backoff = try number(retry.backoff, "backoff", 2)
    jitter = try number(retry.jitter, "jitter", 0.2)
    codes = retry.codes
  }

  /// How long to wait before the next attempt; nil when there is to be none.
  ///
  /// - Parameter random: a number from 0 to 1.
  /// - Throws: the error with `data.retryAfter` when the other side asks for more than `max`.
  func delay(after attempts: Int, _ error: RunError, random: () -> Double) throws -> Duration? {
    guard Int64(attempts) < times, isMeant(error) else { return nil }
    var seconds = delay.inSeconds
    for _ in 0..<Swift.min(attempts, 64) { seconds *= backoff }
    seconds = Swift.min(seconds, max.inSeconds)
    seconds *= 1 + jitter * (2 * random() - 1)
    if let wanted = error.retryAfter {
      if wanted > max.inSeconds { return nil }
      seconds = Swift.max(seconds, wanted)
    }
    return Duration(totalNanoseconds: Int64(Swift.max(0, Swift.min(seconds, 9e8)) * 1e9))
  }

  /// Whether the error may pass by itself, or the policy names it.
  private func isMeant(_ error: RunError) -> Bool {
    if error.isFatal { return false }
    if let codes { return codes.contains(error.code.name) }
    guard error.mayRepeat else { return false }
    switch error.code {
    case .network, .timeout, .busy: return true
    case .http:
      guard case .map(let data) = error.data, case .int(let status)? = data["status"] else {
        return false
      }
      return Self.mayPass(status)
    default: return false
    }
  }
}

extension RunError {
  /// The seconds that the other side asks to wait; nil when it does not.
  fileprivate var retryAfter: Double? {
    guard case .map(let data) = data else { return nil }
    return switch data["retryAfter"] {
    case .duration(let length): length.inSeconds
    case .int(let seconds): Double(seconds)
    default: nil
    }
  }
}

extension Duration {
  /// The length in seconds.
  var inSeconds: Double { Double(clampedNanoseconds) / 1e9 }
}
