extension String {
  /// Whether the text of an expression has this name in it.
  package func mentions(_ name: String) -> Bool {
    utf8.split { !Lexer.isNamePart($0) }.contains { $0.elementsEqual(name.utf8) }
  }

  /// The text of a part of `name` with another name in its place; nil when it is no part of it.
  func replacingRoot(_ name: String, with other: String) -> String? {
    guard hasPrefix(name) else { return nil }
    let rest = dropFirst(name.count)
    guard rest.isEmpty || rest.first == "." || rest.first == "[" else { return nil }
    return other + rest
  }
}
