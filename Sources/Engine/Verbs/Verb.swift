import CEL
import Program

/// A verb of the language: its signature, and the body that carries a call out.
protocol Verb: SendableMetatype {
  /// What documents call it.
  static var word: String { get }
  /// What the compiler checks calls by.
  static var signature: VerbSignature { get }

  /// Carries a call out: how the steps go on, and the value, or nil when it has none.
  static func perform(
    _ arguments: VerbArguments, _ step: CompiledStep
  ) throws -> (flow: Flow, value: Value?)
}

/// A verb after which the next step comes.
protocol PlainVerb: Verb {
  /// Carries a call out and gives its value, or nil when it has none.
  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value?
}

extension VerbSignature {
  /// What to do instead of asking where nobody is there to answer.
  static let askLater = "use `notify` with `actions`"
}

extension PlainVerb {
  static func perform(
    _ arguments: VerbArguments, _ step: CompiledStep
  ) throws -> (flow: Flow, value: Value?) {
    (.next, try run(arguments, step))
  }
}
