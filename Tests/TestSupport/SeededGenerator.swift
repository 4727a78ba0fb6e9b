/// A generator that repeats its numbers for the same seed (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator {
  private var state: UInt64

  package init(seed: UInt64) {
    state = seed &* 0x2545_F491_4F6C_DD1D &+ 0x9E37_79B9_7F4A_7C15
  }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// A random element.
  package mutating func pick<Element>(_ values: [Element]) -> Element {
    values[Int(next() % UInt64(values.count))]
  }

  /// True with a probability of 1 in `count`.
  package mutating func chance(oneIn count: UInt64) -> Bool { next() % count == 0 }
}
