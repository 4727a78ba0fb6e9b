import CEL
import Testing

@testable import JSON

@Suite struct JSONLinesReaderTests {
  /// Reads all lines as texts: the line number with the value, or with the error's code.
  private func read(_ reader: JSONLinesReader) throws -> [String] {
    var reader = reader
    var found: [String] = []
    while let line = try reader.next() {
      switch line.value {
      case .success(let value): found.append("\(line.number) \(try JSONWriter().text(of: value))")
      case .failure(let error): found.append("\(line.number) \(error.code.rawValue)")
      }
    }
    return found
  }

  @Test(arguments: [
    ("", []), ("\n\n", []), ("1", ["1 1"]), ("1\n", ["1 1"]), ("1\r\n\r\n{}", ["1 1", "3 {}"]),
    ("\u{FEFF}[1]\n2", ["1 [1]", "2 2"]), ("1\n{\n3", ["1 1", "2 json-syntax", "3 3"]),
    ("1 2\n3", ["1 json-syntax", "2 3"]),
  ])
  func lines(text: String, expected: [String]) throws {
    #expect(try read(JSONLinesReader(bytes: Array(text.utf8))) == expected)
  }

  @Test(arguments: 1...9)
  func chunksMayEndAnywhere(pieceLength: Int) throws {
    let bytes = Array("[1,2]\n\n{\"a\":\"bc\"}\n\"é\"".utf8)
    var offset = 0
    let reader = JSONLinesReader { target in
      let piece = bytes[offset...].prefix(min(pieceLength, target.count))
      target.copyBytes(from: piece)
      offset += piece.count
      return piece.count
    }
    #expect(try read(reader) == ["1 [1,2]", "3 {\"a\":\"bc\"}", "4 \"é\""])
  }

  @Test(arguments: [7, 8, 9, 100, 1_000])
  func longLinesAreSkipped(length: Int) throws {
    let long = String(repeating: "7", count: length)
    let reader = JSONLinesReader(maxLineBytes: 6, bytes: Array("1\n\(long)\n2\n\(long)".utf8))
    #expect(try read(reader) == ["1 1", "2 json-limit", "3 2", "4 json-limit"])
  }

  @Test func lineOfMaximumLengthIsRead() throws {
    let reader = JSONLinesReader(maxLineBytes: 6, bytes: Array("777777\n777777".utf8))
    #expect(try read(reader) == ["1 777777", "2 777777"])
  }

  @Test func readErrorIsRethrown() throws {
    var reader = JSONLinesReader { _ in throw JSONError(.limit, "no more") }
    #expect(throws: JSONError.self) { try reader.next() }
  }
}

extension JSONLinesReader {
  /// Creates a reader of bytes in memory.
  fileprivate init(maxLineBytes: Int = 4 << 20, bytes: [UInt8]) {
    var rest = bytes[...]
    self.init(maxLineBytes: maxLineBytes) { target in
      let piece = rest.prefix(target.count)
      target.copyBytes(from: piece)
      rest = rest.dropFirst(piece.count)
      return piece.count
    }
  }
}
