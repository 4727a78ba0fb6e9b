import Testing

@testable import Source

@Suite struct SourceFileTests {
  /// Columns in a long line equal those counted from its start.
  @Test func columnsOfLongLinesCountScalars() {
    let line = String(repeating: "aä€😀", count: 1_500)
    let file = SourceFile(name: "a", text: "ä\n" + line + "\nend")
    let bytes = Array(line.utf8)
    for offset in stride(from: 0, through: bytes.count, by: 7) {
      let column = bytes[..<offset].count { $0 & 0xC0 != 0x80 } + 1
      #expect(file.position(of: 3 + offset) == Position(line: 2, column: column))
    }
    #expect(file.position(of: file.bytes.count) == Position(line: 3, column: 4))
    #expect(file.position(of: 1 << 40) == Position(line: 3, column: 4))
  }
}
