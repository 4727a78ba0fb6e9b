import CEL
import Catalog
import Items
import Program

/// `move-file`: moves a file, and gives its new path.
enum MoveFileVerb: FileTransferVerb {
  static let word = "move-file"
  static let isCopy = false
  static let signature = transferSignature(word, isCopy: isCopy)
}

/// `copy-file`: copies a file, and gives the path of the copy.
enum CopyFileVerb: FileTransferVerb {
  static let word = "copy-file"
  static let isCopy = true
  static let signature = transferSignature(word, isCopy: isCopy)
}

/// A verb that moves or copies a file.
protocol FileTransferVerb: PlainVerb {
  static var isCopy: Bool { get }
}

private let from = Argument<String>("from", at: 0, .value(.file), required: true)
private let to = Argument<String>("to", at: 1, .value(.file), required: true)
private let onConflict = Argument<ArgumentName>(
  "onConflict", at: 2, .choice(FileTransfer.Conflict.allCases.map(\.rawValue)))

extension FileTransferVerb {
  fileprivate static func transferSignature(_ word: String, isCopy: Bool) -> VerbSignature {
    VerbSignature(
      word, [from.declaration, to.declaration, onConflict.declaration], effect: .outside,
      traits: .setsIt, repeats: { _ in false },
      touches: { call in
        call.touches(isCopy ? .read : .write, path: from) + call.touches(.write, path: to)
      },
      // The new path, or null when the transfer may be skipped.
      resultType: ResultType { call in
        call.name(onConflict) == FileTransfer.Conflict.skip.rawValue ? .optional(.string) : .string
      })
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
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
