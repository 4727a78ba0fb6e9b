import Catalog
package import Items

/// A declared argument of a verb, whose `Content` is what the verb reads there.
///
/// The key finds its value by position: a misspelt one does not compile.
package struct Argument<Content>: Sendable {
  /// What documents call it.
  package let name: String
  /// Its place among the verb's arguments; the primary one is the first.
  package let position: Int
  let kind: ArgumentKind
  let isRequired: Bool
  /// Whether a secret may be given.
  package let takesSecrets: Bool
  let range: ClosedRange<Double>?
  let namesItem: Bool
  let trial: ArgumentTrial?

  /// Declares the argument at a position of its verb; `range` is that of a number.
  ///
  /// - Parameters:
  ///   - item: whether it is an item, or a reference of one.
  ///   - trial: what is tried with what is known of it before a run.
  package init(
    _ name: String, at position: Int, _ kind: ArgumentKind, required: Bool = false,
    takesSecrets: Bool = false, range: ClosedRange<Double>? = nil, item: Bool = false,
    trial: ArgumentTrial? = nil
  ) {
    namesItem = item
    self.trial = trial
    self.takesSecrets = takesSecrets
    self.range = range
    self.name = name
    self.position = position
    self.kind = kind
    isRequired = required
  }

  /// The declaration without the type of its content, as the verb's list has it.
  package var declaration: ArgumentDeclaration {
    ArgumentDeclaration(
      name: name, position: position, kind: kind, isRequired: isRequired, range: range,
      namesItem: namesItem, trial: trial)
  }
}

/// A declared argument of a verb, as the compiler sees it.
package struct ArgumentDeclaration: Sendable {
  /// What documents call it.
  package let name: String
  /// Its place among the verb's arguments.
  package let position: Int
  /// What is written there.
  package let kind: ArgumentKind
  /// Whether the verb can't do without it.
  package let isRequired: Bool
  /// Between which numbers its value lies; nil where any will do.
  let range: ClosedRange<Double>?
  /// Whether its value is an item, or a reference of one.
  let namesItem: Bool
  /// What is tried with what is known of it before a run; nil where any value may do.
  let trial: ArgumentTrial?
}

/// Says what is wrong with an argument, by what is known of it before a run; nil for nothing.
package typealias ArgumentTrial = @Sendable (CompiledValue) -> LiteralProblem?

/// What is written for an argument of a verb.
package enum ArgumentKind: Sendable {
  /// A value of a type, given as a literal or a template.
  case value(DataType)
  /// Text that is taken as it stands, without `{{ }}`.
  case literal
  /// An expression that is evaluated for each item, `self` being the item.
  case filter
  /// A template that is rendered for each item, `self` being the item.
  case itemTemplate
  /// The name of an entity.
  case entityName
  /// The name of a type.
  case typeName
  /// The name of an intent or a shortcut.
  case actionName
  /// One of a few words.
  case choice([String])
  /// A mapping from names to values.
  case fields
  /// Property names, each with `-` before it for descending order.
  case sortKeys
}
