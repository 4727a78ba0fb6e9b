import CEL
import JSON
import Links

/// Functions on texts.
enum TextFunctions {
  /// Their names.
  static let names = ["base64", "sha256", "slug", "lines", "words"]

  /// All of them.
  static var all: [Function] {
    [
      Function("base64", .method) { (text: String) in Array(text.utf8).base64() },
      Function("base64", .method, [.bytes], returns: .string) { (value: Value) in
        Self.bytes(of: value).base64()
      },
      Function("sha256", .method) { (text: String) in SHA256.hex(of: text) },
      Function("sha256", .method, [.bytes], returns: .string) { (value: Value) in
        SHA256.hash(Self.bytes(of: value)).hexadecimal
      },
      Function("slug", .method) { (text: String) in TextForms.slug(text) },
      Function("lines", .method, [.string], returns: .list(.string)) { (text: String) in
        TextForms.lines(text).map { Value.string($0) }
      },
      Function("words", .method, [.string], returns: .list(.string)) { (text: String) in
        TextForms.words(text).map { Value.string($0) }
      },
    ]
  }

  private static func bytes(of value: Value) -> [UInt8] {
    if case .bytes(let bytes) = value { return bytes }
    return []
  }
}
