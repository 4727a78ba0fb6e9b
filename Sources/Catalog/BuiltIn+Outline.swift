import Resources
import Source
import YAML

/// The compact forms of the built-in definitions, in one file: a line for each with its name and size,
/// an empty line, and their bytes one after the other.
extension BuiltIn {
  /// The path of the file in the project.
  static let outlines = "schemas/outlines.bin"

  /// The compact form of its nodes up to its tests; nil if there is none.
  ///
  /// - Complexity: O(names).
  var outline: NodeOutline? {
    Resource.named(Self.outlines)?.withBytes { bytes in
      var line = 0
      var place = 0
      var found: Range<Int>?
      while line < bytes.count, bytes[line] != 0x0A {
        let space = bytes[line...].firstIndex(of: 0x20) ?? bytes.endIndex
        let end = bytes[space...].firstIndex(of: 0x0A) ?? bytes.endIndex
        let size = bytes[space..<end].dropFirst().reduce(0) { 10 * $0 + Int($1 & 0x0F) }
        if bytes[line..<space].elementsEqual(name.utf8) { found = place..<place + size }
        place += size
        line = end + 1
      }
      return found.map { range in
        NodeOutline(Array(bytes[line + 1 + range.lowerBound..<line + 1 + range.upperBound]))
      }
    }
  }

  /// The content of the file of compact forms.
  static func makeOutlines() throws -> [UInt8] {
    var lines = ""
    var bytes: [UInt8] = []
    for definition in all {
      let outline = try NodeOutline.bytes(of: definition.slice.upTo(line: "tests:"))
      lines += "\(definition.name) \(outline.count)\n"
      bytes += outline
    }
    return Array((lines + "\n").utf8) + bytes
  }

  /// Its document.
  var slice: DocumentSlice {
    DocumentSlice(whole: SourceFile(name: path, bytes: bytes, isBuiltIn: true))
  }
}
