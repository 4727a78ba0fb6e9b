package import ErrandKit

/// Parts of messages.
extension JSONValue {
  /// The truth value; nil if this is not one.
  var bool: Bool? {
    if case .bool(let bool) = self { bool } else { nil }
  }

  /// The number; nil if this is not one.
  var number: Double? {
    switch self {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  /// The members; nil if this is not an object.
  var members: [String: JSONValue]? {
    if case .object(let members) = self { members } else { nil }
  }

  /// The id of a request; nil if this cannot be one.
  package var requestID: JSONValue? { string != nil ? self : int.map(JSONValue.int) }

  /// An object without the members that have no value.
  static func members(_ members: KeyValuePairs<String, JSONValue?>) -> JSONValue {
    .object(
      Dictionary(
        members.compactMap { name, value in value.map { (name, $0) } }, uniquingKeysWith: { $1 }))
  }

  /// The value without the members of that name, at any depth.
  func without(_ name: String) -> JSONValue {
    switch self {
    case .array(let elements): .array(elements.map { $0.without(name) })
    case .object(let members):
      .object(members.filter { $0.key != name }.mapValues { $0.without(name) })
    default: self
    }
  }

  /// Whether a member has that name, at any depth.
  func mentions(_ name: String) -> Bool {
    switch self {
    case .array(let elements): elements.contains { $0.mentions(name) }
    case .object(let members):
      members[name] != nil || members.values.contains { $0.mentions(name) }
    default: false
    }
  }
}
