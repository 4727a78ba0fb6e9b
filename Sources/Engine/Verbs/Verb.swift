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

/// A row of the table: what stands for the type of a verb, so that the table is there at the start
/// without being made.
struct VerbRow: Sendable {
  let word: String
  let signature: @Sendable () -> VerbSignature
  let perform: @Sendable (VerbArguments, CompiledStep) throws -> (flow: Flow, value: Value?)

  /// The row of a verb.
  @inline(__always)
  init<Body: Verb>(_ verb: Body.Type) {
    word = Body.word
    signature = { Body.signature }
    perform = { try Body.perform($0, $1) }
  }
}

extension VerbTable {
  /// The verbs of the language: each has a file of its own, and a row here.
  ///
  /// A row is looked for by its name: a dictionary would be made at each start, for the few that it
  /// wants.
  static let rows: [VerbRow] = [
    VerbRow(SayVerb.self), VerbRow(ShowVerb.self), VerbRow(AskVerb.self), VerbRow(ChooseVerb.self),
    VerbRow(ConfirmVerb.self), VerbRow(ValueVerb.self), VerbRow(SetVerb.self),
    VerbRow(FindVerb.self), VerbRow(GetVerb.self), VerbRow(CreateVerb.self),
    VerbRow(UpdateVerb.self), VerbRow(DeleteVerb.self), VerbRow(RecordUseVerb.self),
    VerbRow(WrapVerb.self), VerbRow(UnwrapVerb.self), VerbRow(OpenURLVerb.self),
    VerbRow(CopyVerb.self), VerbRow(PasteVerb.self), VerbRow(LogVerb.self), VerbRow(RunVerb.self),
    VerbRow(StopVerb.self), VerbRow(ReturnVerb.self), VerbRow(FailVerb.self),
    VerbRow(BreakVerb.self), VerbRow(ContinueVerb.self), VerbRow(ExecVerb.self),
    VerbRow(ReadFileVerb.self), VerbRow(WriteFileVerb.self), VerbRow(FindFilesVerb.self),
    VerbRow(MoveFileVerb.self), VerbRow(CopyFileVerb.self), VerbRow(TrashFileVerb.self),
    VerbRow(WaitVerb.self), VerbRow(NotifyVerb.self), VerbRow(ProgressVerb.self),
    VerbRow(HTTPVerb.self), VerbRow(EnqueueVerb.self), VerbRow(ActivityVerb.self),
  ]

  /// The verbs of the language.
  package static let errand = VerbTable(
    names: { rows.map(\.word) }, row: { name in rows.firstIndex { $0.word == name } },
    signature: { rows[$0].signature() })
}
