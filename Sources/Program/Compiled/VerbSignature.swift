package import CEL
package import Catalog
package import Items

/// The signature of a verb: its arguments, result type, effect and control flow.
///
/// Its body belongs to the engine, which finds it by row.
package final class VerbSignature: Sendable {
  /// Syntax of the step.
  package enum Form: Sendable {
    /// Named arguments, or a scalar for the primary one.
    case arguments
    /// Variables with their values.
    case assignment
  }

  /// Control flow after a call.
  package enum Exit: Sendable {
    /// The next step runs.
    case next
    /// The nearest loop ends, or continues with its next iteration.
    case breaks, continues
    /// The action ends: with no value, with a value, or with an error.
    case stops, returns, fails
  }

  /// Static properties of a verb.
  package struct Traits: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    /// Its result becomes `it` (language §6, "Values").
    package static let setsIt = Traits(rawValue: 1)
    /// It only shows or asks something; as the last step of an action, it gives no result.
    package static let onlyTells = Traits(rawValue: 2)
    /// Its result is its primary argument, unchanged.
    package static let givesArgument = Traits(rawValue: 4)
    /// It calls an action, whose steps are journaled themselves.
    package static let calls = Traits(rawValue: 8)
    /// It enqueues an action.
    package static let enqueues = Traits(rawValue: 16)
    /// It waits, without other effects.
    package static let waits = Traits(rawValue: 32)
    /// Its texts are for another program, which may interpret its placeholders.
    package static let takesForeignText = Traits(rawValue: 64)
    /// Its result follows from its arguments, also if its effect is skipped.
    package static let foreseeable = Traits(rawValue: 128)
    /// It leaves a record outside of the library, such as a line in the log.
    package static let records = Traits(rawValue: 256)
  }

  /// Name in documents.
  package let name: String
  /// Arguments; the primary one is first.
  package let arguments: [ArgumentDeclaration]
  /// Syntax of the step.
  package let form: Form
  /// Side effect.
  package let effect: Effect
  /// Control flow after a call.
  package let exit: Exit
  /// Static properties.
  package let traits: Traits
  /// Whether a call is idempotent; nil if all calls are.
  let repeats: (@Sendable (VerbCall) -> Bool)?
  /// Capabilities that a call needs; nil for none.
  package let capabilities: (@Sendable (VerbCall) -> [Capability])?
  /// Whether a call asks for confirmation; nil if none does.
  let confirms: (@Sendable (VerbCall) -> Bool)?
  /// Advice for a call that fails in a non-interactive run; nil if no call does.
  package let unanswered: (@Sendable (VerbCall) -> String?)?
  /// Arguments of which at least one is required.
  package let alternatives: Alternatives?
  /// A conflict between the arguments of a call; nil if none is possible.
  let conflict: (@Sendable (VerbCall) -> ArgumentConflict?)?
  /// The name under which ``ArgumentAdvice`` has other programs' names of its arguments.
  let advice: String
  /// Treatment of an interrupted call whose outcome is not in the journal.
  package let onResume: @Sendable (VerbCall) -> ResumePolicy
  /// Type of the result, as far as the arguments determine it.
  package let resultType: ResultType

  /// Creates the signature of a verb; each argument's position is its index in `arguments`.
  package init(
    _ name: String, _ arguments: [any DeclaredArgument] = [], form: Form = .arguments,
    effect: Effect = .pure, exit: Exit = .next, traits: Traits = [],
    repeats: (@Sendable (VerbCall) -> Bool)? = nil,
    capabilities: (@Sendable (VerbCall) -> [Capability])? = nil,
    confirms: (@Sendable (VerbCall) -> Bool)? = nil,
    unanswered: (@Sendable (VerbCall) -> String?)? = nil,
    onResume: (@Sendable (VerbCall) -> ResumePolicy)? = nil, alternatives: Alternatives? = nil,
    conflict: (@Sendable (VerbCall) -> ArgumentConflict?)? = nil, advice: String? = nil,
    resultType: ResultType = .unknown
  ) {
    self.name = name
    self.arguments = arguments.map(\.declaration)
    precondition(self.arguments.enumerated().allSatisfy { $1.position == $0 })
    self.form = form
    self.effect = effect
    self.exit = exit
    self.traits = traits
    self.repeats = repeats
    self.capabilities = capabilities
    self.confirms = confirms
    self.unanswered = unanswered
    self.alternatives = alternatives
    self.conflict = conflict
    self.advice = advice ?? name
    self.onResume = onResume ?? { [effect] _ in effect.onResume }
    self.resultType = resultType
  }

  /// Whether its result becomes `it` (language §6, "Values").
  package var setsIt: Bool { traits.contains(.setsIt) }

  /// Whether it enqueues an action.
  package var enqueues: Bool { traits.contains(.enqueues) }

  /// Whether it calls an action, whose steps are journaled themselves.
  package var calls: Bool { traits.contains(.calls) }

  /// Whether it takes the name of an action and its arguments.
  var callsByName: Bool { calls || enqueues }

  /// The argument that holds properties of an item, and how they are used.
  package var properties: (argument: ArgumentDeclaration, use: ArgumentKind.FieldUse)? {
    for argument in arguments {
      if case .fields(let use) = argument.kind, use != .parameters { return (argument, use) }
    }
    return nil
  }

  /// Whether a call is idempotent.
  package func mayRepeat(_ call: VerbCall) -> Bool { repeats?(call) ?? true }

  /// Whether a call may ask the person something.
  func asks(_ call: VerbCall) -> Bool {
    if case .ask = effect { true } else { confirms?(call) ?? false }
  }

  /// A group of arguments of which a call needs one.
  package struct Alternatives: Sendable {
    package let names: [String]
    /// Whether they exclude each other.
    package let isExclusive: Bool

    /// Creates a group of arguments by their names.
    package init(_ names: [String], isExclusive: Bool = false) {
      self.names = names
      self.isExclusive = isExclusive
    }
  }
}

