import CEL
import Catalog
import Items
import Program

/// `wrap`: makes the signed link of an item.
enum WrapVerb {
  static let link = Argument<Item>("link", at: 0, .value(.any), required: true, item: true)

  static let spec = VerbSpec(
    "wrap", [link.declaration], effect: .write, setsIt: true, resultType: .fixed(.string)
  ) { arguments, _ in
    let run = arguments.runner.run
    let wrapped = try LinkSigning(run).wrap(try arguments.item(link))
    run.hasWrapped = true
    return .string(wrapped)
  }
}
