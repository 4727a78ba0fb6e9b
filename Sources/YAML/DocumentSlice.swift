package import Source

/// A `---` document in a file, found without parsing.
package struct DocumentSlice: Sendable {
  package let file: SourceFile
  /// Byte range of the document, including its `---`.
  package let range: Range<Int>

  init(file: SourceFile, range: Range<Int>) {
    self.file = file
    self.range = range
  }

  /// Treats a file as one document.
  package init(whole file: SourceFile) { self.init(file: file, range: 0..<file.bytes.count) }

  /// Returns the document up to a line with this prefix; all of it if there is none.
  ///
  /// - Complexity: O(bytes).
  package func upTo(line: StaticString) -> DocumentSlice {
    let bytes = file.bytes
    let end = bytes.withUnsafeBufferPointer { bytes -> Int in
      var start = range.lowerBound
      while let newline = bytes[start..<range.upperBound].firstIndex(of: UInt8(ascii: "\n")) {
        start = newline + 1
        guard range.upperBound - start >= line.utf8CodeUnitCount else { break }
        let isLine = (0..<line.utf8CodeUnitCount).allSatisfy {
          bytes[start + $0] == line.utf8Start[$0]
        }
        if isLine { return start }
      }
      return range.upperBound
    }
    return DocumentSlice(file: file, range: range.lowerBound..<end)
  }

  /// Splits a file into documents, without empty ones.
  ///
  /// A line that begins with `---` or `...` is a marker everywhere, even within scalars (YAML 1.2.2
  /// §9.1.2), so checking line starts is exact.
  /// - Complexity: O(bytes).
  package static func split(_ file: SourceFile) -> [DocumentSlice] {
    let bytes = file.bytes
    var slices: [DocumentSlice] = []
    // Skip a byte order mark.
    var start = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? 3 : 0
    var line = start
    func close(at end: Int) {
      let slice = DocumentSlice(file: file, range: start..<end)
      if slice.hasContent { slices.append(slice) }
    }
    while line < bytes.count {
      if isMarker(bytes, at: line, UInt8(ascii: "-")) {
        close(at: line)
        start = line
      } else if isMarker(bytes, at: line, UInt8(ascii: ".")) {
        close(at: line)
        start = line + 3
      }
      guard let end = bytes[line...].firstIndex(of: UInt8(ascii: "\n")) else { break }
      line = end + 1
    }
    close(at: bytes.count)
    return slices
  }

  private static func isMarker(_ bytes: [UInt8], at line: Int, _ mark: UInt8) -> Bool {
    guard line + 3 <= bytes.count, bytes[line..<line + 3].allSatisfy({ $0 == mark }) else {
      return false
    }
    return line + 3 == bytes.count || [0x20, 0x09, 0x0A, 0x0D].contains(bytes[line + 3])
  }

  /// Whether there is anything besides markers, comments, directives and white space.
  private var hasContent: Bool {
    var index = range.lowerBound
    if Self.isMarker(file.bytes, at: index, UInt8(ascii: "-")) { index += 3 }
    while index < range.upperBound {
      switch file.bytes[index] {
      case 0x20, 0x09, 0x0A, 0x0D: index += 1
      case UInt8(ascii: "#"), UInt8(ascii: "%"):
        while index < range.upperBound, file.bytes[index] != 0x0A { index += 1 }
      default: return true
      }
    }
    return false
  }
}
