import CEL
import Catalog
import Items
import Links
import Program

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
