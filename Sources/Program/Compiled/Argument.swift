package import Items

/// A declared argument of a verb, whose `Content` is what the verb reads there.
///
/// The key finds its value by position: a misspelt one does not compile.
package struct Argument<Content>: Sendable {
  /// The declaration without the type of its content, as the verb's list has it.
  package let declaration: ArgumentDeclaration
  /// Whether a secret may be given.
  package let takesSecrets: Bool

  /// What documents call it.
  package var name: String { declaration.name }
  /// Its place among the verb's arguments; the primary one is the first.
  package var position: Int { declaration.position }

  /// Declares the argument at a position of its verb; `range` is that of a number.
  ///
  /// - Parameters:
  ///   - role: what the compiler knows of its value beside the type.
  ///   - trial: what is tried with what is known of it before a run.
  package init(
    _ name: String, at position: Int, _ kind: ArgumentKind, required: Bool = false,
    takesSecrets: Bool = false, range: ClosedRange<Double>? = nil, role: ArgumentRole = .value,
    trial: ArgumentTrial? = nil
  ) {
    self.takesSecrets = takesSecrets
    declaration = ArgumentDeclaration(
      name: name, position: position, kind: kind, isRequired: required, range: range, role: role,
      trial: trial)
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
  /// What the compiler knows of its value beside the type.
  let role: ArgumentRole
  /// What is tried with what is known of it before a run; nil where any value may do.
  let trial: ArgumentTrial?
}

/// Says what is wrong with an argument, by what is known of it before a run; nil for nothing.
package typealias ArgumentTrial = @Sendable (CompiledValue) -> LiteralProblem?

/// What the compiler knows of an argument's value beside its type.
package enum ArgumentRole: Equatable, Sendable {
  /// Nothing.
  case value
  /// It is an item, or a reference of one; its properties are in reach of the arguments after it.
  case item
  /// They are items, whose properties are in reach of the arguments after it.
  case items
  /// It is a program with its arguments, and never a line for a shell.
  case command
  /// It is sent as text; another argument takes lists and maps.
  case sentText(structured: String)
}

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
  case fields(FieldUse)
  /// Property names, each with `-` before it for descending order.
  case sortKeys

  /// What the names of a mapping are.
  package enum FieldUse: Sendable {
    /// Properties of an item that is made, which may lack none that it needs.
    case creation
    /// Properties of an item that is changed, where one value stands for a list.
    case change
    /// Parameters of what is called.
    case parameters
  }
}
