import CEL
import Catalog
import Items
import Program

/// `paste`: gives the text on the clipboard.
enum PasteVerb: PlainVerb {
  static let word = "paste"
  static let signature = VerbSignature(
    word, effect: .read, traits: .setsIt, touches: touches,
    resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    try arguments.runner.permit(.clipboard, nil)
    return .string(arguments.runner.run.host.readClipboard() ?? "")
  }

  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    [Touch(any: .clipboard)]
  }
}
