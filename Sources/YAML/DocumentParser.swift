package import Source

extension DocumentSlice {
  /// Parses the document into nodes with spans.
  ///
  /// - Throws: `Diagnostics`: `yaml-syntax`, `yaml-limit`, `yaml-tag`, `yaml-merge-key`,
  ///   `yaml-alias`, `duplicate-key`, `unquoted-template`, `swallowed-comment`, `invalid-utf8`.
  /// - Complexity: O(bytes), and bounded by `limits` if aliases multiply.
  package func parse(limits: Limits = .standard) throws(Diagnostics) -> Node {
    guard file.bytes.count <= limits.bytes else {
      throw Diagnostics([
        Diagnostic(
          "yaml-limit",
          "the file has \(file.bytes.count) bytes, more than the \(limits.bytes) allowed",
          at: Span(file, 0..<0))
      ])
    }
    if !file.isBuiltIn, let bad = file.bytes[range].firstInvalidUTF8 {
      let isNUL = file.bytes[bad] == 0
      throw Diagnostics([
        Diagnostic(
          "invalid-utf8",
          isNUL ? "YAML allows no NUL character" : "this byte is not valid UTF-8",
          at: Span(file, bad..<bad + 1), help: isNUL ? "remove it" : "save the file as UTF-8")
      ])
    }
    var composer = Composer(slice: self, limits: limits)
    do throws(Diagnostic) {
      let node = try composer.compose()
      if composer.problems.isEmpty { return node }
    } catch {
      throw Diagnostics(composer.problems + [error])
    }
    throw Diagnostics(composer.problems)
  }
}

extension ArraySlice<UInt8> {
  /// Index of the first byte that is invalid UTF-8, or NUL, which YAML forbids.
  fileprivate var firstInvalidUTF8: Int? {
    var index = startIndex
    while index < endIndex {
      let byte = self[index]
      if byte == 0 { return index }
      if byte < 0x80 {
        index += 1
        continue
      }
      let length = byte >= 0xF0 ? 4 : byte >= 0xE0 ? 3 : 2
      guard byte >= 0xC2, byte < 0xF5, index + length <= endIndex,
        String(validating: self[index..<index + length], as: UTF8.self) != nil
      else { return index }
      index += length
    }
    return nil
  }
}
