import CEL
package import Catalog
package import Items

/// The signature of a verb: its arguments, what it gives, what it does, and how steps go on after it.
///
/// The body that carries a call out belongs to the engine, which finds it by the row of the call.
package final class VerbSignature: Sendable {
  /// How the compiler reads the step.
  package enum Form: Sendable {
    /// Arguments by name, or a scalar for the primary one.
    case arguments
    /// Names of variables with their values.
    case assignment
  }

  /// How the steps of a block go on after a call.
  package enum Exit: Sendable {
    /// With the next step.
    case next
    /// After the nearest loop, or with its next pass.
    case breaks, continues
    /// Nowhere: the intent or shortcut ends without a value, with one, or with an error.
    case stops, returns, fails
  }

  /// Facts about every call of a verb.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Its value becomes `it` (language §6, "Values").
    package static let setsIt = Traits(rawValue: 1)
    /// It only tells or asks something, so that `it` after a last step is nobody's answer.
    package static let onlyTells = Traits(rawValue: 2)
    /// Its value is its primary argument as it is.
    package static let givesArgument = Traits(rawValue: 4)
    /// It runs an intent or a shortcut, whose steps have lines of their own in a journal.
    package static let calls = Traits(rawValue: 8)
    /// It puts an intent or a shortcut into the queue, to be run later by others.
    package static let enqueues = Traits(rawValue: 16)
    /// It lets time pass, after which the world is the same one.
    package static let waits = Traits(rawValue: 32)
    /// Its texts are for another program, which may fill in things of its own.
    package static let takesForeignText = Traits(rawValue: 64)
  }

  /// What documents call it.
  package let name: String
  /// Its arguments, the primary one first.
  package let arguments: [ArgumentDeclaration]
  /// How the compiler reads the step.
  package let form: Form
  /// What it does beside giving a value.
  package let effect: Effect
  /// How the steps of its block go on after a call.
  package let exit: Exit
  /// Facts about every call.
  package let traits: Traits
  /// Whether it does no harm to do a call twice; nil where none does.
  let repeats: (@Sendable (VerbCall) -> Bool)?
  /// What a call may touch outside the store; nil where no call touches anything.
  package let touches: (@Sendable (VerbCall) -> [Touch])?
  /// Whether a call asks the person before it does what it does; nil where none does.
  let confirms: (@Sendable (VerbCall) -> Bool)?
  /// Help for a call that fails where nobody answers; nil for a call that doesn't.
  package let unanswered: (@Sendable (VerbCall) -> String?)?
  /// Arguments of which it needs one.
  package let alternatives: Alternatives?
  /// What is wrong with arguments of a call together; nil where nothing can be.
  let conflict: (@Sendable (VerbCall) -> ArgumentConflict?)?
  /// Help on a word that is not an argument, with the text given there; nil where there is none.
  let advice: (@Sendable (_ word: String, _ text: String?) -> String?)?
  /// What is done about a call that was going on when the run ended; nil where nothing shows it.
  package let onResume: @Sendable (VerbCall) -> ResumePolicy
  /// The type of its value where the arguments tell it before the run.
  package let resultType: ResultType

  /// Makes the signature of a verb; the positions of the arguments are those in the list.
  package init(
    _ name: String, _ arguments: [ArgumentDeclaration] = [], form: Form = .arguments,
    effect: Effect = .pure, exit: Exit = .next, traits: Traits = [],
    repeats: (@Sendable (VerbCall) -> Bool)? = nil,
    touches: (@Sendable (VerbCall) -> [Touch])? = nil,
    confirms: (@Sendable (VerbCall) -> Bool)? = nil,
    unanswered: (@Sendable (VerbCall) -> String?)? = nil,
    onResume: (@Sendable (VerbCall) -> ResumePolicy)? = nil, alternatives: Alternatives? = nil,
    conflict: (@Sendable (VerbCall) -> ArgumentConflict?)? = nil,
    advice: (@Sendable (_ word: String, _ text: String?) -> String?)? = nil,
    resultType: ResultType = .unknown
  ) {
    precondition(arguments.indices.allSatisfy { arguments[$0].position == $0 })
    self.name = name
    self.arguments = arguments
    self.form = form
    self.effect = effect
    self.exit = exit
    self.traits = traits
    self.repeats = repeats
    self.touches = touches
    self.confirms = confirms
    self.unanswered = unanswered
    self.alternatives = alternatives
    self.conflict = conflict
    self.advice = advice
    self.onResume = onResume ?? { [effect] _ in effect.onResume }
    self.resultType = resultType
  }

  /// Whether its value becomes `it` (language §6, "Values").
  package var setsIt: Bool { traits.contains(.setsIt) }

  /// Whether it puts an intent or a shortcut into the queue, to be run later by others.
  package var enqueues: Bool { traits.contains(.enqueues) }

  /// Whether it runs an intent or a shortcut, whose steps have lines of their own in a journal.
  package var calls: Bool { traits.contains(.calls) }

  /// Whether it is given the name of an intent or a shortcut, and what that takes.
  var callsByName: Bool { calls || enqueues }

  /// The argument whose fields are properties of an item, and what becomes of the item.
  var properties: (argument: ArgumentDeclaration, use: ArgumentKind.FieldUse)? {
    for argument in arguments {
      if case .fields(let use) = argument.kind, use != .parameters { return (argument, use) }
    }
    return nil
  }

  /// Whether it does no harm to do a call twice.
  package func mayRepeat(_ call: VerbCall) -> Bool {
    repeats?(call) ?? true
  }

  /// Whether a call may come to ask the person something.
  func asks(_ call: VerbCall) -> Bool {
    if case .ask = effect { true } else { confirms?(call) ?? false }
  }

  /// Arguments of which a call needs one.
  package struct Alternatives: Sendable {
    let names: [String]
    /// Whether it takes no more than one of them.
    let isExclusive: Bool

    /// Names the arguments.
    package init(_ names: [String], isExclusive: Bool = false) {
      self.names = names
      self.isExclusive = isExclusive
    }
  }
}

