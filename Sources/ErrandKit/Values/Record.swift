package import CEL

/// A value that a field of a record can have.
package protocol FieldValue {
  /// It as a value; null where there is none.
  var fieldValue: Value { get }
}

/// Fields with their values in their order, for other programs.
package struct Record: ExpressibleByDictionaryLiteral {
  fileprivate let fields: [(String, CEL.Value)]

  package init(dictionaryLiteral fields: (String, any FieldValue)...) {
    self.fields = fields.map { ($0, $1.fieldValue) }
  }

  /// Fields whose names are not known ahead.
  package init(_ fields: [(String, CEL.Value)]) { self.fields = fields }
}

extension Value: FieldValue {
  package var fieldValue: Value { self }

  /// A map of the fields of some records, one after another.
  package static func record(_ records: Record...) -> Value {
    .map(MapValue(records.flatMap(\.fields)))
  }
}

extension String: FieldValue {
  package var fieldValue: Value { .string(self) }
}

extension Bool: FieldValue {
  package var fieldValue: Value { .bool(self) }
}

extension Int: FieldValue {
  package var fieldValue: Value { .int(Int64(self)) }
}

extension Int32: FieldValue {
  package var fieldValue: Value { .int(Int64(self)) }
}

extension Int64: FieldValue {
  package var fieldValue: Value { .int(self) }
}

extension Double: FieldValue {
  package var fieldValue: Value { .double(self) }
}

extension Timestamp: FieldValue {
  package var fieldValue: Value { .timestamp(self) }
}

extension Optional: FieldValue where Wrapped: FieldValue {
  package var fieldValue: Value { self?.fieldValue ?? .null }
}

extension Array: FieldValue where Element: FieldValue {
  package var fieldValue: Value { .list(map(\.fieldValue)) }
}
