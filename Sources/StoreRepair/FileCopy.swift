import Glibc
import Store

/// Copies a database byte by byte, whatever is in it, with the log that SQLite keeps beside it.
struct FileCopy {
  private let path: String

  init(_ path: String) {
    self.path = path
  }

  /// How often it is begun anew because somebody wrote meanwhile.
  private static let attempts = 5

  /// Writes over the file at `copy`; what is copied is only read.
  ///
  /// - Throws: `io`, `full`, `busy` when others go on writing.
  func write(to copy: String) throws {
    for _ in 0..<Self.attempts {
      let before = state
      try Self.copy(path, to: copy)
      unlink(copy + "-wal")
      if access(path + "-wal", R_OK) == 0 { try Self.copy(path + "-wal", to: copy + "-wal") }
      if state == before { return }
    }
    throw StoreError(
      .busy, "the store “\(path)” is changed by others again and again: try again when it is not")
  }

  /// The size and the time of the last change of the file and its log.
  private var state: [Int] {
    [path, path + "-wal"].flatMap { path -> [Int] in
      var status = stat()
      guard stat(path, &status) == 0 else { return [] }
      let moment = status.st_mtim
      return [Int(status.st_size), Int(moment.tv_sec), Int(moment.tv_nsec)]
    }
  }

  private static func copy(_ path: String, to copy: String) throws {
    let input = open(path, O_RDONLY | O_CLOEXEC)
    guard input >= 0 else { throw failure("read “\(path)”") }
    defer { close(input) }
    let output = open(copy, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o600)
    guard output >= 0 else { throw failure("write “\(copy)”") }
    defer { close(output) }
    while true {
      let count = sendfile(output, input, nil, 1 << 20)
      if count == 0 { return }
      guard count > 0 || errno == EINTR else { throw failure("copy “\(path)” to “\(copy)”") }
    }
  }

  private static func failure(_ action: String) -> StoreError {
    let code = errno
    return StoreError(
      code == ENOSPC || code == EDQUOT || code == EFBIG ? .full : .io,
      "cannot \(action) (\(String(cString: strerror(code))))")
  }
}
