import CEL
import POSIX

/// The latest turn of each server that is asked at most once in a length of time, shared by all
/// processes through a file in the person's state folder.
struct RequestTurns: Sendable {
  private let path: String

  /// The number of servers that are remembered; the oldest go first.
  private static let limit = 100
  /// The longest queue of turns; a turn that is further away comes from a clock that was set back.
  private static let horizon: Int64 = 3_600_000_000

  /// - Parameter folder: The person's state folder.
  init(in folder: String) { path = folder + "/turns" }

  /// Takes the next turn at a server, and returns the time until then; the whole pace if the turns
  /// cannot be shared.
  func take(at server: String, pace: Duration, now: Timestamp) -> Duration {
    guard let lock = try? FileLock.taken(beside: path) else { return pace }
    defer { lock.release() }
    let bytes = (try? FileReader.bytes(of: path, limit: 1 << 20)) ?? []
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    let last = lines.last { $0.hasPrefix(server + " ") }
      .flatMap { Int64($0.dropFirst(server.count + 1)) }
    let now = now.microseconds
    var turn = now
    if let last, abs(last &- now) < Self.horizon { turn = max(now, last &+ pace.microseconds) }
    lines.removeAll { $0.hasPrefix(server + " ") }
    lines = lines.suffix(Self.limit - 1) + ["\(server) \(turn)"]
    guard PrivateFile(path: path).write(lines.joined(separator: "\n") + "\n") else { return pace }
    return .microseconds(turn - now)
  }
}
