import CCurl
import Engine
import Glibc

/// The bytes of a body while they are sent: from memory, or from a file.
final class BodySource {
  /// How many there are.
  let size: Int
  private let bytes: [UInt8]
  private let descriptor: Int32
  private var position = 0

  init(_ bytes: [UInt8]) {
    self.bytes = bytes
    size = bytes.count
    descriptor = -1
  }

  /// The content of a file, as long as it is now.
  ///
  /// - Throws: `io` or `not-found`.
  init(file path: String) throws {
    bytes = []
    descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    var status = stat()
    guard descriptor >= 0, fstat(descriptor, &status) == 0 else {
      throw RunError(
        errno == ENOENT ? .notFound : .io,
        "\(path) can't be read: \(String(cString: strerror(errno)))")
    }
    size = Int(status.st_size)
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw RunError(.io, "\(path) is not a regular file")
    }
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// The source that a callback was given.
  static func of(_ context: UnsafeMutableRawPointer?) -> BodySource? {
    context.map { Unmanaged<BodySource>.fromOpaque($0).takeUnretainedValue() }
  }

  /// Fills a buffer; gives how many bytes are in it, 0 at the end.
  func read(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, size - position)
    guard count > 0, let start = buffer.baseAddress else { return 0 }
    if descriptor >= 0 {
      let got = pread(descriptor, start, count, off_t(position))
      // A file that became shorter would leave the server waiting for the rest.
      guard got > 0 else { return Int(CURL_READFUNC_ABORT) }
      position += got
      return got
    }
    bytes[position..<(position + count)].withUnsafeBytes { buffer.copyMemory(from: $0) }
    position += count
    return count
  }

  /// Goes to a place; 0 when it is there.
  func seek(_ offset: Int, _ origin: Int32) -> Int32 {
    guard origin == SEEK_SET, (0...size).contains(offset) else { return 1 }
    position = offset
    return 0
  }
}
