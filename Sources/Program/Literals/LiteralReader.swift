package import CEL
package import Catalog
package import Items
import Links
import Source
package import YAML

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
    case .refined(let type):
      if let value = type.value(of: .string(text)) { return .success(value) }
      return .failure(
        LiteralProblem(
          "“\(text.shortened)” isn't \(type.noun)\(type.purpose)",
          help: "write it as \(type.examples)"))
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

/// The text by which two URLs are known to be the same.
package enum CanonicalURL {
  /// The canonical form of a URL; text that is none stands for itself.
  package static func text(of text: String) -> String {
    (try? WebURL(stored: text))?.canonical ?? text
  }

  /// Whether a text that is stored is a URL of the web.
  package static func exists(of text: String) -> Bool { (try? WebURL(stored: text)) != nil }
}

extension ParameterDefinition.Constraints {
  /// Why a value is outside of the limits for numbers and lengths; nil when it is within.
  package func problem(of value: Value) -> String? {
    switch value {
    case .int(let int): problem(of: Double(int), shown: value.text)
    case .double(let double): problem(of: double, shown: value.text)
    case .string(let text): problem(ofLength: text.unicodeScalars.count, "characters")
    case .list(let values): problem(ofLength: values.count, "values")
    default: nil
    }
  }

  private func problem(of number: Double, shown text: String) -> String? {
    guard number < min ?? -.infinity || number > max ?? .infinity else { return nil }
    func plain(_ number: Double) -> String { Value.double(number).text }
    return switch (min, max) {
    case (let least?, let most?): "\(text) is not from \(plain(least)) to \(plain(most))"
    case (let least?, nil): "\(text) is not at least \(plain(least))"
    case (nil, let most?): "\(text) is not at most \(plain(most))"
    case (nil, nil): nil
    }
  }

  private func problem(ofLength length: Int, _ what: String) -> String? {
    if let least = minLength, length < least {
      return least == 1
        ? "it must not be empty" : "at least \(least) \(what) are wanted, not \(length)"
    }
    if let most = maxLength, length > most {
      return "at most \(most) \(what) are wanted, not \(length)"
    }
    return nil
  }
}

extension DataType {
  /// Whether a list may be a value of the type.
  var takesList: Bool {
    switch unwrapped {
    case .list, .any: true
    default: false
    }
  }

  /// The type in a sentence: `a whole number`, `text or nothing`.
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
  /// The value of a scalar where nothing is declared: by YAML's core schema when it is plain, else
  /// its text (YAML 1.2.2 §10.3.2).
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
  /// The text without white space at its ends.
  package var trimmingSpaces: String { trimmed }

  /// The text for a message: its beginning, when it is long.
  package var shortened: String { count > 80 ? prefix(80) + "…" : self }

  /// The text as one word of a shell's command line.
  package var quotedForShell: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x40...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-_./:,+%".utf8.contains(byte)
      }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }

  /// A parameter's name as a flag: `createdAt` is `created-at`.
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
