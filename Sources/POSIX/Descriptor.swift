package import Glibc

/// An open file descriptor, closed on deinitialization.
package final class Descriptor {
  /// The file descriptor; -1 once closed.
  package private(set) var number: Int32
  /// The path it was opened with.
  package let path: String

  /// Opens a file with `O_CLOEXEC`.
  package init(_ path: String, _ flags: Int32, mode: mode_t = 0o600) throws(SystemError) {
    number = open(path, flags | O_CLOEXEC, mode)
    self.path = path
    if number < 0 { throw SystemError(path) }
  }

  /// Opens a user's file for reading: a regular file, a folder, or a descriptor that this process
  /// inherited, such as `/dev/stdin` or the pipe of a process substitution.
  ///
  /// Never waits for the writer of a named pipe.
  ///
  /// - Throws: `SystemError`, with `SystemError.notAFile` for another pipe or a device.
  package convenience init(input path: String) throws(SystemError) {
    try self.init(path, O_RDONLY | O_NONBLOCK | O_NOCTTY)
    let status = try status()
    let isGiven =
      path == "/dev/stdin"
      || ["/dev/fd/", "/proc/self/fd/"].contains { path.hasPrefix($0) && path != $0 }
    guard status.isRegular || status.isFolder || isGiven else {
      throw SystemError(path, SystemError.notAFile)
    }
    _ = fcntl(number, F_SETFL, fcntl(number, F_GETFL) & ~O_NONBLOCK)
  }

  /// Takes charge of an open descriptor.
  package init(adopting number: Int32, path: String) {
    self.number = number
    self.path = path
  }

  deinit { if number >= 0 { Glibc.close(number) } }

  /// Closes the descriptor; throws a delayed write error.
  package func close() throws(SystemError) {
    guard number >= 0 else { return }
    defer { number = -1 }
    if Glibc.close(number) != 0 { throw SystemError(path) }
  }

  /// Returns the file status.
  package func status() throws(SystemError) -> stat {
    var status = stat()
    guard fstat(number, &status) == 0 else { throw SystemError(path) }
    return status
  }

  // MARK: Reading

  /// Reads to the end; nil if there are more than `limit` bytes.
  package func bytes(limit: Int) throws(SystemError) -> [UInt8]? {
    try Self.bytes(from: number, named: path, limit: limit)
  }

  /// Reads an open file to its end, passing each piece to `each`; nil if there are more than `limit` bytes.
  package static func bytes(
    from number: Int32, named path: String, limit: Int, each: (([UInt8]) -> Void)? = nil
  ) throws(SystemError) -> [UInt8]? {
    var bytes: [UInt8] = []
    while true {
      var count = 0
      var code: Int32 = 0
      // Untouched pages of the buffer cost nothing: most files are far smaller.
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

  /// Reads bytes at a position; fewer at the end of the file.
  package func bytes(at position: Int, count: Int) throws(SystemError) -> [UInt8] {
    try Self.bytes(of: number, named: path, at: position, count: count)
  }

  /// Reads bytes of an open file at a position; fewer at its end.
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

  /// Copies at most `limit` bytes from the start of a regular file and returns the number copied.
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

  /// Syncs written data to disk.
  package func sync() throws(SystemError) {
    guard fsync(number) == 0 else { throw SystemError(path) }
  }
}
