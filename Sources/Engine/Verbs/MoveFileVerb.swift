import CEL
import Items
import Program

/// `move-file`: moves a file, and gives its new path.
enum MoveFileVerb {
  static let from = Argument<String>("from", at: 0, .value(.file), required: true)
  static let to = Argument<String>("to", at: 1, .value(.file), required: true)
  static let onConflict = Argument<ArgumentName>(
    "onConflict", at: 2, .choice(FileTransfer.Conflict.allCases.map(\.rawValue)))

  static let spec = VerbSpec(
    "move-file", [from.declaration, to.declaration, onConflict.declaration], effect: .outside,
    setsIt: true, mayRepeat: false, touches: touches,
    resultType: FileTransfer.resultType(onConflict)
  ) { arguments, _ in
    let run = arguments.runner.run
    let transfer = FileTransfer(
      from: run.path(try arguments.text(from) ?? ""), to: run.path(try arguments.text(to) ?? ""),
      isCopy: false,
      onConflict: arguments.name(onConflict).flatMap(FileTransfer.Conflict.init) ?? .fail)
    try arguments.runner.permit(.write, transfer.from)
    try arguments.runner.permit(.write, transfer.to)
    return try run.transfer(transfer).map(Value.string) ?? .null
  }

  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    call.touches(.write, path: from) + call.touches(.write, path: to)
  }
}
