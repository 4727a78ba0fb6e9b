package import CEL
import Links
import Synchronization

/// The secrets that a run has come to know, which nothing that it shows may hold.
///
/// They are taken out plain, in base64 and percent-encoded, wherever they stand in a text.
package final class KnownSecrets: Sendable {
  private let state = Mutex(State())
  private let hasAny = Atomic<Bool>(false)

  private struct State {
    var texts: Set<String> = []
    var byName: [String: Secret] = [:]
    /// What is taken out, the longest first.
    var patterns: [[UInt8]] = []
  }

  /// A shorter text stands in too many others by chance to be taken out of them.
  package static let shortest = 4
  /// The shortest line of a secret of several lines that is taken out by itself.
  private static let shortestLine = 8

  package init() {}

  /// Whether there is any secret.
  package var isUsed: Bool { hasAny.load(ordering: .acquiring) }

  /// The secret of a name, which is read the first time only.
  package func secret(
    _ name: String, read: () throws(EvaluationError) -> String
  ) throws(EvaluationError) -> Secret {
    if let known = state.withLock({ $0.byName[name] }) { return known }
    let secret = Secret(try read(), parts: [.named(name)])
    add(secret.text)
    state.withLock { $0.byName[name] = secret }
    return secret
  }

  /// Comes to know a secret.
  package func add(_ text: String) {
    hasAny.store(true, ordering: .releasing)
    state.withLock { state in
      guard state.texts.insert(text).inserted else { return }
      let patterns = Set(state.patterns).union(Self.patterns(of: text))
      state.patterns = patterns.sorted { $0.count > $1.count }
    }
  }

  /// The text without secrets.
  package func masked(_ text: String) -> String {
    guard isUsed else { return text }
    let bytes = Array(text.utf8)
    let result = masked(bytes)
    return result.count == bytes.count && result == bytes
      ? text : String(decoding: result, as: UTF8.self)
  }

  /// The bytes of a text without secrets.
  package func masked(_ bytes: [UInt8]) -> [UInt8] {
    let patterns = state.withLock { $0.patterns }
    var result = bytes
    for pattern in patterns where result.count >= pattern.count {
      result = Self.replacing(pattern, in: result)
    }
    return result
  }

  /// The value without secrets in its texts.
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

  // MARK: The forms of a secret

  /// Every form in which a text may turn up in another.
  static func patterns(of text: String) -> Set<[UInt8]> {
    guard text.utf8.count >= shortest else { return [] }
    var forms: Set<String> = [text, escaped(text), WebURL.encode(text)]
    forms.insert(lowercasingEscapes(WebURL.encode(text)))
    forms.insert(WebURL.encode(text).replacing("%20", with: "+"))
    for line in text.split(whereSeparator: \.isNewline) where line.utf8.count >= shortestLine {
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

  /// The digits that bytes have in base64 wherever they begin in a group of three; those that
  /// depend on what stands around them are left out (RFC 4648 §4).
  private static func base64Core(of bytes: [UInt8], offset: Int) -> String {
    let digits = Array(Base64.encode([UInt8](repeating: 0, count: offset) + bytes).utf8)
    let start = (offset * 8 + 5) / 6
    let end = (offset + bytes.count) * 8 / 6
    return String(decoding: digits[start..<max(start, end)], as: UTF8.self)
  }

  /// As it stands in JSON (RFC 8259 §7).
  private static func escaped(_ text: String) -> String {
    let json = (try? DataFormat.jsonText(.string(text))) ?? text
    return json.count >= 2 ? String(json.dropFirst().dropLast()) : json
  }

  /// `%2F` as `%2f`.
  private static func lowercasingEscapes(_ text: String) -> String {
    var left = 0
    return String(
      text.map { character in
        if character == "%" {
          left = 2
          return character
        }
        guard left > 0 else { return character }
        left -= 1
        return Character(character.lowercased())
      })
  }
}
