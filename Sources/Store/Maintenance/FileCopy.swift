#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Copies a file byte by byte, whatever is in it.
struct FileCopy {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// Makes a copy that nobody else may read, with the log that SQLite keeps beside it if wanted.
  ///
  /// - Throws: `io`, `full`.
  func write(to copy: String, withLog: Bool) throws {
    try Self.copy(path, to: copy)
    if withLog, access(path + "-wal", R_OK) == 0 { try Self.copy(path + "-wal", to: copy + "-wal") }
  }

  private static func copy(_ path: String, to copy: String) throws {
    let input = open(path, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw failure("read “\(path)”") }
    defer { close(input) }
    let output = open(copy, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw failure("write “\(copy)”") }
    defer { close(output) }
    var buffer = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = read(input, &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      guard count >= 0 else { throw failure("read “\(path)”") }
      if count == 0 { return }
      var written = 0
      while written < count {
        let part = buffer[written..<count].withUnsafeBytes {
          systemWrite(output, $0.baseAddress, $0.count)
        }
        if part < 0, errno == EINTR { continue }
        guard part > 0 else { throw failure("write “\(copy)”") }
        written += part
      }
    }
  }

  private static func failure(_ action: String) -> StoreError {
    let code = errno
    return StoreError(
      code == ENOSPC || code == EDQUOT ? .full : .io,
      "cannot \(action) (\(String(cString: strerror(code))))")
  }
}

/// `write(2)`, which the method of that name hides.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer?, _ count: Int) -> Int {
  write(file, bytes, count)
}
