package import CEL

/// The fields that every item has beside its properties, in the order in which they are told.
package enum SystemField: String, CaseIterable, Sendable {
  case id, ref, uid, entity, createdAt, updatedAt, isNew, isSaved

  /// The field of a name; nil when it is none.
  ///
  /// `init(rawValue:)` would make a table of all names first, for one that is looked up often.
  package static func named(_ name: String) -> SystemField? {
    switch name {
    case "id": .id
    case "ref": .ref
    case "uid": .uid
    case "entity": .entity
    case "createdAt": .createdAt
    case "updatedAt": .updatedAt
    case "isNew": .isNew
    case "isSaved": .isSaved
    default: nil
    }
  }

  /// The type as expressions know it; null stands where an item is not stored.
  package var type: CELType {
    switch self {
    case .id: .nullable(.int)
    case .ref, .uid: .nullable(.string)
    case .entity: .string
    case .createdAt, .updatedAt: .nullable(.timestamp)
    case .isNew: .nullable(.bool)
    case .isSaved: .bool
    }
  }

  /// Those that stand before an item's properties where it is written out.
  package static let leading: [SystemField] = [.entity, .id, .ref, .uid]
  /// Those that stand after them.
  package static let trailing: [SystemField] = [.createdAt, .updatedAt]
}
