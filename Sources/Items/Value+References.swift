package import CEL

extension Value {
  /// The value with items replaced by references such as `link:42`, for short text.
  package var withReferences: Value {
    switch self {
    case .object(let object):
      guard let item = object as? Item else { return self }
      return .string(item.reference?.description ?? item.entity)
    case .list(let values): return .list(values.map(\.withReferences))
    case .map(let map):
      return .map(MapValue(entries: map.entries.map { ($0.key, $0.value.withReferences) }))
    default: return self
    }
  }
}
