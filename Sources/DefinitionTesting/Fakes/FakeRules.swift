package import CEL
import Catalog
import Engine
import JSON
import Program
package import YAML

/// The rules of one fake: finds the reply to what was reached, and counts how often.
struct FakeRules {
  private let rules: [(pattern: FakePattern, rule: FakeRule)]
  /// How often each rule was used.
  private var uses: [Int]

  init(_ rules: [FakeRule]) {
    self.rules = rules.map { (FakePattern($0.pattern.text), $0) }
    uses = rules.map { _ in 0 }
  }

  /// The next reply to something that has one of these names; nil when nothing stands for it.
  ///
  /// Of several rules that fit, the one that fixes most of the name counts, then the first.
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

/// A text in which `*` stands for any text, also none.
struct FakePattern {
  private let parts: [[UInt8]]

  init(_ text: String) {
    parts = text.utf8.split(separator: UInt8(ascii: "*"), omittingEmptySubsequences: false)
      .map(Array.init)
  }

  /// How many characters it fixes; of several that fit, the one with the most counts.
  var weight: Int { parts.reduce(0) { $0 + $1.count } }

  /// Whether a text is like it.
  ///
  /// - Complexity: O(text × pattern) at most.
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

/// What the parts of a reply mean.
extension FakeReply {
  /// How long it takes, in nanoseconds.
  var delay: Int64 {
    guard let text = self["delay"]?.scalar?.text, let length = DurationReader.duration(text) else {
      return 0
    }
    return length.totalNanoseconds ?? 0
  }

  /// Throws what `fail` names.
  func throwFailure(of what: String) throws {
    guard let code = self["fail"]?.scalar?.text else { return }
    throw RunError(
      RunError.Code(code), self["message"]?.scalar?.text ?? "\(what) fails in this test")
  }

  /// The text of the key, or that of `json` or `lines`; empty when there is none.
  func text(_ key: String) throws -> String {
    if let scalar = self[key]?.scalar { return scalar.isNull ? "" : scalar.text }
    if let node = self["json"] { return try JSONWriter().text(of: node.plainValue) }
    guard let lines = self["lines"]?.sequence else { return "" }
    return lines.map { ($0.scalar?.text ?? "") + "\n" }.joined()
  }

  /// A whole number; nil when it is not given.
  func number(_ key: String) -> Int? { self[key]?.scalar.flatMap { Int($0.text) } }
}

extension Node {
  /// The value that is written here, by YAML's core schema.
  package var plainValue: Value {
    switch content {
    case .scalar(let scalar): scalar.coreValue
    case .sequence(let nodes): .list(nodes.map(\.plainValue))
    case .mapping(let mapping):
      .map(MapValue(mapping.entries.map { ($0.key.text, $0.value.plainValue) }))
    }
  }
}
