import CEL
import Engine
import Items
import JSON
import Program
import YAML

/// Compares what is written in a test with values of a run.
struct ValueComparison {
  private let run: Run

  init(_ run: Run) {
    self.run = run
  }

  /// The texts that stand for a value: for an item its title, its `text/plain` and its reference.
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

  /// Whether a scalar of a test stands for a value.
  func isEqual(_ scalar: Scalar, _ value: Value) -> Bool {
    switch value {
    case .null: return scalar.isNull
    case .bool, .int, .uint, .double: return scalar.coreValue == value
    case .timestamp(let moment):
      let reader = DateReader(now: run.host.now(), clock: run.host.clock)
      return reader.timestamp(scalar.text) == moment
    case .duration(let length): return DurationReader.duration(scalar.text) == length
    case .list, .map: return false
    default:
      return !scalar.isNull && texts(of: value).contains(scalar.text)
    }
  }

  /// How many elements, entries or characters a value has; nil when it has none.
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
