package import CEL
import Links
import Synchronization

/// Functions that return secrets.
enum SecretFunctions {
  /// Rows of the function table. The results are untyped, since a secret is accepted only by some
  /// of the parameters that accept text.
  static let table = [
    FunctionRow(in: "secret") { name, context in
      Function(name, isPure: false) { (name: String) throws(EvaluationError) -> Value in
        let secret = try context.secrets.secret(name) { () throws(EvaluationError) in
          try context.readSecret(name)
        }
        return .object(secret)
      }
    },
    FunctionRow(in: "asSecret") { name, context in
      Function(name, isPure: false) { (value: Value) throws(EvaluationError) -> Value in
        if value.secret != nil { return value }
        guard case .string(let text) = value else {
          throw EvaluationError("asSecret takes text, not \(value.kindName)")
        }
        context.secrets.add(text)
        return .object(Secret(text))
      }
    },
  ]
}

/// Text that is never shown: a separate kind of value, accepted only where secrets are allowed.
package final class Secret: HiddenText, CustomStringConvertible {
  /// Mask displayed instead of the text.
  package static let mark = "•••"

  /// The plain text.
  package let text: String
  /// The parts it was concatenated from, which may be journaled.
  package let parts: [Part]

  /// A part of a secret.
  package enum Part: Sendable {
    /// Public text.
    case plain(String)
    /// A secret with a name.
    case named(String)
    /// A secret without a name.
    case unnamed
  }

  package init(_ text: String, parts: [Part] = [.unnamed]) {
    self.text = text
    self.parts = parts
  }

  package var typeName: String { "secret" }
  package var fieldNames: [String] { [] }
  package var description: String { Self.mark }
  package var shownText: String { Self.mark }

  package func field(_ name: String) -> Value? { nil }

  package func hasField(_ name: String) -> Bool { false }

  // Guessing a secret by comparison must be impossible.
  package func isEqual(to other: any ObjectValue) -> Bool { false }

  package func followed(by other: Value) -> Value? {
    Self.text(of: other).map {
      .object(Secret(text + $0, parts: parts + Self.parts(of: other)))
    }
  }

  package func preceded(by other: Value) -> Value? {
    Self.text(of: other).map {
      .object(Secret($0 + text, parts: Self.parts(of: other) + parts))
    }
  }

  private static func text(of value: Value) -> String? {
    if case .string(let text) = value { text } else { value.secret?.text }
  }

  private static func parts(of value: Value) -> [Part] {
    if case .string(let text) = value { [.plain(text)] } else { value.secret?.parts ?? [] }
  }
}

extension Value {
  /// The secret, if the value is one.
  package var secret: Secret? {
    if case .object(let object) = self { object as? Secret } else { nil }
  }

  /// Whether it is or contains a secret.
  ///
  /// - Complexity: O(parts of the value).
  package var holdsSecret: Bool {
    switch self {
    case .object(let object): object is Secret
    case .list(let values): values.contains(where: \.holdsSecret)
    case .map(let map): map.entries.contains { $0.value.holdsSecret }
    case .optional(let optional): optional.wrapped?.holdsSecret == true
    default: false
    }
  }

  /// The value with all secrets in plain text.
  package var revealed: Value {
    switch self {
    case .object(let object):
      if let secret = object as? Secret { .string(secret.text) } else { self }
    case .list(let values): .list(values.map(\.revealed))
    case .map(let map):
      .map(MapValue(entries: map.entries.map { ($0.key, $0.value.revealed) }))
    case .optional(let optional): optional.wrapped?.revealed ?? .null
    default: self
    }
  }
}

