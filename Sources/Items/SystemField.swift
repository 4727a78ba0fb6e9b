package import CEL

/// The fields that every item has beside its properties, in the order in which they are told.
package enum SystemField: String, CaseIterable, Sendable {
  case id, ref, uid, entity, createdAt, updatedAt, isNew, isSaved

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
