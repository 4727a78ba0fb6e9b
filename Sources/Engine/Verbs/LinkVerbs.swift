import CEL
import Catalog
import Items
import Links
import Program
import Store
import YAML

/// `wrap`: creates the signed link of an item.
enum WrapVerb: Verb {
  static let word = "wrap"
  static let link = Argument<Item>("link", at: 0, .value(.any), required: true, role: .item)

  static let recipient = Argument<String>("recipient", at: 1, .value(.optional(.string)))

  static let signature = VerbSignature(
    word, [link, recipient], effect: .write, traits: .setsIt, resultType: .fixed(.string))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let run = arguments.run
    let signing = LinkSigning(run: run)
    let item = try arguments.item(link)
    // An empty key is a mistake, such as an empty shell variable, and never means everyone.
    let wrapped =
      if case .string(let key)? = try arguments.value(recipient) {
        try signing.seal(item, for: key)
      } else { try signing.wrap(item) }
    run.hasWrapped = true
    return .string(wrapped)
  }
}

/// `unwrap`: verifies a signed link and returns its content.
enum UnwrapVerb: Verb {
  static let word = "unwrap"
  static let text = Argument<String>("text", at: 0, .value(.string), required: true)

  /// The content of a signed link.
  private static let link = RecordType(
    "the result of `unwrap`",
    [
      .init("url", .string), .init("title", .nullable(.string)), .init("id", .string),
      .init("sender", .nullable(.string)),
    ])

  static let signature = VerbSignature(
    word, [text], effect: .read, traits: .setsIt,
    resultType: .fixed(.record(link)))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let link = try LinkSigning(run: arguments.runner.run).unwrap(try arguments.text(text) ?? "")
    return .record([
      ("url", .string(link.url)), ("title", .text(link.title)), ("id", .string(link.id)),
      ("sender", .text(link.sender)),
    ])
  }
}
