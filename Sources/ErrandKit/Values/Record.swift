package import CEL

/// A type usable as a field value of a record.
package protocol FieldValue {
  /// The field value; null for none.
  var fieldValue: Value { get }
}

/// An ordered list of fields, for machine-readable output.
package struct Record: ExpressibleByDictionaryLiteral {
  package let fields: [(String, CEL.Value)]

  package init(dictionaryLiteral fields: (String, any FieldValue)...) {
    self.fields = fields.map { ($0, $1.fieldValue) }
  }

  /// Creates a record from fields with dynamic names.
  package init(_ fields: [(String, CEL.Value)]) { self.fields = fields }
}

extension Value: FieldValue {
  package var fieldValue: Value { self }

  /// A map of the fields of the given records, in order.
  package static func record(_ records: Record...) -> Value {
    .map(MapValue(records.flatMap(\.fields)))
  }
}

extension String: FieldValue { package var fieldValue: Value { .string(self) } }
extension Bool: FieldValue { package var fieldValue: Value { .bool(self) } }
extension Int: FieldValue { package var fieldValue: Value { .int(Int64(self)) } }
extension Int32: FieldValue { package var fieldValue: Value { .int(Int64(self)) } }
extension Int64: FieldValue { package var fieldValue: Value { .int(self) } }
extension Double: FieldValue { package var fieldValue: Value { .double(self) } }
extension Timestamp: FieldValue { package var fieldValue: Value { .timestamp(self) } }
extension Optional: FieldValue where Wrapped: FieldValue {
  package var fieldValue: Value { self?.fieldValue ?? .null }
}

extension Array: FieldValue where Element: FieldValue {
  package var fieldValue: Value { .list(map(\.fieldValue)) }
}
