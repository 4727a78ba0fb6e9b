import POSIX

/// Lines that are remembered in a private file of the person's state folder, the oldest first.
struct StateLines: Sendable {
  let path: String
  /// The number of lines that are kept; the oldest go first.
  let limit: Int

  /// The lines; none if the file does not exist or cannot be read.
  func read() -> [String] {
    let bytes = (try? FileReader.bytes(of: path, limit: 1 << 20)) ?? []
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Changes the lines under an interprocess lock, and writes them if they differ.
  ///
  /// - Returns: The result of `body`; nil if the lines can't be locked or saved.
  func change<Result>(_ body: (inout [String]) -> Result) -> Result? {
    guard let lock = try? FileLock.taken(beside: path) else { return nil }
    defer { lock.release() }
    let old = read()
    var lines = old
    let result = body(&lines)
    if lines == old { return result }
    let text = lines.suffix(limit).joined(separator: "\n") + "\n"
    return PrivateFile(path: path).write(text) ? result : nil
  }
}
