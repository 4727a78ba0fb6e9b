import CEL
import Catalog
import Items
import Program

/// `wrap`: makes the signed link of an item.
enum WrapVerb: PlainVerb {
  static let word = "wrap"
  static let link = Argument<Item>("link", at: 0, .value(.any), required: true, role: .item)

  static let signature = VerbSignature(
    word, [link.declaration], effect: .write, traits: .setsIt, resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.runner.run
    let wrapped = try LinkSigning(run).wrap(try arguments.item(link))
    run.hasWrapped = true
    return .string(wrapped)
  }
}