/// An argument that conflicts with a second argument of its call.
package struct ArgumentConflict: Sendable {
  let argument: String
  let problem: LiteralProblem

  /// Creates a conflict with the argument's name and a message.
  package init(_ argument: String, _ message: String, help: String? = nil) {
    self.argument = argument
    problem = LiteralProblem(message, help: help)
  }
}

/// All verbs; the row of a verb also identifies its body in the engine.
package struct VerbTable: Sendable {
  /// Names of all verbs in row order; messages list them in the same order.
  package let names: @Sendable () -> [String]
  /// Returns the row of a verb; nil if unknown.
  package let row: @Sendable (_ name: String) -> Int?
  /// Returns the signature in a row; signatures are made on demand.
  package let signature: @Sendable (_ row: Int) -> VerbSignature

  /// Creates a table from its lookup functions.
  package init(
    names: @escaping @Sendable () -> [String], row: @escaping @Sendable (String) -> Int?,
    signature: @escaping @Sendable (Int) -> VerbSignature
  ) {
    self.names = names
    self.row = row
    self.signature = signature
  }

  /// The verb with a given control flow; nil if there is none.
  func name(of exit: VerbSignature.Exit) -> String? {
    names().first { signature(named: $0)?.exit == exit }
  }

  /// Returns the signature of a verb; nil if unknown.
  package func signature(named name: String) -> VerbSignature? { row(name).map(signature) }
}

/// A call of a verb; arguments are in the order of their declarations.
package struct VerbCall {
  package let verb: VerbSignature
  /// Row of the verb in its table.
  package let row: Int
  package let arguments: [CompiledArgument?]

  /// The argument of a key; nil if not given.
  package subscript<Content>(_ key: Argument<Content>) -> CompiledArgument? {
    arguments[key.position]
  }

  /// The name given as an argument; nil if it is computed.
  package func name<Content>(_ key: Argument<Content>) -> String? {
    if case .name(let name) = self[key] { name } else { nil }
  }

  /// The primary argument, if the verb returns it unchanged; else nil.
  var givenValue: CompiledValue? {
    guard verb.traits.contains(.givesArgument),
      case .value(let value, _, _)? = arguments.first ?? nil
    else { return nil }
    return value
  }
}

/// The type of a verb's result as a function of its arguments.
package struct ResultType: Sendable {
  /// Returns the type for a call; nil if unknown before the run.
  package let of: @Sendable (VerbCall) -> DataType?

  /// Creates a type that depends on the call.
  package init(_ of: @escaping @Sendable (VerbCall) -> DataType?) { self.of = of }

  /// The same type for all calls.
  package static func fixed(_ type: DataType) -> ResultType { ResultType { _ in type } }

  /// A type that is unknown before the run.
  package static let unknown = ResultType { _ in nil }
}

