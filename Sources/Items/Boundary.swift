package import CEL

/// A place where values from outside come in, and are made to fit a declared type (language §2).
///
/// The walk through lists, maps and optional types is the same at each; how a text is read, where
/// items are found, and the words for what does not fit are the boundary's own.
package protocol Boundary {
  /// Whether a value stands for none where none may stand.
  func isNothing(_ value: Value) -> Bool

  /// What a text means as a type that is no list, no map and no entity.
  func value(of text: String, as type: DataType, named name: String) throws -> Value

  /// The start of the day of a moment.
  func start(ofDayOf moment: Timestamp) -> Timestamp

  /// What one value means where a list is wanted; nil when it means none.
  func elements(of value: Value, as element: DataType) -> [Value]?

  /// The item that a value stands for; nil leaves it out.
  ///
  /// - Parameter canBeLeftOut: whether what wants it can do without it.
  func item(
    _ value: Value, of entity: String, named name: String, canBeLeftOut: Bool
  ) throws -> Item?

  /// The error for a value that does not fit a type.
  func misfit(_ value: Value, _ type: DataType, named name: String) -> any Error
}

extension Boundary {
  /// The value as the type wants it; nil when it is an item that is left out.
  ///
  /// - Parameters:
  ///   - name: what wants the value, for errors.
  ///   - canBeLeftOut: whether an item that is not there may be left out.
  /// - Throws: the boundary's errors.
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
      (.timestamp, .timestamp), (.duration, .duration):
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
    case (.refined(let type), .int), (.refined(let type), .double):
      if let refined = type.value(of: value) { return refined }
    case (.map, _): break
    case (_, .string(let text)): return try self.value(of: text, as: type, named: name)
    default: break
    }
    throw misfit(value, type, named: name)
  }
}