/// The secrets read by a run, which are masked in all its output.
///
/// Their plain, base64 and percent-encoded forms are masked.
package final class KnownSecrets: Sendable {
  private let state = Mutex(State())
  private let hasAny = Atomic<Bool>(false)

  /// The known secrets, guarded by the mutex.
  private struct State {
    var texts: Set<String> = []
    var byName: [String: Secret] = [:]
    /// Byte patterns to mask, longest first.
    var patterns: [[UInt8]] = []
  }

  /// Shorter texts occur by chance in too many others to be masked.
  package static let shortest = 4
  /// Minimum length of a line that is masked on its own, in a secret of several lines.
  private static let minLineLength = 8

  package init() {}

  /// Whether there are any secrets.
  package var isUsed: Bool { hasAny.load(ordering: .acquiring) }

  /// Returns the secret with a name; it is read only once.
  package func secret(
    _ name: String, read: () throws(EvaluationError) -> String
  ) throws(EvaluationError) -> Secret {
    if let known = state.withLock({ $0.byName[name] }) { return known }
    let secret = Secret(try read(), parts: [.named(name)])
    add(secret.text)
    state.withLock { $0.byName[name] = secret }
    return secret
  }

  /// Adds a secret to mask.
  package func add(_ text: String) {
    hasAny.store(true, ordering: .releasing)
    state.withLock { state in
      guard state.texts.insert(text).inserted else { return }
      let patterns = Set(state.patterns).union(Self.patterns(of: text))
      state.patterns = patterns.sorted { $0.count > $1.count }
    }
  }

  /// Masks the secrets in a text.
  package func masked(_ text: String) -> String {
    guard isUsed else { return text }
    let bytes = Array(text.utf8)
    let result = masked(bytes)
    return result.count == bytes.count && result == bytes
      ? text : String(decoding: result, as: UTF8.self)
  }

  /// Masks the secrets in bytes of text.
  package func masked(_ bytes: [UInt8]) -> [UInt8] {
    let patterns = state.withLock { $0.patterns }
    var result = bytes
    for pattern in patterns where result.count >= pattern.count {
      result = Self.replacing(pattern, in: result)
    }
    return result
  }

  /// Masks the secrets in all texts of a value.
  package func masked(_ value: Value) -> Value {
    guard isUsed else { return value }
    switch value {
    case .string(let text): return .string(masked(text))
    case .bytes(let bytes): return .bytes(masked(bytes))
    case .list(let values): return .list(values.map { masked($0) })
    case .map(let map):
      return .map(MapValue(entries: map.entries.map { (masked($0.key), masked($0.value)) }))
    case .optional(let optional): return optional.wrapped.map { masked($0) } ?? value
    default: return value
    }
  }

  private static func replacing(_ pattern: [UInt8], in bytes: [UInt8]) -> [UInt8] {
    guard let first = pattern.first else { return bytes }
    var result: [UInt8]?
    var copied = 0
    var index = bytes.startIndex
    while let start = bytes[index...].firstIndex(of: first), start + pattern.count <= bytes.count {
      guard bytes[start..<(start + pattern.count)].elementsEqual(pattern) else {
        index = start + 1
        continue
      }
      result = (result ?? []) + bytes[copied..<start] + Array(Secret.mark.utf8)
      index = start + pattern.count
      copied = index
    }
    return result.map { $0 + bytes[copied...] } ?? bytes
  }

  // MARK: Encodings of a secret

  /// All encodings of a text that may occur within a longer text.
  static func patterns(of text: String) -> Set<[UInt8]> {
    guard text.utf8.count >= shortest else { return [] }
    var forms: Set<String> = [text, escaped(text), WebURL.encode(text)]
    forms.insert(lowercasingEscapes(WebURL.encode(text)))
    forms.insert(WebURL.encode(text).replacing("%20", with: "+"))
    for line in text.split(whereSeparator: \.isNewline) where line.utf8.count >= minLineLength {
      forms.insert(String(line))
    }
    let bytes = Array(text.utf8)
    for offset in 0..<3 {
      let base64 = base64Core(of: bytes, offset: offset)
      forms.insert(base64)
      forms.insert(base64.replacing("+", with: "-").replacing("/", with: "_"))
      forms.insert(WebURL.encode(base64))
    }
    return Set(forms.map { Array($0.utf8) }.filter { $0.count >= shortest })
  }

  /// The base64 digits of bytes at an offset within a group of three, without digits that depend on
  /// neighbouring bytes (RFC 4648 §4).
  private static func base64Core(of bytes: [UInt8], offset: Int) -> String {
    let digits = Array(Base64.encode([UInt8](repeating: 0, count: offset) + bytes).utf8)
    let start = (offset * 8 + 5) / 6
    let end = (offset + bytes.count) * 8 / 6
    return String(decoding: digits[start..<max(start, end)], as: UTF8.self)
  }

  /// Escapes a text as in JSON (RFC 8259 §7).
  private static func escaped(_ text: String) -> String {
    let json = (try? DataFormat.jsonText(.string(text))) ?? text
    return json.count >= 2 ? String(json.dropFirst().dropLast()) : json
  }

  /// Rewrites `%2F` as `%2f`.
  private static func lowercasingEscapes(_ text: String) -> String {
    let parts = text.split(separator: "%", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { result, part in
      result + "%" + part.prefix(2).lowercased() + part.dropFirst(2)
    }
  }
}
