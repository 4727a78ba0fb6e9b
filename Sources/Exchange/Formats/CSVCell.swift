import CEL
import JSON

/// The conversion between values and cells of Errand's tables: strings unchanged, lists and objects
/// as JSON.
///
/// A string that looks like JSON is written as a JSON string.
enum CSVCell {
  /// Returns the text of a value; nil for null.
  static func text(of value: Value) throws -> String? {
    if case .null = value { return nil }
    if case .string(let text) = value, !looksLikeJSON(text) { return text }
    let text = try JSONWriter().text(of: value)
    // Timestamps and the like are JSON strings, which need no quotes here.
    if case .string = value { return text }
    guard text.hasPrefix("\""), case .string(let inner)? = try? JSONParser().parse(text) else {
      return text
    }
    return inner
  }

  /// Returns the value of a text.
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
