import CEL
import Catalog
import Items
import Links
import Program

/// `unwrap`: tells what a signed link stands for.
enum UnwrapVerb {
  static let text = Argument<String>("text", at: 0, .value(.string), required: true)

  /// What a signed link stands for.
  private static let link = RecordType(
    "what `unwrap` gives",
    [.init("url", .string), .init("title", .nullable(.string)), .init("id", .string)])

  static let spec = VerbSpec(
    "unwrap", [text.declaration], effect: .read, setsIt: true,
    resultType: .fixed(.record(link))
  ) { arguments, _ in
    let link = try LinkSigning(arguments.runner.run).unwrap(try arguments.text(text) ?? "")
    return .map(
      MapValue([
        ("url", .string(link.url)), ("title", link.title.map(Value.string) ?? .null),
        ("id", .string(link.id)),
      ]))
  }
}
