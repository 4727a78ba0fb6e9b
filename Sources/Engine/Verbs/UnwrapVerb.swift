import CEL
import Catalog
import Items
import Links
import Program

/// `unwrap`: tells what a signed link stands for.
enum UnwrapVerb {
  static let text = Argument<String>("text", at: 0, .value(.string), required: true)

  static let spec = VerbSpec(
    "unwrap", [text.declaration], effect: .read, setsIt: true,
    resultType: .fixed(.map(.any))
  ) { arguments, _ in
    let link = try LinkSigning(arguments.runner.run).unwrap(try arguments.text(text) ?? "")
    return .map(
      MapValue([
        ("url", .string(link.url)), ("title", link.title.map(Value.string) ?? .null),
        ("id", .string(link.id)),
      ]))
  }
}
