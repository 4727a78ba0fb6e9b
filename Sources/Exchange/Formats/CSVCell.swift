import CEL
import JSON

/// A value in a cell of a table that we write: text as it is, a list or an object as JSON.
///
/// A text that could be taken for one of these is a text of JSON, in quotes.
enum CSVCell {
  /// The text for a value; nil for none.
  static func text(of value: Value) throws -> String? {
    switch value {
    case .null: return nil
    case .string(let text):
      return looksLikeJSON(text) ? try JSONWriter().text(of: value) : text
    default:
      let text = try JSONWriter().text(of: value)
      // Moments and the like are texts in JSON, and need no quotes here.
      guard text.hasPrefix("\""),
        case .string(let inner)? = try? JSONParser().parse(Array(text.utf8))
      else { return text }
      return inner
    }
  }

  /// The value of a text.
  static func value(of text: String) -> Value {
    guard looksLikeJSON(text), let value = try? JSONParser().parse(Array(text.utf8)) else {
      return .string(text)
    }
    return value
  }

  private static func looksLikeJSON(_ text: String) -> Bool {
    guard let first = text.utf8.first else { return false }
    return first == UInt8(ascii: "[") || first == UInt8(ascii: "{") || first == UInt8(ascii: "\"")
  }
}
