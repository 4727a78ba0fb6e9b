import CEL
import JSON

/// A value in a cell of a table that we write: text as it is, a list or an object as JSON.
///
/// A text that could be taken for one of these is a text of JSON, in quotes.
enum CSVCell {
  /// The text for a value; nil for none.
  static func text(of value: Value) throws -> String? {
    if case .null = value { return nil }
    if case .string(let text) = value, !looksLikeJSON(text) { return text }
    let text = try JSONWriter().text(of: value)
    // Moments and the like are texts in JSON, and need no quotes here.
    if case .string = value { return text }
    guard text.hasPrefix("\""), case .string(let inner)? = try? JSONParser().parse(text) else {
      return text
    }
    return inner
  }

  /// The value of a text.
  static func value(of text: String) -> Value {
    guard looksLikeJSON(text), let value = try? JSONParser().parse(text) else {
      return .string(text)
    }
    return value
  }

  private static func looksLikeJSON(_ text: String) -> Bool {
    text.utf8.first.map { "[{\"".utf8.contains($0) } ?? false
  }
}
