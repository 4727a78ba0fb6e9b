import CEL
import Catalog
import Items
import Links
import Program
import Store
import YAML

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

/// `unwrap`: tells what a signed link stands for.
enum UnwrapVerb: PlainVerb {
  static let word = "unwrap"
  static let text = Argument<String>("text", at: 0, .value(.string), required: true)

  /// What a signed link stands for.
  private static let link = RecordType(
    "what `unwrap` gives",
    [.init("url", .string), .init("title", .nullable(.string)), .init("id", .string)])

  static let signature = VerbSignature(
    word, [text.declaration], effect: .read, traits: .setsIt,
    resultType: .fixed(.record(link)))

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let link = try LinkSigning(arguments.runner.run).unwrap(try arguments.text(text) ?? "")
    return .map(
      MapValue([
        ("url", .string(link.url)), ("title", link.title.map(Value.string) ?? .null),
        ("id", .string(link.id)),
      ]))
  }
}
