import Links
import POSIX

/// The latest notification of each key of `notify: {once: …}`, as hashes in the person's state folder.
struct ToldNotifications: Sendable {
  private let path: String

  /// The number of keys that are remembered; the oldest go first.
  private static let limit = 1_000

  /// - Parameter folder: The person's state folder.
  init(in folder: String) { path = folder + "/notified" }

  /// Records the latest text of a key; false if it is the same as before. True, too, if that cannot
  /// be recorded: a notice too many is better than none.
  func isNews(_ key: String, _ text: String) -> Bool {
    guard let lock = try? FileLock.taken(beside: path) else { return true }
    defer { lock.release() }
    let key = SHA256.hex(of: key).prefix(32)
    let line = "\(key) \(SHA256.hex(of: text).prefix(32))"
    let bytes = (try? FileReader.bytes(of: path, limit: 1 << 20)) ?? []
    var lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
    if lines.contains(line) { return false }
    lines.removeAll { $0.hasPrefix(key) }
    lines = lines.suffix(Self.limit - 1) + [line]
    _ = PrivateFile(path: path).write(lines.joined(separator: "\n") + "\n")
    return true
  }
}
