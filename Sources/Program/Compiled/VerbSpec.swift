package import CEL
package import Catalog
import Items

/// What a verb is: its arguments, what it gives and does, and how it runs.
///
/// Each verb makes its own in one file; a `VerbTable` finds it by its name.
package final class VerbSpec: Sendable {
  /// How the compiler reads the step.
  package enum Form: Sendable {
    /// Arguments by name, or a scalar for the primary one.
    case usual
    /// Names of variables with their values.
    case assignment
    /// Only within a loop.
    case loopControl
  }

  /// Runs a call in what its engine passes as `context`: how the steps go on, and the value.
  package typealias Body =
    @Sendable (
      _ context: AnyObject, _ call: VerbCall, _ step: CompiledStep
    ) throws -> (Flow, Value?)

  /// What documents call it.
  package let name: String
  /// Its arguments, the primary one first.
  package let arguments: [ArgumentDeclaration]
  /// How the compiler reads the step.
  package let form: Form
  /// What it does beside giving a value.
  package let effect: Effect
  /// Whether its value becomes `it` (language §6, "Values").
  package let setsIt: Bool
  /// Whether nothing in the same block runs after it.
  package let endsBlock: Bool
  /// Whether it uses `it` when no argument is given.
  package let usesIt: Bool
  /// Whether it does no harm to do it twice.
  private let mayRepeat: Bool
  /// Whether it does no harm to do a call twice, where that is not the same for all.
  private let repeats: (@Sendable (VerbCall) -> Bool)?
  /// What a call may touch outside the store; nil where no call touches anything.
  package let touches: (@Sendable (VerbCall) -> [Touch])?
  /// Whether a call asks the person before it does what it does; nil where none does.
  private let confirms: (@Sendable (VerbCall) -> Bool)?
  /// Arguments of which it needs one.
  package let alternatives: Alternatives?
  /// What is wrong with arguments of a call together; nil where nothing can be.
  let conflict: (@Sendable (VerbCall) -> ArgumentConflict?)?
  /// Whether it runs an intent or a shortcut, whose steps have lines of their own in a journal.
  package let calls: Bool
  /// Whether it puts an intent or a shortcut into the queue, to be run later by others.
  package let enqueues: Bool
  /// What is done about a call that was going on when the run ended; nil where nothing shows it.
  package let onResume: @Sendable (VerbCall) -> ResumePolicy
  /// The type of its value where the arguments tell it before the run.
  package let resultType: ResultType
  /// Runs a call.
  package let body: Body

  /// Makes the spec of a verb; the positions of the arguments are those in the list.
  package init(
    _ name: String, _ arguments: [ArgumentDeclaration] = [], form: Form = .usual, effect: Effect,
    setsIt: Bool = false, endsBlock: Bool = false, usesIt: Bool = false, mayRepeat: Bool = true,
    repeats: (@Sendable (VerbCall) -> Bool)? = nil,
    touches: (@Sendable (VerbCall) -> [Touch])? = nil,
    confirms: (@Sendable (VerbCall) -> Bool)? = nil, calls: Bool = false,
    enqueues: Bool = false,
    onResume: (@Sendable (VerbCall) -> ResumePolicy)? = nil, alternatives: Alternatives? = nil,
    conflict: (@Sendable (VerbCall) -> ArgumentConflict?)? = nil,
    resultType: ResultType = .unknown, body: @escaping Body
  ) {
    precondition(arguments.indices.allSatisfy { arguments[$0].position == $0 })
    self.name = name
    self.arguments = arguments
    self.form = form
    self.effect = effect
    self.setsIt = setsIt
    self.endsBlock = endsBlock
    self.usesIt = usesIt
    self.mayRepeat = mayRepeat
    self.repeats = repeats
    self.touches = touches
    self.confirms = confirms
    self.alternatives = alternatives
    self.conflict = conflict
    self.calls = calls
    self.enqueues = enqueues
    self.onResume = onResume ?? { [effect] _ in effect.onResume }
    self.resultType = resultType
    self.body = body
  }

  /// Whether it is given the name of an intent or a shortcut, and what that takes.
  var callsByName: Bool { calls || enqueues }

  /// Whether it does no harm to do a call twice.
  package func mayRepeat(_ call: VerbCall) -> Bool { repeats?(call) ?? mayRepeat }

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

/// The verbs that programs may use.
package struct VerbTable: Sendable {
  /// The verb of a name; nil when there is none. Makes only the one that is wanted.
  package let named: @Sendable (String) -> VerbSpec?
  /// The names of all verbs, in the order in which messages list them.
  package let names: @Sendable () -> [String]

  /// A table of look-ups.
  package init(
    named: @escaping @Sendable (String) -> VerbSpec?, names: @escaping @Sendable () -> [String]
  ) {
    self.named = named
    self.names = names
  }
}

/// A call of a verb; the arguments stand in the order of their declaration.
package struct VerbCall {
  package let verb: VerbSpec
  package let arguments: [CompiledArgument?]

  /// The argument of a key; nil when the call does not give it.
  package subscript<Content>(_ key: Argument<Content>) -> CompiledArgument? {
    arguments[key.position]
  }

  /// The name that stands for an argument, where it is known before the run.
  package func name<Content>(_ key: Argument<Content>) -> String? {
    if case .name(let name) = self[key] { name } else { nil }
  }
}
