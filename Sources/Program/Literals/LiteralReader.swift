package import CEL
import Catalog
package import Items
import Links
import Source
package import YAML

/// The problem with a text that is not a value of a type.
package struct LiteralProblem: Error {
  package let message: String
  package let help: String?

  /// Creates a problem with a message.
  package init(_ message: String, help: String? = nil) {
    self.message = message
    self.help = help
  }
}

/// Parses literals of simple types, which need neither clock nor store.
package enum LiteralReader {
  /// Parses a text; string types accept any text.
  package static func read(_ text: String, as type: DataType) -> Result<Value, LiteralProblem> {
    func mismatch(_ what: String, help: String? = nil) -> Result<Value, LiteralProblem> {
      .failure(LiteralProblem("“\(text.shortened)” \(what)", help: help))
    }
    switch type {
    case .int:
      return Int64(text.trimmingSpaces).map { .success(.int($0)) }
        ?? mismatch(
          "is not a whole number",
          help: Double(text.trimmingSpaces) == nil
            ? "write digits, such as `10`" : "leave out the fraction")
    case .double:
      if let value = Double(text.trimmingSpaces), value.isFinite { return .success(.double(value)) }
      return mismatch(
        "is not a number", help: number(in: text).map { "did you mean \($0)?" })
    case .bool:
      switch text.trimmingSpaces.lowercased() {
      case "true", "yes", "y", "on", "1": return .success(.bool(true))
      case "false", "no", "n", "off", "0": return .success(.bool(false))
      default: return mismatch("is neither true nor false", help: "write true or false")
      }
    case .url:
      do throws(WebURLError) {
        return .success(.string(try WebURL(pasted: text.trimmingSpaces).text))
      } catch {
        return mismatch(
          "is not a URL: \(error.description)",
          help: error.suggestion.map { "did you mean \($0)?" })
      }
    // The words of a range stand for days only when it is used.
    case .refined(.range) where DayRange(text, now: Timestamp(seconds: 0), clock: .utc) != nil:
      return .success(.string(RangeText.canonical(text) ?? text))
    case .refined(let type):
      return type.value(of: .string(text)).map { .success($0) }
        ?? mismatch("is not \(type.noun)\(type.purpose)", help: "write it as \(type.examples)")
    case .share: return .success(shared(text))
    case .enumeration(let values):
      if values.contains(text) { return .success(.string(text)) }
      return mismatch(
        "is not one of \(values.joined(separator: ", "))",
        help: Suggestion.choice(text, in: values)
          ?? "write one of these")
    default: return .success(.string(text))
    }
  }

  /// The number in a text with a decimal comma or a unit, such as `12,50€`; nil for other texts.
  private static func number(in text: String) -> String? {
    let digits = text.replacing(",", with: ".").split { !"+-.0123456789".contains($0) }
    guard digits.count == 1, let number = digits.first, Double(number) != nil else { return nil }
    return String(number)
  }

  /// Returns a text as a shared thing: a URL if it is one.
  private static func shared(_ text: String) -> Value {
    let url = try? WebURL(pasted: text.trimmingSpaces)
    let field = url.map { ("url", Value.string($0.text)) } ?? ("text", .string(text))
    return SharedValue.make(MapValue([field])) ?? .null
  }
}

/// Canonical forms of URLs, used to find duplicates.
package enum CanonicalURL {
  /// Returns the canonical form of a URL; other text is returned unchanged.
  package static func text(of text: String) -> String {
    (try? WebURL(stored: text))?.canonical ?? text
  }

  /// Whether a stored text is a web URL.
  package static func exists(of text: String) -> Bool { (try? WebURL(stored: text)) != nil }
}

extension ValueConstraints {
  /// Returns the problem with an invalid value, as a sentence; nil if it is valid.
  package func complaint(about value: Value) -> String? {
    switch value {
    case .int, .double: problem(with: value).map { "\(value.text) \($0)" }
    case .duration(let length):
      problem(with: value).map { "\(DurationText.text(for: length)) \($0)" }
    case .string(let text):
      complaint(ofLength: text.unicodeScalars.count, "characters")
        ?? problem(withText: text).map { "“\(text.shortened)” \($0)" }
    case .list(let values): complaint(ofLength: values.count, "values")
    default: nil
    }
  }

  private func complaint(ofLength length: Int, _ what: String) -> String? {
    if let least = minLength, length < least {
      return least == 1
        ? "it must not be empty" : "at least \(least) \(what) are required, not \(length)"
    }
    return maxLength.flatMap { most in
      length > most ? "at most \(most) \(what) are allowed, not \(length)" : nil
    }
  }
}

extension DataType {
  /// Whether a list may have the type.
  var takesList: Bool {
    switch unwrapped {
    case .list, .any: true
    default: false
    }
  }

  /// The type in a message: `a whole number`, `text or nothing`.
  package var wording: String {
    switch self {
    case .enumeration(let values): "one of \(values.joined(separator: ", "))"
    case .optional(let wrapped): "\(wrapped.wording) or nothing"
    case .list, .map, .record: description
    default: facts?.noun ?? "a \(description)"
    }
  }
}

extension Scalar {
  /// The value of an untyped scalar: by YAML's core schema if plain, else its text (YAML 1.2.2
  /// §10.3.2).
  package var coreValue: Value {
    guard style == .plain else { return .string(text) }
    if isNull { return .null }
    switch text {
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    if let int = Int64(text), text.first != "+" { return .int(int) }
    if let first = text.utf8.first, first == UInt8(ascii: "-") || (0x30...0x39).contains(first),
      text.contains(where: { $0 == "." || $0 == "e" || $0 == "E" }), let double = Double(text),
      double.isFinite
    {
      return .double(double)
    }
    return .string(text)
  }
}

extension String {
  /// The text without leading and trailing white space.
  package var trimmingSpaces: String { trimmed }

  /// The text for a message, truncated if long.
  package var shortened: String { count > 80 ? prefix(80) + "…" : self }

  /// The text quoted as one word of a shell command line.
  package var quotedForShell: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x40...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-_./:,+%".utf8.contains(byte)
      }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }

  /// A parameter's name as a flag: `createdAt` becomes `created-at`.
  package var flagName: String {
    var bytes: [UInt8] = []
    // Names are ASCII.
    for byte in utf8 {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if isUpper { bytes.append(UInt8(ascii: "-")) }
      bytes.append(isUpper ? byte | 0x20 : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
