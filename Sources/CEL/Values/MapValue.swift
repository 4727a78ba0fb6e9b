/// A map that preserves insertion order.
///
/// Keys are compared by CEL's equality, so `1`, `1u` and `1.0` are the same key. Small maps are searched linearly;
/// larger ones have an index.
package struct MapValue: Sendable {
  /// The entries in insertion order.
  package private(set) var entries: [(key: Value, value: Value)] = []
  /// The index of each key, once the map is too large for a linear search.
  private var positions: [Value: Int]?

  private static let inlineLimit = 8

  /// Creates an empty map.
  package init() {}

  /// Creates a map with string keys, such as a record; the last value of a duplicate key wins.
  package init(_ fields: some Sequence<(String, Value)>) {
    self.init(entries: fields.lazy.map { (.string($0), $1) })
  }

  /// Creates a map from entries; the last value of a duplicate key wins.
  package init(entries fields: some Sequence<(Value, Value)>) {
    entries.reserveCapacity(fields.underestimatedCount)
    for (key, value) in fields { self[key] = value }
  }

  /// The number of entries.
  package var count: Int { entries.count }

  /// Whether it has no entries.
  package var isEmpty: Bool { entries.isEmpty }

  /// The value of a key; assigning nil removes the key.
  ///
  /// - Complexity: O(1); O(n) for removal.
  package subscript(key: Value) -> Value? {
    get { index(of: key).map { entries[$0].value } }
    set {
      switch (index(of: key), newValue) {
      case (let index?, let value?): entries[index].value = value
      case (let index?, nil):
        entries.remove(at: index)
        positions = nil
        indexWhenLarge()
      case (nil, let value?):
        entries.append((key, value))
        if positions != nil {
          positions?[key] = entries.count - 1
        } else {
          indexWhenLarge()
        }
      case (nil, nil): break
      }
    }
  }

  /// The value of a string key.
  package subscript(name: String) -> Value? {
    get {
      if positions != nil { return self[.string(name)] }
      return entries.withUnsafeBufferPointer { entries in
        for index in entries.indices {
          if case .string(let key) = entries[index].key, key.hasSameCodePoints(as: name) {
            return entries[index].value
          }
        }
        return nil
      }
    }
    set { self[.string(name)] = newValue }
  }

  private func index(of key: Value) -> Int? {
    if let positions { return positions[key] }
    return entries.firstIndex { $0.key == key }
  }

  private mutating func indexWhenLarge() {
    guard entries.count > Self.inlineLimit else { return }
    var made: [Value: Int] = [:]
    made.reserveCapacity(entries.count * 2)
    for (position, entry) in entries.enumerated() { made[entry.key] = position }
    positions = made
  }
}

extension MapValue: Hashable {
  /// Returns whether both have the same keys with equal values, in any order.
  package static func == (left: MapValue, right: MapValue) -> Bool {
    left.count == right.count
      && left.entries.allSatisfy { entry in
        right[entry.key].map { $0 == entry.value } ?? false
      }
  }

  /// Hashes the entries independently of their order.
  package func hash(into hasher: inout Hasher) {
    var sum = 0
    for entry in entries {
      var one = Hasher()
      one.combine(entry.key)
      one.combine(entry.value)
      sum &+= one.finalize()
    }
    hasher.combine(sum)
  }
}
