import Store

extension PropertyType {
  /// The entity that its values refer to, alone or in a list or a map; nil for other values.
  var referredEntity: String? {
    switch self {
    case .entity(let name): name
    case .list(let element), .map(let element): element.referredEntity
    default: nil
    }
  }

  /// Whether its values are items of an entity, alone or in a list or a map.
  var refersToItems: Bool { referredEntity != nil }
}
