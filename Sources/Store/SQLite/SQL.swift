/// A piece of SQL with its bindings, in the order of their `?`.
///
/// A value in an interpolation is always bound; names are quoted; only `raw:` enters as text.
package struct SQL: Sendable, Hashable, ExpressibleByStringInterpolation {
  package private(set) var text: String
  package private(set) var bindings: [SQLValue]

  package init(stringLiteral value: String) {
    text = value
    bindings = []
  }

  package init(stringInterpolation: StringInterpolation) {
    text = stringInterpolation.text
    bindings = stringInterpolation.bindings
  }

  /// Appends another piece.
  package mutating func append(_ other: SQL) {
    text += other.text
    bindings += other.bindings
  }

  /// The pieces with a separator between them.
  package static func joined(_ pieces: [SQL], separator: String) -> SQL {
    var result: SQL = ""
    for (index, piece) in pieces.enumerated() {
      if index > 0 { result.text += separator }
      result.append(piece)
    }
    return result
  }

  /// Quoted names, separated by commas.
  package static func names(_ names: [String]) -> SQL {
    "\(raw: names.map(quoted).joined(separator: ", "))"
  }

  /// The text of an INSERT statement with a parameter per column.
  package static func insertion(
    into table: String, _ columns: [String], orIgnore: Bool = false
  ) -> String {
    let marks = columns.map { _ in "?" }.joined(separator: ", ")
    return "INSERT \(orIgnore ? "OR IGNORE " : "")INTO \(quoted(table)) (\(names(columns).text)) "
      + "VALUES (\(marks))"
  }

  /// Bound values, separated by commas.
  static func values(_ values: [SQLValue]) -> SQL {
    joined(values.map { "\($0)" }, separator: ", ")
  }

  /// An identifier in double quotes.
  package static func quoted(_ name: String) -> String {
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
    return "\""
      + name.split(separator: "\"", omittingEmptySubsequences: false)
      .joined(separator: "\"\"") + "\""
  }

  /// Collects the text and the bindings of an interpolation.
  package struct StringInterpolation: StringInterpolationProtocol {
    var text = ""
    var bindings: [SQLValue] = []

    package init(literalCapacity: Int, interpolationCount: Int) {
      text.reserveCapacity(literalCapacity + 8 * interpolationCount)
    }

    package mutating func appendLiteral(_ literal: String) { text += literal }

    /// Binds a value.
    package mutating func appendInterpolation(_ value: SQLValue) {
      text += "?"
      bindings.append(value)
    }

    /// Quotes a name.
    package mutating func appendInterpolation(name: String) { text += SQL.quoted(name) }

    /// Inserts another piece with its bindings.
    package mutating func appendInterpolation(_ piece: SQL) {
      text += piece.text
      bindings += piece.bindings
    }

    /// Inserts raw text, which must never come from a user.
    package mutating func appendInterpolation(raw: String) { text += raw }
  }
}

/// A value bound to a statement or read from a column.
package enum SQLValue: Hashable, Sendable {
  case null
  case int(Int64)
  case double(Double)
  case text(String)
  case blob([UInt8])

  /// A text, or NULL for nil.
  package static func optional(_ text: String?) -> SQLValue { text.map(SQLValue.text) ?? .null }
}
