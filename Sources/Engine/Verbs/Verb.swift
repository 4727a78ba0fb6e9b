import CEL
package import Catalog
package import Program

/// A verb of the language: its signature and implementation.
protocol Verb: SendableMetatype {
  /// The name in documents.
  static var word: String { get }
  /// The signature for the compiler.
  static var signature: VerbSignature { get }

  /// Executes a call and returns its value, or nil for none; `return` gives the result of the intent
  /// or shortcut.
  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value?
}

extension VerbSignature {
  /// Advice for automations, which cannot ask.
  static let askLater = "use `notify` with `actions`"
}

extension VerbCall {
  /// The value of a Boolean argument; nil when unknown before the run.
  func flag(_ key: Argument<Bool>, else absent: Bool = false) -> Bool? {
    guard let argument = self[key] else { return absent }
    if case .value(.constant(.bool(let flag)), _, _) = argument { return flag } else { return nil }
  }
}

extension DefinitionCatalog {
  /// A library with the built-in layer, in which names of verbs are reserved.
  package convenience init() {
    self.init(
      VerbWords(
        isVerb: { VerbTable.errand.row($0) != nil },
        takes: { verb, argument in
          VerbTable.errand.signature(named: verb)?.arguments.contains { $0.name == argument }
            ?? false
        }))
  }
}

extension VerbTable {
  /// The verbs of the language, by row.
  ///
  /// Lookups search the array: a dictionary would have to be built at each start, for few lookups.
  static let rows: [any Verb.Type] = [
    SayVerb.self, ShowVerb.self, AskVerb.self, ChooseVerb.self, ConfirmVerb.self, ValueVerb.self,
    SetVerb.self, FindVerb.self, GetVerb.self, CreateVerb.self, UpdateVerb.self, DeleteVerb.self,
    RecordUseVerb.self, WrapVerb.self, UnwrapVerb.self, OpenURLVerb.self, CopyVerb.self,
    PasteVerb.self, LogVerb.self, RunVerb.self, StopVerb.self, ReturnVerb.self, FailVerb.self,
    BreakVerb.self, ContinueVerb.self, ExecVerb.self, ReadFileVerb.self, WriteFileVerb.self,
    MakeFolderVerb.self, FindFilesVerb.self, MoveFileVerb.self, CopyFileVerb.self,
    TrashFileVerb.self, WaitVerb.self,
    NotifyVerb.self, ProgressVerb.self, HTTPVerb.self, EnqueueVerb.self, ActivityVerb.self,
  ]

  /// The verbs of the language.
  package static let errand = VerbTable(
    names: { rows.map { $0.word } }, row: { name in rows.firstIndex { $0.word == name } },
    signature: { rows[$0].signature })
}
