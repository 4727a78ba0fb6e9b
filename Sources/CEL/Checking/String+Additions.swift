extension String {
  /// Returns whether the text of an expression contains this name.
  package func mentions(_ name: String) -> Bool {
    utf8.split { !Lexer.isNamePart($0) }.contains { $0.elementsEqual(name.utf8) }
  }

  /// Replaces the leading name of a path such as `name.field`; nil if the path starts differently.
  func replacingRoot(_ name: String, with other: String) -> String? {
    guard hasPrefix(name) else { return nil }
    let rest = dropFirst(name.count)
    guard rest.isEmpty || rest.first == "." || rest.first == "[" || rest.first == "@"
    else { return nil }
    return other + rest
  }
}
