package import CEL

/// The fields that every item has besides its properties, in display order.
package enum SystemField: String, CaseIterable, Sendable {
  case id, ref, uid, entity, createdAt, updatedAt, isNew, isSaved

  /// The field with this name; nil if there is none.
  package static func named(_ name: String) -> SystemField? {
    allCases.first { $0.rawValue == name }
  }

  /// The type in expressions; nullable if unsaved items lack the value.
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

  /// The fields written before an item's properties.
  package static let leading: [SystemField] = [.entity, .id, .ref, .uid]
  /// The fields written after them.
  package static let trailing: [SystemField] = [.createdAt, .updatedAt]
}
