import Glibc
import POSIX
import Store

/// Copies a database byte by byte, with its write-ahead log.
struct FileCopy {
  private let path: String

  init(_ path: String) { self.path = path }

  /// The number of attempts while other processes write.
  private static let attempts = 5

  /// Overwrites the file at `copy`; the source is only read.
  ///
  /// - Throws: `io`, `full`, `busy` if other processes keep writing.
  func write(to copy: String) throws {
    for _ in 0..<Self.attempts {
      let before = state
      try Self.copy(path, to: copy)
      unlink(copy + "-wal")
      if access(path + "-wal", R_OK) == 0 { try Self.copy(path + "-wal", to: copy + "-wal") }
      if state == before { return }
    }
    throw StoreError(
      .busy, "the store “\(path)” keeps changing: try again when no other process writes to it")
  }

  /// The sizes and modification times of the file and its log.
  private var state: [Int] {
    [path, path + "-wal"].flatMap { path -> [Int] in
      var status = stat()
      guard stat(path, &status) == 0 else { return [] }
      let moment = status.st_mtim
      return [Int(status.st_size), Int(moment.tv_sec), Int(moment.tv_nsec)]
    }
  }

  private static func copy(_ path: String, to copy: String) throws {
    do {
      let input = try Descriptor(path, O_RDONLY)
      let output = try Descriptor(copy, O_CREAT | O_TRUNC | O_WRONLY)
      try output.write(contentOf: input.number)
    } catch  where error.path == path {
      throw StoreError(.io, "cannot read “\(path)” (\(String(cString: strerror(error.code))))")
    } catch { throw WorkFile.failure(copy, error.code) }
  }
}
