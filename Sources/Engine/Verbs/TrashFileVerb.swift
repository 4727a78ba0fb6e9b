import CEL
import Items
import Program

/// `trash-file`: moves a file to the trash of the desktop, and gives where it lies there.
enum TrashFileVerb: PlainVerb {
  static let word = "trash-file"
  static let from = Argument<String>("from", at: 0, .value(.file), required: true)

  static let signature = VerbSignature(
    word, [from.declaration], effect: .outside, traits: .setsIt, repeats: { _ in false },
    touches: touches,
    resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let path = try run.path(arguments.text(from) ?? "")
    try arguments.runner.permit(.write, path)
    return .string(try run.trash(path))
  }

  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    call.touches(.write, path: from)
  }
}
