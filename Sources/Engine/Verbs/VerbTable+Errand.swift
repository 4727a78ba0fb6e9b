package import Program

extension VerbTable {
  /// The verbs of the language: each has a file of its own, and a row here.
  package static let errand = VerbTable(named: spec, names: { names })

  private static let names = [
    "say", "show", "ask", "choose", "confirm", "value", "set", "find", "get", "create", "update",
    "delete", "record-use", "wrap", "unwrap", "open-url", "copy", "paste", "log", "run", "stop",
    "return", "fail", "break", "continue", "exec", "read-file", "write-file", "find-files",
    "move-file", "copy-file", "trash-file", "wait", "notify", "progress", "http",
    "enqueue", "activity",
  ]

  /// The verb of a name. A dictionary would be made at each start, for the few that it wants.
  @Sendable
  private static func spec(_ name: String) -> VerbSpec? {
    switch name {
    case "activity": ActivityVerb.spec
    case "ask": AskVerb.spec
    case "break": BreakVerb.spec
    case "choose": ChooseVerb.spec
    case "confirm": ConfirmVerb.spec
    case "continue": ContinueVerb.spec
    case "copy": CopyVerb.spec
    case "create": CreateVerb.spec
    case "delete": DeleteVerb.spec
    case "copy-file": FileTransferVerb.copy
    case "enqueue": EnqueueVerb.spec
    case "exec": ExecVerb.spec
    case "fail": FailVerb.spec
    case "http": HTTPVerb.spec
    case "find-files": FindFilesVerb.spec
    case "move-file": FileTransferVerb.move
    case "notify": NotifyVerb.spec
    case "progress": ProgressVerb.spec
    case "read-file": ReadFileVerb.spec
    case "trash-file": TrashFileVerb.spec
    case "wait": WaitVerb.spec
    case "write-file": WriteFileVerb.spec
    case "find": FindVerb.spec
    case "get": GetVerb.spec
    case "log": LogVerb.spec
    case "open-url": OpenURLVerb.spec
    case "paste": PasteVerb.spec
    case "record-use": RecordUseVerb.spec
    case "return": ReturnVerb.spec
    case "run": RunVerb.spec
    case "say": SayVerb.spec
    case "set": SetVerb.spec
    case "show": ShowVerb.spec
    case "stop": StopVerb.spec
    case "unwrap": UnwrapVerb.spec
    case "update": UpdateVerb.spec
    case "value": ValueVerb.spec
    case "wrap": WrapVerb.spec
    default: nil
    }
  }
}
