/// The pairs of scalars that each template needs, which exclude most templates quickly.
package struct PhraseIndex: Sendable {
  /// The first set of each template, and the end.
  private var firstSets: [UInt32] = [0]
  /// The first pair of each set, and the end.
  private var firstPairs: [UInt32] = [0]
  /// Hashes of pairs, set by set.
  private var pairs: [UInt32] = []

  /// The maximum number of sets of a template.
  private static let limit = 8

  package init() {}

  /// Adds a template by its sets of pairs; a sentence must contain at least one pair of each set.
  mutating func add(_ needs: [[UInt64]]) {
    for set in needs.sorted(by: { $0.count < $1.count }).prefix(Self.limit) {
      pairs += set.map(Self.hash)
      firstPairs.append(UInt32(pairs.count))
    }
    firstSets.append(UInt32(firstPairs.count - 1))
  }

  private static func hash(_ pair: UInt64) -> UInt32 {
    UInt32(truncatingIfNeeded: (pair &* 0x9E37_79B9_7F4A_7C15) >> 32)
  }

  /// The templates that sentences with some pairs may match, in order.
  func candidates(for sentence: Set<UInt64>) -> [Int] {
    var filter = [UInt64](repeating: 0, count: 256)
    for pair in sentence {
      let hash = Self.hash(pair)
      filter[Int(hash >> 6 & 255)] |= 1 << UInt64(hash & 63)
    }
    var found: [Int] = []
    filter.withUnsafeBufferPointer { filter in
      pairs.withUnsafeBufferPointer { pairs in
        for template in 0..<(firstSets.count - 1) {
          var isPossible = true
          for set in firstSets[template]..<firstSets[template + 1] where isPossible {
            var hasOne = false
            for index in firstPairs[Int(set)]..<firstPairs[Int(set) + 1] {
              let hash = pairs[Int(index)]
              if filter[Int(hash >> 6 & 255)] & 1 << UInt64(hash & 63) != 0 {
                hasOne = true
                break
              }
            }
            isPossible = hasOne
          }
          if isPossible { found.append(template) }
        }
      }
    }
    return found
  }

  // MARK: Storage

  /// The numbers as bytes, for a file.
  package var bytes: [UInt8] {
    var bytes: [UInt8] = []
    for array in [firstSets, firstPairs, pairs] {
      for number in [UInt32(array.count)] + array {
        withUnsafeBytes(of: number.littleEndian) { bytes += $0 }
      }
    }
    return bytes
  }

  /// Parses an index of a number of templates; nil for invalid bytes.
  package init?(_ bytes: ArraySlice<UInt8>, templates: Int) {
    var rest = bytes
    func number() -> UInt32? {
      guard rest.count >= 4 else { return nil }
      let value = rest.prefix(4).reversed().reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      rest = rest.dropFirst(4)
      return value
    }
    func array() -> [UInt32]? {
      guard let count = number(), rest.count / 4 >= Int(count) else { return nil }
      let part = rest.prefix(Int(count) * 4)
      rest = rest.dropFirst(Int(count) * 4)
      return part.withUnsafeBytes { bytes in
        (0..<Int(count)).map {
          UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 4, as: UInt32.self))
        }
      }
    }
    guard let sets = array(), let starts = array(), let pairs = array() else { return nil }
    func ascends(_ array: [UInt32], to last: Int) -> Bool {
      array.first == 0 && array.last == UInt32(last) && zip(array, array.dropFirst()).allSatisfy(<=)
    }
    guard rest.isEmpty, sets.count == templates + 1, !starts.isEmpty,
      ascends(sets, to: starts.count - 1), ascends(starts, to: pairs.count)
    else { return nil }
    (firstSets, firstPairs, self.pairs) = (sets, starts, pairs)
  }
}
