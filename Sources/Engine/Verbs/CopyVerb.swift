import CEL
import Catalog
import Items
import Program

/// `copy`: puts a value on the clipboard, items in their `text/plain`.
enum CopyVerb: PlainVerb {
  static let word = "copy"
  static let value = Argument<Value>("value", at: 0, .value(.any), required: true)

  static let signature = VerbSignature(
    word, [value.declaration], effect: .outside, touches: touches, onResume: { _ in .skip })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    try arguments.runner.permit(.clipboard, nil)
    let renderer = arguments.runner.renderer
    let value = try arguments.value(value) ?? .null
    let text =
      if case .list(let values) = value {
        values.map { renderer.plainText(of: $0) }.joined(separator: "\n")
      } else {
        renderer.plainText(of: value)
      }
    guard arguments.runner.run.host.writeClipboard(text) else {
      throw RunError(
        .failed, "there is no clipboard here to copy to",
        help: "install wl-clipboard, xclip or xsel")
    }
    return nil
  }

  @Sendable
  private static func touches(_ call: VerbCall) -> [Touch] {
    [Touch(any: .clipboard)]
  }
}