/// An argument that can't stand beside another one of its call.
package struct ArgumentConflict: Sendable {
  let argument: String
  let problem: LiteralProblem

  /// Names the argument and says what is wrong with it.
  package init(_ argument: String, _ message: String, help: String? = nil) {
    self.argument = argument
    problem = LiteralProblem(message, help: help)
  }
}

/// The verbs that programs may use, each in a row by which the engine finds its body.
package struct VerbTable: Sendable {
  /// The names of all verbs, in the order of their rows and of messages that list them.
  package let names: @Sendable () -> [String]
  /// The row of a name; nil when there is none.
  package let row: @Sendable (_ name: String) -> Int?
  /// The signature in a row; makes only the one that is wanted.
  package let signature: @Sendable (_ row: Int) -> VerbSignature

  /// A table of look-ups.
  package init(
    names: @escaping @Sendable () -> [String], row: @escaping @Sendable (String) -> Int?,
    signature: @escaping @Sendable (Int) -> VerbSignature
  ) {
    self.names = names
    self.row = row
    self.signature = signature
  }

  /// The name of the verb after which steps go on in a way; nil when there is none.
  func name(of exit: VerbSignature.Exit) -> String? {
    names().first { signature(named: $0)?.exit == exit }
  }

  /// The signature of a name; nil when there is none.
  package func signature(named name: String) -> VerbSignature? { row(name).map(signature) }
}

/// A call of a verb; the arguments stand in the order of their declaration.
package struct VerbCall {
  package let verb: VerbSignature
  /// The row of the verb in its table.
  package let row: Int
  package let arguments: [CompiledArgument?]

  /// The argument of a key; nil when the call does not give it.
  package subscript<Content>(_ key: Argument<Content>) -> CompiledArgument? {
    arguments[key.position]
  }

  /// The name that stands for an argument, where it is known before the run.
  package func name<Content>(_ key: Argument<Content>) -> String? {
    if case .name(let name) = self[key] { name } else { nil }
  }

  /// The value that it gives in every call, where that is its primary argument; nil for others.
  var givenValue: CompiledValue? {
    guard verb.traits.contains(.givesArgument),
      case .value(let value, _, _)? = arguments.first ?? nil
    else { return nil }
    return value
  }
}

/// How the type of a verb's value follows from its arguments.
package struct ResultType: Sendable {
  /// The type for a call; nil where it is not known before the run.
  package let of: @Sendable (VerbCall) -> DataType?

  /// The type that a function gives for a call.
  package init(_ of: @escaping @Sendable (VerbCall) -> DataType?) {
    self.of = of
  }

  /// Always the same type.
  package static func fixed(_ type: DataType) -> ResultType { ResultType { _ in type } }

  /// Known only when the step runs.
  package static let unknown = ResultType { _ in nil }
}

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

/// What a verb does beside giving a value, which decides what may happen before and around it.
package enum Effect: Sendable {
  /// Nothing.
  case pure
  /// Reads the store or the world.
  case read
  /// Changes the store.
  case write
  /// Tells the person something.
  case tell
  /// Asks the person something.
  case ask
  /// Changes the world outside the store.
  case outside

  /// What is done about a step that was going on when the run ended, unless its verb says another.
  var onResume: ResumePolicy {
    switch self {
    case .pure, .read, .write, .ask: .retry
    case .tell: .skip
    case .outside: .ask
    }
  }
}
