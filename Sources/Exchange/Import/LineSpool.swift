import CEL
import Glibc
import JSON
import POSIX

/// Lines that are put aside in a temporary file until what they refer to is there.
final class LineSpool {
  private let file: Descriptor
  private var pending: [UInt8] = []
  /// How many lines there are.
  private(set) var count = 0

  /// An empty spool in a file of a folder, which has no name.
  ///
  /// - Throws: `ExchangeError`.
  init(folder: String) throws {
    let path = "\(folder)/errand-import-\(UInt64.random(in: .min ... .max))"
    do { file = try Descriptor(path, O_RDWR | O_CREAT | O_EXCL) } catch {
      throw ExchangeError.noTemporaryFile(folder: folder, code: error.code)
    }
    unlink(path)
  }

  /// Puts a line aside.
  ///
  /// - Throws: `ExchangeError`, when the temporary file can't take it.
  func append(_ line: Value, number: Int) throws {
    let entry = Value.map(MapValue([("number", .int(Int64(number))), ("line", line)]))
    // The line was read within these limits, and stands one level deeper now.
    try JSONWriter(maxDepth: 256).write(entry, to: &pending)
    pending.append(UInt8(ascii: "\n"))
    count += 1
    if pending.count > 1 << 16 { try flush() }
  }

  private func flush() throws {
    do { try file.write(pending) } catch { throw ExchangeError.temporaryFile(code: error.code) }
    pending.removeAll(keepingCapacity: true)
  }

  /// Hands out all lines in their order, with their numbers.
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
