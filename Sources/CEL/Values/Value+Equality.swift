extension Value: Hashable {
  /// CEL's equality; NaN is not equal to itself.
  package static func == (left: Value, right: Value) -> Bool {
    switch (left, right) {
    case (.null, .null): true
    case (.bool(let a), .bool(let b)): a == b
    case (.int(let a), .int(let b)): a == b
    case (.uint(let a), .uint(let b)): a == b
    case (.double(let a), .double(let b)): a == b
    case (.string(let a), .string(let b)): a.hasSameCodePoints(as: b)
    case (.bytes(let a), .bytes(let b)): a == b
    case (.timestamp(let a), .timestamp(let b)): a == b
    case (.duration(let a), .duration(let b)): a == b
    case (.list(let a), .list(let b)): a == b
    case (.map(let a), .map(let b)): a == b
    case (.type(let a), .type(let b)): a == b
    case (.optional(let a), .optional(let b)): a.wrapped == b.wrapped
    case (.object(let a), .object(let b)): a === b || a.isEqual(to: b)
    default: left.compareNumbers(right) == 0
    }
  }

  /// Hashes consistently with `==`, also for numbers of different types.
  package func hash(into hasher: inout Hasher) {
    switch self {
    case .null: hasher.combine(0 as UInt8)
    case .bool(let value): hasher.combine(value)
    // Numbers that are equal across types are equal as doubles.
    case .int(let value): hasher.combine(Double(value))
    case .uint(let value): hasher.combine(Double(value))
    case .double(let value): hasher.combine(value)
    case .string(let value):
      let hashed: Void? = value.utf8.withContiguousStorageIfAvailable {
        hasher.combine(bytes: UnsafeRawBufferPointer($0))
      }
      if hashed == nil { Array(value.utf8).withUnsafeBytes { hasher.combine(bytes: $0) } }
    case .bytes(let value): hasher.combine(value)
    case .timestamp(let value): hasher.combine(value)
    case .duration(let value): hasher.combine(value)
    case .list(let value): hasher.combine(value)
    case .map(let value): hasher.combine(value)
    case .type(let value): hasher.combine(value)
    case .optional(let value): hasher.combine(value.wrapped)
    // Objects define their own equality, so only the type name is safe to hash.
    case .object(let value): hasher.combine(value.typeName)
    }
  }
}
