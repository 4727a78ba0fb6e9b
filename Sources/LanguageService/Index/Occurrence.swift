package import Source

/// A named entity of the language.
package enum Symbol: Hashable, Sendable {
  /// An entity, an intent, a shortcut or an automation.
  case definition(String)
  /// A parameter, or the input, of an intent or a shortcut.
  case parameter(of: String, String)
  /// A property of an entity.
  case property(of: String, String)
  /// A variable or a result, by the place of its declaration in a file.
  case local(file: String, offset: Int, String)

  /// The name.
  package var name: String {
    switch self {
    case .definition(let name), .parameter(_, let name), .property(_, let name),
      .local(_, _, let name):
      name
    }
  }
}

/// A declaration or use of a symbol.
package struct Occurrence: Sendable {
  package let symbol: Symbol
  package let span: Span
  /// Whether it is the declaration.
  package let isDeclaration: Bool
}
