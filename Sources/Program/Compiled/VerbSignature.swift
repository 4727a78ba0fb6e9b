import CEL
package import Catalog

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
