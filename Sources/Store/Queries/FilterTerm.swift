import CEL

/// A piece of SQL that stands for an expression, with what is known of its values.
struct FilterTerm {
  /// What the values are, in the terms of CEL.
  enum Kind: Hashable {
    case int, double, string, bool, timestamp, duration
    /// A day as text, which in CEL is the timestamp of its midnight.
    case date
    /// The number of an item of the entity.
    case reference(String)
  }

  /// What NULL means.
  enum Nulls {
    /// It does not occur.
    case never
    /// The value null.
    case value
    /// The failure of an operation that met null.
    case failure
  }

  /// An element that an indexed list must have for a condition to hold.
  struct ListElement {
    let property: String
    let value: SQLValue
  }

  var sql: SQL
  var kind: Kind
  var nulls: Nulls
  /// What must stand in indexed lists wherever the condition holds.
  var elements: [ListElement] = []

  init(_ sql: SQL, _ kind: Kind, nulls: Nulls = .never) {
    self.sql = sql
    self.kind = kind
    self.nulls = nulls
  }

  /// Joins what NULL means for operations that fail when any operand is null.
  static func failing(_ operands: FilterTerm...) -> Nulls {
    for operand in operands {
      if case .never = operand.nulls { continue }
      return .failure
    }
    return .never
  }
}
