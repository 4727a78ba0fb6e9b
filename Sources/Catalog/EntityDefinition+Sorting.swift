import Items
package import Source
import YAML

extension EntityDefinition {
  /// The names by which items can be sorted.
  package var sortableNames: [String] {
    properties.filter(\.type.hasOrder).map(\.name.text) + [
      "id", "createdAt", "updatedAt",
    ]
  }

  /// The key for `createdAt desc`; nil where no direction is written after a name.
  private static func direction(in key: String, _ names: [String]) -> String? {
    let words = key.split { $0 == " " || $0 == ":" || $0 == "," }.map(String.init)
    guard words.count == 2, names.contains(words[0]) else { return nil }
    return switch words[1].lowercased() {
    case "desc", "descending", "down", "reverse":
      "for the largest or newest first write `-\(words[0])`"
    case "asc", "ascending", "up": "write `\(words[0])`; a `-` before it reverses the order"
    default: nil
    }
  }

  /// What is wrong with a name to sort by, `-` before it or not; nil when nothing is.
  package func sortProblem(_ key: String, at span: Span?) -> Diagnostic? {
    let name = key.hasPrefix("-") ? String(key.dropFirst()) : key
    let names = sortableNames
    if names.contains(name) { return nil }
    let help = Self.direction(in: name, names) ?? Suggestion.help(for: name, in: names)
    guard let property = property(name) else {
      return Diagnostic(
        "unknown-property", "\(self.name.text) has no property `\(name)` to sort by", at: span,
        help: help)
    }
    return Diagnostic(
      "no-order", "`\(name)` is of the type \(property.type.description), which has no order",
      at: span,
      help: help)
  }
}
