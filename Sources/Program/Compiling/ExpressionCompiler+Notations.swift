import CEL
import Catalog
import Source

/// Lints for notations of other languages, which are valid here and mean something else.
extension ExpressionCompiler {
  /// Warns of a comment after a part of an expression, as `//` divides whole numbers elsewhere.
  func doubtComment(in source: ExpressionSource) {
    let bytes = Array(source.text.utf8)
    guard let start = Self.comment(in: bytes), !bytes[start...].contains(0x0A) else { return }
    let before = String(decoding: bytes[..<start], as: UTF8.self).trimmingSpaces
    let rest = String(decoding: bytes[(start + 2)...], as: UTF8.self).trimmingSpaces
    guard !before.isEmpty else { return }
    warn(
      "W215", "`// \(rest.shortened)` is a comment here, and not computed", at: start..<bytes.count,
      in: source, help: "to divide write `\(before) / \(rest.shortened)`; otherwise remove it")
  }

  /// The offset of the first `//` outside of texts; nil if there is none.
  private static func comment(in bytes: [UInt8]) -> Int? {
    var quote: UInt8?
    var index = 0
    while index + 1 < bytes.count {
      switch (bytes[index], quote) {
      case (UInt8(ascii: "\\"), _?): index += 1
      case (let byte, let open?): if byte == open { quote = nil }
      case (UInt8(ascii: "\""), nil), (UInt8(ascii: "'"), nil), (UInt8(ascii: "`"), nil):
        quote = bytes[index]
      case (UInt8(ascii: "/"), nil) where bytes[index + 1] == UInt8(ascii: "/"): return index
      default: break
      }
      index += 1
    }
    return nil
  }

  /// Warns of a pattern where a text is taken, and of the placeholders of other languages.
  func doubtNotation(
    _ name: String, _ receiver: Expression, _ arguments: [Expression], _ source: ExpressionSource
  ) {
    switch (name, arguments.count) {
    case ("replace", 2...) where receiver.description == "regex":
      guard arguments.count > 2, case .literal(.string(let text)) = arguments[2].kind,
        let number = text.firstIndex(of: "$").map({ text[text.index(after: $0)...] }),
        number.first?.isNumber == true
      else { return }
      let meant = text.replacing("$", with: "\\\\")
      warn(
        "W215", "`$\(number.prefix(1))` is plain text here", at: arguments[2].range, in: source,
        help: "write the part of a group as in `\"\(meant)\"`")
    case ("replace", 2), ("split", 1):
      guard case .literal(.string(let pattern)) = arguments[0].kind, Self.isPattern(pattern) else {
        return
      }
      let rest = arguments.dropFirst().map { ", \($0)" }.joined()
      warn(
        "W215", "`\(name)` takes a text, not a pattern", at: arguments[0].range, in: source,
        help: name == "replace"
          ? "write `regex.replace(\(receiver), \(arguments[0])\(rest))`"
          : "write `regex.replace(\(receiver), \(arguments[0]), \"\\n\").split(\"\\n\")`")
    case ("format", 1):
      guard case .literal(.string(let text)) = receiver.kind, !text.contains("%"),
        text.contains("{}") || text.contains("{0}"), case .list = arguments[0].kind
      else { return }
      let meant = ["{0}", "{1}", "{2}", "{}"].reduce(text) { $0.replacing($1, with: "%s") }
      warn(
        "W215", "`{}` is plain text here", at: receiver.range, in: source,
        help: "write `\(Expression(.literal(.string(meant)))).format(\(arguments[0]))`")
    default: return
    }
  }

  /// Whether a text is most likely meant as a regular expression.
  private static func isPattern(_ text: String) -> Bool {
    let marks = ["\\d", "\\s", "\\w", "\\b", "]+", "]*", ".*", ".+", "[^", "[a-z", "[0-9"]
    return marks.contains { text.firstRange(of: $0) != nil }
  }
}
