import CEL
import Catalog
import Items
import Program

/// `paste`: gives the text on the clipboard.
enum PasteVerb {
  static let spec = VerbSpec(
    "paste", effect: .read, setsIt: true, touches: touches,
    resultType: .fixed(.string)
  ) { arguments, _ in
    try arguments.runner.permit(.clipboard, nil)
    return .string(arguments.runner.run.host.readClipboard() ?? "")
  }

  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    [Touch(any: .clipboard)]
  }
}
