/// A value bound to a statement or read from a column.
package enum SQLValue: Hashable, Sendable {
  case null
  case int(Int64)
  case double(Double)
  case text(String)
  case blob([UInt8])
}
