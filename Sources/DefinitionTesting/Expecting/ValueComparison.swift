import CEL
import Engine
import Exchange
import Items
import JSON
import Program
import YAML

/// Compares literals of a test with values of a run.
struct ValueComparison {
  private let run: Run

  init(_ run: Run) { self.run = run }

  /// The texts that match a value: for an item its title, its `text/plain` and its reference.
  func texts(of value: Value) -> [String] {
    switch value {
    case .string(let text): [text]
    case .null: []
    case .timestamp(let moment): [moment.jsonText, run.renderer.text(of: value)]
    case .object(let object):
      if let record = object as? Record {
        [record.line]
      } else {
        [run.renderer.text(of: value), run.renderer.plainText(of: value)]
          + ((object as? Item)?.reference.map { [$0.description] } ?? [])
      }
    default: [run.renderer.text(of: value)]
    }
  }

  /// Whether a scalar of a test matches a value.
  func isEqual(_ scalar: Scalar, _ value: Value) -> Bool {
    switch value {
    case .null: return scalar.isNull
    case .bool, .int, .uint, .double: return scalar.coreValue == value
    case .timestamp(let moment):
      let reader = DateReader(now: run.host.now(), clock: run.host.clock)
      return reader.timestamp(scalar.text) == moment
    case .duration(let length): return DurationReader.duration(scalar.text) == length
    case .list, .map: return false
    default: return !scalar.isNull && texts(of: value).contains(scalar.text)
    }
  }

  /// Number of elements, entries or characters of a value; nil for other types.
  func size(of value: Value) -> Int? {
    switch value {
    case .string(let text): text.unicodeScalars.count
    case .bytes(let bytes): bytes.count
    case .list(let values): values.count
    case .map(let map): map.count
    default: nil
    }
  }
}

/// Formats values for comparison.
enum ValueText {
  /// Maximum length of a displayed value, in characters.
  private static let limit = 400
  /// Number of characters shown before the first difference of two long texts.
  private static let context = 24

  /// A value on one line.
  static func text(of value: Value) -> String { cut(wholeText(of: value)) }

  /// A value on one line, and whether it was cut.
  static func cutText(of value: Value) -> (text: String, isCut: Bool) {
    let whole = wholeText(of: value)
    let text = cut(whole)
    return (text, text.utf8.count != whole.utf8.count)
  }

  /// A value on one line, in full.
  static func wholeText(of value: Value) -> String {
    let json = ItemJSON(day: { String($0.jsonText.prefix(10)) })
    return (try? json.text(of: value)) ?? value.text
  }

  /// A node of a test on one line.
  static func text(of node: Node) -> String {
    node.scalar.map { text(of: $0.coreValue) } ?? text(of: node.plainValue)
  }

  /// Excerpts of two texts around their first difference.
  static func difference(_ expected: String, _ actual: String) -> (String, String) {
    let common = zip(expected, actual).prefix { $0 == $1 }.count
    guard common > 2 * context, max(expected.count, actual.count) > 80 else {
      return (text(of: .string(expected)), text(of: .string(actual)))
    }
    func excerpt(_ text: String) -> String {
      "…" + Self.text(of: .string(String(text.dropFirst(common - context))))
    }
    return (excerpt(expected), excerpt(actual))
  }

  private static func cut(_ text: String) -> String {
    text.count > limit ? text.prefix(limit) + "…" : text
  }
}
