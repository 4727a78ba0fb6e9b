import CEL
import Exchange
import Items
import JSON
import Program
import YAML

/// Writes values for a person who compares them.
enum ValueText {
  /// How many characters are shown of a value.
  private static let limit = 400
  /// How many characters are shown before the first difference of two long texts.
  private static let context = 24

  /// A value on one line.
  static func text(of value: Value) -> String {
    let json = ItemJSON(day: { String($0.jsonText.prefix(10)) })
    return cut((try? json.text(of: value)) ?? value.text)
  }

  /// What is written in a test, on one line.
  static func text(of node: Node) -> String {
    node.scalar.map { text(of: $0.coreValue) } ?? text(of: node.plainValue)
  }

  /// Two texts from a little before where they begin to differ.
  static func difference(_ expected: String, _ actual: String) -> (String, String) {
    let common = zip(expected, actual).prefix { $0 == $1 }.count
    guard common > 2 * context, max(expected.count, actual.count) > 80 else {
      return (text(of: .string(expected)), text(of: .string(actual)))
    }
    func excerpt(_ text: String) -> String {
      "…" + Self.text(of: .string(String(text.dropFirst(common - context))))
    }
    return (excerpt(expected), excerpt(actual))
  }

  private static func cut(_ text: String) -> String {
    text.count > limit ? text.prefix(limit) + "…" : text
  }
}
