import CEL
import Engine
import JSON

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

/// Lines that are put aside in a temporary file until what they refer to is there.
final class LineSpool {
  private let descriptor: Int32
  private var pending: [UInt8] = []
  /// How many lines there are.
  private(set) var count = 0

  /// An empty spool in a file that has no name.
  ///
  /// - Throws: `io`.
  init() throws {
    let folder = Environment.value("TMPDIR") ?? "/tmp"
    var path = Array("\(folder)/errand-import-XXXXXX".utf8CString)
    descriptor = mkstemp(&path)
    guard descriptor >= 0 else {
      throw RunError(
        .io, "no temporary file can be made in \(folder): \(String(cString: strerror(errno)))")
    }
    unlink(path)
  }

  deinit {
    if descriptor >= 0 { close(descriptor) }
  }

  /// Puts a line aside.
  ///
  /// - Throws: `io`, when the temporary file can't take it.
  func append(_ line: Value, number: Int) throws {
    let entry = Value.map(MapValue([("number", .int(Int64(number))), ("line", line)]))
    // The line was read within these limits, and stands one level deeper now.
    try JSONWriter(maxDepth: 256).write(entry, to: &pending)
    pending.append(UInt8(ascii: "\n"))
    count += 1
    if pending.count > 1 << 16 { try flush() }
  }

  private func flush() throws {
    let code = Console.write(pending, to: descriptor)
    guard code == 0 else {
      throw RunError(.io, "a temporary file can't be written: \(String(cString: strerror(code)))")
    }
    pending.removeAll(keepingCapacity: true)
  }

  /// Hands out all lines in their order, with their numbers.
  func readAll(_ body: (Value, _ number: Int) throws -> Void) throws {
    try flush()
    lseek(descriptor, 0, SEEK_SET)
    let file = InputFile(descriptor: descriptor, name: "a temporary file")
    var reader = JSONLinesReader(
      parser: JSONParser(maxDepth: 256), maxLineBytes: 64 << 20, read: file.read)
    while let line = try reader.next() {
      guard case .map(let entry) = try line.value.get(), case .int(let number)? = entry["number"],
        let value = entry["line"]
      else { continue }
      try body(value, Int(number))
    }
  }
}
