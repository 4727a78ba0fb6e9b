internal import CEL

/// The only message type in cases without protocol buffers.
final class RequiredMessage: ObjectValue {
  /// The type with its single field.
  static let type = ObjectType(
    "cel.expr.conformance.proto2.TestRequired", fields: [("required_int32", .int)]
  ) { fields in RequiredMessage(fields) }

  private let fields: MapValue

  /// Creates a message from field values.
  init(_ fields: MapValue) {
    self.fields = fields
  }

  var typeName: String { Self.type.name }
  var fieldNames: [String] { Self.type.fields.map(\.name) }
  func field(_ name: String) -> Value? { fields[name] }
  func hasField(_ name: String) -> Bool { fields[name] != nil }

  func isEqual(to other: any ObjectValue) -> Bool {
    (other as? RequiredMessage)?.fields == fields
  }
}
