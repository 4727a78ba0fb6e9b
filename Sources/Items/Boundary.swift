package import CEL

/// A boundary where values from outside are converted to a declared type (language §2).
///
/// The traversal of lists, maps and optionals is shared; parsing text, finding items and the
/// wording of errors are specific to each boundary.
package protocol Boundary {
  /// Whether a value counts as null for an optional type.
  func isNothing(_ value: Value) -> Bool

  /// Parses text as a type other than a list, map or entity.
  func value(of text: String, as type: DataType, named name: String) throws -> Value

  /// The start of the day of a timestamp.
  func start(ofDayOf moment: Timestamp) -> Timestamp

  /// The elements of a single value where a list is required; nil if it has none.
  func elements(of value: Value, as element: DataType) -> [Value]?

  /// Finds the item that a value identifies; nil omits it.
  ///
  /// - Parameter canBeLeftOut: Whether a missing item may be omitted.
  func item(
    _ value: Value, of entity: String, named name: String, canBeLeftOut: Bool
  ) throws -> Item?

  /// The error for a value that does not match a type.
  func misfit(_ value: Value, _ type: DataType, named name: String) -> any Error
}

extension Boundary {
  /// Converts a value to a type; nil if it is an item that is omitted.
  ///
  /// - Parameters:
  ///   - name: The name of the value's destination, for errors.
  ///   - canBeLeftOut: Whether a missing item may be omitted.
  /// - Throws: The boundary's errors.
  package func fitted(
    _ value: Value, to type: DataType, named name: String, canBeLeftOut: Bool = false
  ) throws -> Value? {
    switch (type, value) {
    case (.any, _): return value
    case (.optional(let wrapped), _):
      if isNothing(value) { return .null }
      return try fitted(value, to: wrapped, named: name, canBeLeftOut: canBeLeftOut)
    case (.entity(let entity), _):
      return try item(value, of: entity, named: name, canBeLeftOut: canBeLeftOut)
        .map { .object($0) }
    case (.string, .string), (.file, .string), (.int, .int), (.double, .double), (.bool, .bool),
      (.timestamp, .timestamp), (.when, .timestamp), (.duration, .duration):
      return value
    case (.double, .int(let int)): return .double(Double(int))
    case (.date, .timestamp(let moment)): return .timestamp(start(ofDayOf: moment))
    case (.list(let element), .list(let values)):
      return .list(
        try values.compactMap {
          try fitted($0, to: element, named: name, canBeLeftOut: true)
        })
    case (.map(let element), .map(let map)):
      return .map(
        MapValue(
          entries: try map.entries.compactMap { entry in
            try fitted(entry.value, to: element, named: name, canBeLeftOut: true)
              .map { (entry.key, $0) }
          }))
    case (.list(let element), _):
      guard let values = elements(of: value, as: element) else { break }
      return try fitted(.list(values), to: type, named: name)
    case (.share, .map(let map)):
      if let shared = SharedValue.make(map) { return shared }
    case (.refined(let type), .int), (.refined(let type), .double), (.refined(let type), .map):
      if let refined = type.value(of: value) { return refined }
    case (.map, _): break
    case (_, .string(let text)): return try self.value(of: text, as: type, named: name)
    default: break
    }
    throw misfit(value, type, named: name)
  }
}
