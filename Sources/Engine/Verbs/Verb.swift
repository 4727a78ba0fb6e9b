import CEL
package import Program

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

/// A verb after which steps go on elsewhere.
protocol FlowVerb: Verb {
  /// How the steps go on.
  static func flow(_ arguments: VerbArguments) throws -> Flow
}

extension FlowVerb {
  static func perform(
    _ arguments: VerbArguments, _ step: CompiledStep
  ) throws -> (flow: Flow, value: Value?) {
    (try flow(arguments), nil)
  }
}

extension PlainVerb {
  static func perform(
    _ arguments: VerbArguments, _ step: CompiledStep
  ) throws -> (flow: Flow, value: Value?) {
    (.next, try run(arguments, step))
  }
}

extension VerbTable {
  /// The verbs of the language: each has a file of its own, and a row here.
  ///
  /// A row is looked for by its name: a dictionary would be made at each start, for the few that it
  /// wants.
  static let bodies: [any Verb.Type] = [
    SayVerb.self, ShowVerb.self, AskVerb.self, ChooseVerb.self, ConfirmVerb.self, ValueVerb.self,
    SetVerb.self, FindVerb.self, GetVerb.self, CreateVerb.self, UpdateVerb.self, DeleteVerb.self,
    RecordUseVerb.self, WrapVerb.self, UnwrapVerb.self, OpenURLVerb.self, CopyVerb.self,
    PasteVerb.self, LogVerb.self, RunVerb.self, StopVerb.self, ReturnVerb.self, FailVerb.self,
    BreakVerb.self, ContinueVerb.self, ExecVerb.self, ReadFileVerb.self, WriteFileVerb.self,
    FindFilesVerb.self, MoveFileVerb.self, CopyFileVerb.self, TrashFileVerb.self, WaitVerb.self,
    NotifyVerb.self, ProgressVerb.self, HTTPVerb.self, EnqueueVerb.self, ActivityVerb.self,
  ]

  /// The verbs of the language.
  package static let errand = VerbTable(
    names: { bodies.map { $0.word } }, row: { name in bodies.firstIndex { $0.word == name } },
    signature: { bodies[$0].signature })
}
