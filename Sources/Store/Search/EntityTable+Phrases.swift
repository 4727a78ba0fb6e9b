import Items

extension EntityTable {
  /// The number of a property's column in the text index, from 1; nil when it is not searched.
  func textColumn(of property: String) -> Int? {
    searched.firstIndex { schema.properties[$0].name == property }.map { $0 + 1 }
  }

  /// The expression of the text index that holds wherever a property, or an element of it, is a
  /// text; nil when the index cannot tell.
  func phrase(_ text: String, in property: String) -> String? {
    guard let column = textColumn(of: property), text.utf8.count <= 1_000,
      // JSON escapes control characters, and the letters of an escape would stand in between.
      text.utf8.allSatisfy({ $0 >= 0x20 }),
      text.unicodeScalars.contains(where: {
        $0.isTokenCharacter || hasSeparatedWords && $0.isWord
      })
    else { return nil }
    let words = hasSeparatedWords ? WordSeparation.separated(text) : text
    return "p\(column) : \(SQL.quoted(words))"
  }
}
