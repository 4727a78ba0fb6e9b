import CEL

/// Something that happened in a test, as expectations see it; they name the fields that count.
final class Record: ObjectValue {
  let typeName: String
  /// The text that stands for it where an expectation is text.
  let line: String
  private let fields: MapValue

  init(_ typeName: String, line: String, _ fields: [(String, Value)]) {
    self.typeName = typeName
    self.line = line
    self.fields = MapValue(fields)
  }

  var fieldNames: [String] { fields.entries.map(\.key.text) }

  func field(_ name: String) -> Value? { fields[name] }

  func hasField(_ name: String) -> Bool { !(fields[name] ?? .null).isNull }

  func isEqual(to other: any ObjectValue) -> Bool {
    (other as? Record).map { $0.fields == fields } ?? false
  }
}
