import CEL
import POSIX

/// The latest turn of each server that is asked at most once in a length of time, shared by all
/// processes through a file in the person's state folder.
struct RequestTurns: Sendable {
  private let lines: StateLines

  /// The longest queue of turns; a turn that is further away comes from a clock that was set back.
  private static let horizon: Int64 = 3_600_000_000

  /// - Parameter folder: The person's state folder.
  init(in folder: String) { lines = StateLines(path: folder + "/turns", limit: 100) }

  /// Takes the next turn at a server, and returns the time until then; the whole pace if the turns
  /// cannot be shared.
  func take(at server: String, pace: Duration, now: Timestamp) -> Duration {
    let now = now.microseconds
    let wait = lines.change { lines in
      let last = lines.last { $0.hasPrefix(server + " ") }
        .flatMap { Int64($0.dropFirst(server.count + 1)) }
      var turn = now
      if let last, abs(last &- now) < Self.horizon { turn = max(now, last &+ pace.microseconds) }
      lines.removeAll { $0.hasPrefix(server + " ") }
      lines.append("\(server) \(turn)")
      return Duration.microseconds(turn - now)
    }
    return wait ?? pace
  }
}
