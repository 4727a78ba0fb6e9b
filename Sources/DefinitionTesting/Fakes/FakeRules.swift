package import CEL
import Catalog
import Engine
import JSON
import Program
package import YAML

/// The rules of a fake: choose replies and count uses.
struct FakeRules {
  private let rules: [(pattern: FakePattern, rule: FakeRule)]
  /// Number of uses of each rule.
  private var uses: [Int]

  init(_ rules: [FakeRule]) {
    self.rules = rules.map { (FakePattern($0.pattern.text), $0) }
    uses = rules.map { _ in 0 }
  }

  /// The patterns that nothing matched.
  var unused: [String] { zip(rules, uses).filter { $1 == 0 }.map { $0.0.rule.pattern.text } }

  /// The next reply for a subject with one of these names; nil when no rule matches.
  ///
  /// If several rules match, the most specific one applies, then the first.
  mutating func take(_ names: [String]) -> FakeReply? {
    let fitting = rules.indices.filter { index in
      names.contains { rules[index].pattern.matches($0) } && !rules[index].rule.replies.isEmpty
    }
    guard
      let index = fitting.max(by: { rules[$0].pattern.weight < rules[$1].pattern.weight })
    else { return nil }
    let replies = rules[index].rule.replies
    defer { uses[index] += 1 }
    return replies[min(uses[index], replies.count - 1)]
  }
}

/// A pattern in which `*` matches any text, including none.
struct FakePattern {
  private let parts: [[UInt8]]

  init(_ text: String) {
    parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// Number of literal characters; the most specific match wins.
  var weight: Int { parts.reduce(0) { $0 + $1.count } }

  /// Whether a text matches.
  ///
  /// - Complexity: O(text × pattern).
  func matches(_ text: String) -> Bool {
    let bytes = Array(text.utf8)
    guard let first = parts.first, let last = parts.last, parts.count > 1 else {
      return parts.first.map { $0 == bytes } ?? bytes.isEmpty
    }
    guard bytes.count >= first.count + last.count, bytes.starts(with: first),
      bytes.suffix(last.count).elementsEqual(last)
    else { return false }
    var rest = bytes[first.count..<(bytes.count - last.count)]
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let found = rest.firstRange(of: part) else { return false }
      rest = rest[found.upperBound...]
    }
    return true
  }
}

/// Values of a reply.
extension FakeReply {
  /// The delay.
  var delay: Duration {
    self["delay"]?.scalar.flatMap { DurationReader.duration($0.text)?.totalNanoseconds }
      .map(Duration.nanoseconds) ?? .zero
  }

  /// Throws the error of `fail`, if any.
  func throwFailure(of what: String) throws {
    guard let code = self["fail"]?.scalar?.text else { return }
    throw RunError(
      RunError.Code(code), self["message"]?.scalar?.text ?? "\(what) fails in this test")
  }

  /// The bytes of `base64`, or of the text.
  ///
  /// - Throws: `invalid-value` if it is not Base64.
  func bytes(_ key: String) throws -> [UInt8] {
    guard let given = self["base64"]?.scalar?.text else { return Array(try text(key).utf8) }
    guard let bytes = Base64.decode(given.filter { !$0.isWhitespace && $0 != "=" }) else {
      throw RunError(.invalidValue, "`base64` is not Base64: “\(given.shortened)”", at: span)
    }
    return bytes
  }

  /// The text of the key, `json` or `lines`; empty for none.
  func text(_ key: String) throws -> String {
    if let scalar = self[key]?.scalar { return scalar.isNull ? "" : scalar.text }
    if let node = self["json"] { return try JSONWriter().text(of: node.plainValue) }
    guard let lines = self["lines"]?.sequence else { return "" }
    return lines.map { ($0.scalar?.text ?? "") + "\n" }.joined()
  }

  /// An integer; nil when missing.
  func number(_ key: String) -> Int? { self[key]?.scalar.flatMap { Int($0.text) } }
}

extension Node {
  /// The plain value by YAML's core schema.
  package var plainValue: Value {
    switch content {
    case .scalar(let scalar): scalar.coreValue
    case .sequence(let nodes): .list(nodes.map(\.plainValue))
    case .mapping(let mapping): .map(MapValue(mapping.plainFields))
    }
  }
}

extension Mapping {
  /// The plain values by key.
  var plainFields: [(String, Value)] { entries.map { ($0.key.text, $0.value.plainValue) } }
}
