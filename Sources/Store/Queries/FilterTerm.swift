import CEL
import Items

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

  /// The values of one term for which a condition holds.
  struct Choice {
    let subject: SQL
    let kind: Kind
    let nulls: Nulls
    let column: String?
    let values: [SQLValue]
  }

  /// The SQL, which stands as an operand of any operator without more brackets.
  var sql: SQL
  var kind: Kind
  var nulls: Nulls
  /// The name of the column that it is as it stands.
  var column: String?
  /// Between which numbers the values of an int, a moment or a length lie.
  var range: ClosedRange<Int64>
  /// Values of which a row has all wherever the condition holds.
  var required: [Anchor] = []
  /// Values of which a row has at least one wherever the condition holds; empty when none are known.
  var anchors: [Anchor] = []
  /// What the condition says, where it only names values of one term.
  var choice: Choice?
  /// How an index of a property could find the rows for which the condition holds.
  var indexUse = IndexUse.none
  /// The property of that index.
  var indexed: String?
  /// What holds for just those rows for which the condition does not, where an index finds them.
  var exclusion: SQL?
  /// Whether it is the date of creation, or a bound of that, which the index of dates finds.
  var isDate = false

  /// How an index serves a condition.
  enum IndexUse: Comparable {
    case none
    /// By several of its values, in no order of dates.
    case several
    /// By one value, whose rows are in the order of their dates.
    case one
  }

  init(
    _ sql: SQL, _ kind: Kind, nulls: Nulls = .never, range: ClosedRange<Int64>? = nil
  ) {
    self.sql = sql
    self.kind = kind
    self.nulls = nulls
    self.range = range ?? kind.range
  }

  /// Joins what NULL means for operations that fail when any operand is null.
  static func failing(_ operands: FilterTerm...) -> Nulls {
    for operand in operands {
      if case .never = operand.nulls { continue }
      return .failure
    }
    return .never
  }

  /// Whether the condition holds for every row, or for none; nil when that depends on the row.
  var truth: Bool? { sql.text == "1" ? true : sql.text == "0" ? false : nil }

  /// The condition that holds where this one does not.
  var negated: FilterTerm {
    var result = FilterTerm("(NOT \(sql))", .bool, nulls: nulls)
    if indexUse != .none, !mayFail { result.exclusion = sql }
    return result
  }

  /// Whether NULL means a failure.
  var mayFail: Bool { if case .failure = nulls { true } else { false } }
  /// Whether NULL means the value null.
  var mayBeNull: Bool { if case .value = nulls { true } else { false } }
}

extension FilterTerm.Kind {
  /// The moments that CEL knows, in microseconds.
  static let moments = Timestamp.earliest.microseconds...Timestamp.latest.microseconds
  /// The lengths of time that CEL knows, in whole microseconds.
  static let lengths = Int64.min / 1_000...Int64.max / 1_000

  /// Between which numbers the store keeps such values.
  var range: ClosedRange<Int64> {
    switch self {
    case .timestamp: Self.moments
    // The shortest of all was rounded down.
    case .duration: Self.lengths.lowerBound - 1...Self.lengths.upperBound
    default: Int64.min...Int64.max
    }
  }

  /// Between which numbers the result of an operation may lie; beyond them it fails.
  var allowed: ClosedRange<Int64> {
    switch self {
    case .timestamp: Self.moments
    case .duration: Self.lengths
    default: Int64.min...Int64.max
    }
  }
}
