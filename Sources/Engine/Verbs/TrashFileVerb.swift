import CEL
import Items
import Program

/// `trash-file`: moves a file to the trash of the desktop, and gives where it lies there.
enum TrashFileVerb {
  static let from = Argument<String>("from", at: 0, .value(.file), required: true)

  static let spec = VerbSpec(
    "trash-file", [from.declaration], effect: .outside, setsIt: true, mayRepeat: false,
    touches: touches,
    resultType: .fixed(.string)
  ) { arguments, _ in
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
