import Catalog
package import Program
import Source
import YAML

/// A word inserted at the cursor so that incomplete text parses.
///
/// Open brackets and quotes are closed after it. Its role and scope determine the completions.
package struct Probe {
  /// The word, unlike any real name.
  static let word = "zqprobe"

  /// The index of the text with the word.
  package let index: DocumentIndex
  /// The scalar with the word.
  package let site: Site?
  /// The expression with the word, and the offset of the word in it.
  package let expression: (expression: CompilationTrace.Expression, offset: Int)?

  /// Analyses an offset of a text.
  ///
  /// - Parameter index: An index of another text of the same file.
  package init?(_ bytes: [UInt8], at offset: Int, index: ([UInt8]) -> DocumentIndex?) {
    let before = bytes[..<offset]
    let end = bytes[offset...].firstIndex { !Self.isWordByte($0) } ?? bytes.count
    let lineEnd = bytes[end...].firstIndex { $0 == 0x0A || $0 == 0x0D } ?? bytes.count
    let endings = Self.endings(after: before)
    var other: Probe?
    for (rest, isCut) in [(bytes[end...], false), (bytes[end..<lineEnd], true), ([], true)] {
      for ending in endings {
        if isCut, ending.isEmpty, rest.isEmpty { continue }
        let text = before + Array((Self.word + ending).utf8) + rest
        guard let index = index(Array(text)), let probe = Probe(index) else { continue }
        // Prefer an expression that parses.
        if probe.expression.map({ $0.expression.checked != nil }) ?? true {
          self = probe
          return
        }
        if other == nil { other = probe }
      }
      if other != nil { break }
    }
    if let other {
      self = other
      return
    }
    return nil
  }

  /// Looks for the word in an index; nil if it is not found or its template is open.
  private init?(_ index: DocumentIndex) {
    self.index = index
    site = index.sites.last { $0.scalar.text.contains(Self.word) }
    guard let site else { return nil }
    let found = index.expressions.last { $0.source.text.contains(Self.word) }
    expression = found.flatMap { found in
      found.source.text.utf8Offset(of: Self.word).map { (found, $0) }
    }
    // The template is open; try another ending.
    if expression == nil, site.scalar.text.contains("{{") { return nil }
  }

  static func isWordByte(_ byte: UInt8) -> Bool {
    (0x30...0x39).contains(byte) || (0x61...0x7A).contains(byte | 0x20) || byte == 0x5F
  }

  /// Possible endings behind the word, the most likely first.
  private static func endings(after text: ArraySlice<UInt8>) -> [String] {
    let tail = text.suffix(4096)
    if let start = openTemplate(in: tail) {
      let closers = closers(of: tail[start...])
      let ends = ["", " }}", " }}'", " }}\"", " }}'}", " }}']", " }}'}]"].map { closers + $0 }
      return closers.isEmpty ? ends : [""] + ends
    }
    let line = tail[((tail.lastIndex(of: 0x0A) ?? tail.startIndex - 1) + 1)...]
    let start = line.firstIndex(of: UInt8(ascii: ":")).map { $0 + 1 } ?? line.startIndex
    var value = line[start...].drop { $0 == 0x20 }
    var quote = ""
    if let first = value.first, first == 0x27 || first == 0x22, !value.dropFirst().contains(first) {
      value = value.dropFirst()
      quote = String(decoding: [first], as: UTF8.self)
    }
    let closers = closers(of: value) + quote
    let ends = ["", ":", closers, "'", "\"", ": x", closers + "'", ": x" + closers, "]", "}"]
    // A word alone on its line is most likely a key.
    return line.allSatisfy { $0 == 0x20 || Self.isWordByte($0) } ? [":"] + ends : ends
  }

  /// The offset behind the last `{{` that is not closed.
  private static func openTemplate(in text: ArraySlice<UInt8>) -> Int? {
    var index = text.endIndex - 2
    while index >= text.startIndex {
      if text[index] == 0x7D, text[index + 1] == 0x7D { return nil }
      if text[index] == 0x7B, text[index + 1] == 0x7B { return index + 2 }
      index -= 1
    }
    return nil
  }

  /// Closing brackets and quotes for the end of a text.
  private static func closers(of text: ArraySlice<UInt8>) -> String {
    var open: [UInt8] = []
    var quote: UInt8?
    for byte in text {
      if let current = quote {
        if byte == current { quote = nil }
        continue
      }
      switch byte {
      case UInt8(ascii: "'"), UInt8(ascii: "\""): quote = byte
      case UInt8(ascii: "("): open.append(UInt8(ascii: ")"))
      case UInt8(ascii: "["): open.append(UInt8(ascii: "]"))
      case UInt8(ascii: "{"): open.append(UInt8(ascii: "}"))
      case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): _ = open.popLast()
      default: break
      }
    }
    return String(decoding: [quote].compactMap { $0 } + open.reversed(), as: UTF8.self)
  }
}

extension String {
  /// The offset in UTF-8 of a text in this one.
  func utf8Offset(of text: String) -> Int? {
    firstRange(of: text).map { utf8.distance(from: utf8.startIndex, to: $0.lowerBound) }
  }

  /// The part up to an offset in UTF-8.
  func utf8Prefix(_ count: Int) -> String { String(decoding: utf8.prefix(count), as: UTF8.self) }

  /// The part of a range in UTF-8.
  func utf8Text(_ range: Range<Int>) -> String {
    String(decoding: utf8.dropFirst(range.lowerBound).prefix(range.count), as: UTF8.self)
  }
}
