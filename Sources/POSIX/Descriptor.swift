package import Glibc

/// An open file, closed when it goes out of use.
package final class Descriptor {
  /// The number of the descriptor; -1 once it is closed.
  package private(set) var number: Int32
  /// The path that it was opened by.
  package let path: String

  /// Opens a file, which programs that are started do not get.
  package init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) {
    number = open(path, flags | O_CLOEXEC, mode)
    self.path = path
    if number < 0 { throw SystemError(path) }
  }

  deinit { if number >= 0 { Glibc.close(number) } }

  /// Closes it, and tells what went wrong with the last of what was written.
  package func close() throws(SystemError) {
    guard number >= 0 else { return }
    defer { number = -1 }
    if Glibc.close(number) != 0 { throw SystemError(path) }
  }

  /// What the system knows of it.
  package func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError(path) }
    return status
  }

  // MARK: Reading

  /// The bytes up to the end; nil where there are more than `limit`.
  package func bytes(limit: Int) throws(SystemError) -> [UInt8]? {
    try Self.bytes(from: number, named: path, limit: limit)
  }

  /// The bytes of an open file up to the end, each piece handed on as it is read; nil where there are
  /// more than `limit`.
  package static func bytes(
    from number: Int32, named path: String, limit: Int, each: (([UInt8]) -> Void)? = nil
  ) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      var count = 0
      var code: Int32 = 0
      // What is not filled is not touched: most files are far smaller than the room for them.
      let piece = [UInt8](unsafeUninitializedCapacity: 1 << 16) { buffer, filled in
        count = read(number, buffer.baseAddress, buffer.count)
        code = errno
        filled = max(0, count)
      }
      if count == 0 { return bytes }
      if count < 0 {
        if code == EINTR { continue }
        throw SystemError(path, code)
      }
      each?(piece)
      bytes += piece
      if bytes.count > limit { return nil }
    }
  }

  /// The bytes at a position, fewer where the file ends before.
  package static func bytes(
    of number: Int32, named path: String, at position: Int, count: Int
  ) throws(SystemError) -> [UInt8] {
    var failure: Int32 = 0
    let bytes = [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      while filled < count {
        let start = buffer.baseAddress.map { $0 + filled }
        let result = pread(number, start, count - filled, off_t(position + filled))
        if result < 0, errno == EINTR { continue }
        if result < 0 { failure = errno }
        if result <= 0 { break }
        filled += result
      }
    }
    if failure != 0 { throw SystemError(path, failure) }
    return bytes
  }

  // MARK: Writing

  /// Writes all bytes.
  package func write(_ bytes: [UInt8]) throws(SystemError) {
    let code = WholeWrite.write(bytes, to: number)
    if code != 0 { throw SystemError(path, code) }
  }

  /// Writes what a regular file holds from its beginning on, at most so many bytes; gives how many
  /// there were.
  @discardableResult
  package func write(contentOf source: Int32, limit: Int = .max) throws(SystemError) -> Int {
    var offset: off_t = 0
    while Int(offset) < limit {
      let count = sendfile(number, source, &offset, min(limit - Int(offset), 1 << 24))
      if count == 0 { break }
      if count < 0, errno != EINTR { throw SystemError(path) }
    }
    return Int(offset)
  }

  /// Waits until what was written is on the disk.
  package func sync() throws(SystemError) {
    guard fsync(number) == 0 else { throw SystemError(path) }
  }
}
