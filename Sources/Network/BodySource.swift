import CCurl
import Engine
import Glibc

/// The body of a request while it is sent, from memory or from a file.
final class BodySource {
  /// The size in bytes.
  let size: Int
  private let bytes: [UInt8]
  private let descriptor: Int32
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    size = bytes.count
    descriptor = -1
  }

  /// Opens a file at its current size.
  ///
  /// - Throws: `io` or `not-found`.
  init(file path: String) throws {
    bytes = []
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw RunError(
        errno == ENOENT ? .notFound : .io,
        "\(path) cannot be read: \(String(cString: strerror(errno)))")
    }
    size = Int(status.st_size)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RunError(.io, "\(path) is not a regular file")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Returns the source passed as the context of a callback.
  static func of(_ context: UnsafeMutableRawPointer?) -> BodySource? {
    context.map { Unmanaged<BodySource>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Fills a buffer and returns the number of bytes, 0 at the end.
  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, size - position)
    guard count > 0, let start = buffer.baseAddress else { return 0 }
    if descriptor >= 0 {
      let got = pread(descriptor, start, count, off_t(position))
      // If the file was truncated, the server would wait for the rest.
      guard got > 0 else { return Int(CURL_READFUNC_ABORT) }
      position += got
      return got
    }
    bytes[position..<(position + count)].withUnsafeBytes { buffer.copyMemory(from: $0) }
    position += count
    return count
  }

  /// Moves to a position; returns 0 on success.
  func seek(_ offset: Int, _ origin: Int32) -> Int32 {
    guard origin == SEEK_SET, (0...size).contains(offset) else { return 1 }
    position = offset
    return 0
  }
}
