package import CEL
import Catalog
package import Items
import Links
import Source

/// Why a text is no value of a type.
package struct LiteralProblem: Error {
  package let message: String
  package let help: String?

  /// A problem in words.
  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

/// Reads text as a value of a simple type that needs neither the clock nor the store.
package enum LiteralReader {
  /// The value of a text; string types take any text.
  package static func read(_ text: String, as type: DataType) -> Result<Value, LiteralProblem> {
    switch type {
    case .int:
      if let value = Int64(text.trimmingSpaces) { return .success(.int(value)) }
      return .failure(LiteralProblem("“\(text.shortened)” isn't a whole number"))
    case .double:
      if let value = Double(text.trimmingSpaces), value.isFinite { return .success(.double(value)) }
      return .failure(LiteralProblem("“\(text.shortened)” isn't a number"))
    case .bool:
      switch text.trimmingSpaces.lowercased() {
      case "true", "yes", "y", "on", "1": return .success(.bool(true))
      case "false", "no", "n", "off", "0": return .success(.bool(false))
      default:
        return .failure(
          LiteralProblem(
            "“\(text.shortened)” is neither true nor false", help: "write true or false"))
      }
    case .url:
      do throws(WebURLError) {
        return .success(.string(try WebURL(pasted: text.trimmingSpaces).text))
      } catch {
        return .failure(
          LiteralProblem(
            "“\(text.shortened)” isn't a URL: \(error.description)",
            help: error.suggestion.map { "did you mean \($0)?" }))
      }
    case .period:
      if let period = Period(text) { return .success(.string(period.text)) }
      return .failure(
        LiteralProblem(
          "“\(text.shortened)” isn't a period", help: "write it as \(Period.examples)"))
    case .recurrence:
      if let rule = RepeatRule(text) { return .success(.string(rule.text)) }
      return .failure(
        LiteralProblem(
          "“\(text.shortened)” isn't a rule by which something repeats",
          help: "write it as \(RepeatRule.examples)"))
    case .share: return .success(shared(text))
    case .enumeration(let values):
      if values.contains(text) { return .success(.string(text)) }
      return .failure(
        LiteralProblem(
          "“\(text.shortened)” isn't one of \(values.joined(separator: ", "))",
          help: Suggestion.nearest(to: text, in: values).map { "did you mean `\($0)`?" }))
    default: return .success(.string(text))
    }
  }

  /// A text as something that was shared: an address where it is one.
  private static func shared(_ text: String) -> Value {
    let url = try? WebURL(pasted: text.trimmingSpaces)
    let field = url.map { ("url", Value.string($0.text)) } ?? ("text", .string(text))
    return SharedValue.make(MapValue([field])) ?? .null
  }
}