/// A typed key of a verb's argument; `Content` is the type that the verb reads.
///
/// Verbs read arguments by key instead of by name, so a misspelt name does not compile.
package struct Argument<Content>: DeclaredArgument {
  /// The declaration without `Content`.
  package let declaration: ArgumentDeclaration
  /// Whether it accepts secrets.
  package let takesSecrets: Bool

  /// Name in documents.
  package var name: String { declaration.name }
  /// Position among the verb's arguments; the primary one is 0.
  package var position: Int { declaration.position }

  /// Declares the argument at a position; `range` is for numbers.
  ///
  /// - Parameters:
  ///   - role: the meaning of its value, beyond the type.
  ///   - trial: validates a statically known value.
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

/// An argument in a verb's list, for any `Content`.
package protocol DeclaredArgument: Sendable {
  /// The declaration for the compiler.
  var declaration: ArgumentDeclaration { get }
}

/// The declaration of a verb's argument.
package struct ArgumentDeclaration: DeclaredArgument {
  package var declaration: ArgumentDeclaration { self }

  /// Name in documents.
  package let name: String
  /// Position among the verb's arguments.
  package let position: Int
  /// Form of the argument.
  package let kind: ArgumentKind
  /// Whether the verb requires it.
  package let isRequired: Bool
  /// Range of a number, checked both before and during the run; nil for any number.
  package let range: ClosedRange<Double>?
  /// Meaning of its value, beyond the type.
  let role: ArgumentRole
  /// Validates a statically known value; nil if all are valid.
  let trial: ArgumentTrial?
}

extension ClosedRange<Double> {
  /// Returns the problem with a number outside the range, worded to follow its name; nil for other
  /// values.
  package func problem(with value: Value) -> String? {
    let number: Double
    switch value {
    case .int(let int): number = Double(int)
    case .double(let double): number = double
    default: return nil
    }
    if contains(number), number.isFinite { return nil }
    let least = Value.double(lowerBound).text
    let wanted =
      upperBound.isFinite
      ? "from \(least) to \(Value.double(upperBound).text)" : "at least \(least)"
    return "must be \(wanted), not \(value.text)"
  }
}

/// Validates an argument by its statically known value; nil if valid.
package typealias ArgumentTrial = @Sendable (CompiledValue) -> LiteralProblem?

/// The meaning of an argument's value, beyond its type.
package enum ArgumentRole: Equatable, Sendable {
  /// No special meaning.
  case value
  /// An item or a reference; its properties are in scope in later arguments.
  case item
  /// Items whose properties are in scope in later arguments.
  case items
  /// A program and its arguments, never a shell command line.
  case command
  /// Text to send; `structured` names the argument for lists and maps, if there is one.
  case sentText(structured: String?)
  /// A value that is sent as JSON; `text` names the argument for a text.
  case sentJSON(text: String)
}

/// The form of a verb's argument.
package enum ArgumentKind: Sendable {
  /// A value of a type: a literal or a template.
  case value(DataType)
  /// Literal text, without `{{ }}`.
  case literal
  /// An expression evaluated for each item, as `self`.
  case filter
  /// A template rendered for each item, with `self`.
  case itemTemplate
  /// The name of an entity.
  case entityName
  /// The name of a type.
  case typeName
  /// The name of an intent or a shortcut.
  case actionName
  /// One of a fixed set of words.
  case choice([String])
  /// A mapping from names to values.
  case fields(FieldUse)
  /// Property names; a leading `-` means descending order.
  case sortKeys

  /// The meaning of a mapping's keys.
  package enum FieldUse: Sendable {
    /// Properties of a new item; required ones must be present.
    case creation
    /// Properties of an item to change; a single value may replace a list.
    case change
    /// Parameters of the callee.
    case parameters
  }
}

/// The side effect of a verb, which determines the steps allowed before and around it.
package enum Effect: Sendable {
  /// Nothing.
  case pure
  /// Reads the store or the outside world.
  case read
  /// Changes the store.
  case write
  /// Tells the person something.
  case tell
  /// Asks the person something.
  case ask
  /// Changes the outside world.
  case outside

  /// Default treatment of a step that was interrupted.
  var onResume: ResumePolicy {
    switch self {
    case .pure, .read, .write, .ask: .retry
    case .tell: .skip
    case .outside: .ask
    }
  }
}
