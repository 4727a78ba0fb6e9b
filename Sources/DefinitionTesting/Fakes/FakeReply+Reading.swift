package import CEL
import Catalog
import Engine
import JSON
import Program
package import YAML

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
