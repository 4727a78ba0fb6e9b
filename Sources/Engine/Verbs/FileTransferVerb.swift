import CEL
import Items
import Program

/// `move-file` and `copy-file`: they move or copy a file, and give its new path.
enum FileTransferVerb {
  private static let from = Argument<String>("from", at: 0, .value(.file), required: true)
  private static let to = Argument<String>("to", at: 1, .value(.file), required: true)
  private static let onConflict = Argument<ArgumentName>(
    "onConflict", at: 2, .choice(FileTransfer.Conflict.allCases.map(\.rawValue)))

  static let move = spec("move-file", isCopy: false)
  static let copy = spec("copy-file", isCopy: true)

  private static func spec(_ name: String, isCopy: Bool) -> VerbSpec {
    let touches: @Sendable (VerbCall) -> [Touch] = { call in
      call.touches(isCopy ? .read : .write, path: from) + call.touches(.write, path: to)
    }
    return VerbSpec(
      name, [from.declaration, to.declaration, onConflict.declaration], effect: .outside,
      setsIt: true, mayRepeat: false, touches: touches,
      resultType: FileTransfer.resultType(onConflict)
    ) { arguments, _ in
      let run = arguments.runner.run
      let transfer = FileTransfer(
        from: try run.path(arguments.text(from) ?? ""), to: try run.path(arguments.text(to) ?? ""),
        isCopy: isCopy,
        onConflict: arguments.name(onConflict).flatMap(FileTransfer.Conflict.init) ?? .fail)
      try arguments.runner.permit(isCopy ? .read : .write, transfer.from)
      try arguments.runner.permit(.write, transfer.to)
      return try run.transfer(transfer).map(Value.string) ?? .null
    }
  }
}
