/// A map that keeps the order in which its keys came.
///
/// Keys are found by CEL's equality, so that `1`, `1u` and `1.0` are one key. Small maps are
/// searched in line; larger ones carry an index.
package struct MapValue: Sendable {
  /// The entries in order.
  package private(set) var entries: [(key: Value, value: Value)] = []
  /// The position of each key, kept once the map is too large to search in line.
  private var positions: [Value: Int]?

  private static let inlineLimit = 8

  /// Makes an empty map.
  package init() {}

  /// A map with text keys, such as a record; a key given twice keeps its last value.
  package init(_ fields: some Sequence<(String, Value)>) {
    entries.reserveCapacity(fields.underestimatedCount)
    for (key, value) in fields { self[.string(key)] = value }
  }

  /// A map of entries; a key given twice keeps its last value.
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
  /// - Complexity: O(1), and O(n) to remove.
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

  /// The value of a text key.
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
  /// Whether both have the same keys with equal values, in whatever order.
  package static func == (left: MapValue, right: MapValue) -> Bool {
    left.count == right.count
      && left.entries.allSatisfy { entry in
        right[entry.key].map { $0 == entry.value } ?? false
      }
  }

  /// Hashes the entries without regard to their order.
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
