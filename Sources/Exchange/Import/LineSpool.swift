import CEL
import Glibc
import JSON
import POSIX

/// A temporary file of lines set aside until their references can be resolved.
final class LineSpool {
  private let file: Descriptor
  private var pending: [UInt8] = []
  /// The number of lines.
  private(set) var count = 0

  /// Creates an empty spool in an unlinked file.
  ///
  /// - Throws: `ExchangeError`.
  init(folder: String) throws {
    let path = "\(folder)/errand-import-\(UInt64.random(in: .min ... .max))"
    do { file = try Descriptor(path, O_RDWR | O_CREAT | O_EXCL) } catch {
      throw ExchangeError.noTemporaryFile(folder: folder, code: error.code)
    }
    unlink(path)
  }

  /// Appends a line.
  ///
  /// - Throws: `ExchangeError` if the temporary file cannot be written.
  func append(_ line: Value, number: Int) throws {
    let entry = Value.map(MapValue([("number", .int(Int64(number))), ("line", line)]))
    // The line was within the default limit and is one level deeper now.
    try JSONWriter(maxDepth: 256).write(entry, to: &pending)
    pending.append(UInt8(ascii: "\n"))
    count += 1
    if pending.count > 1 << 16 { try flush() }
  }

  private func flush() throws {
    do { try file.write(pending) } catch { throw ExchangeError.temporaryFile(code: error.code) }
    pending.removeAll(keepingCapacity: true)
  }

  /// Passes all lines in order to `body`, with their numbers.
  func readAll(_ body: (Value, _ number: Int) throws -> Void) throws {
    try flush()
    lseek(file.number, 0, SEEK_SET)
    var reader = JSONLinesReader(parser: JSONParser(maxDepth: 256), maxLineBytes: 64 << 20) {
      [file] buffer in
      while true {
        let count = read(file.number, buffer.baseAddress, buffer.count)
        if count >= 0 { return count }
        if errno != EINTR { throw ExchangeError.temporaryFile(code: errno) }
      }
    }
    while let line = try reader.next() {
      guard case .map(let entry) = try line.value.get(), case .int(let number)? = entry["number"],
        let value = entry["line"]
      else { continue }
      try body(value, Int(number))
    }
  }
}
