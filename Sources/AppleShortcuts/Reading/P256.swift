/// ECDSA signatures on the curve P-256 (FIPS 186-4, SEC 1 §4.1.4). It only verifies public data, so
/// it need not run in constant time.
enum P256 {
  /// Whether a signature is valid.
  ///
  /// - Parameters:
  ///   - digest: The SHA-256 of the message.
  ///   - signature: Two integers in DER.
  ///   - key: An uncompressed point: 4, and its coordinates.
  static func isValid(digest: [UInt8], signature: [UInt8], key: [UInt8]) -> Bool {
    guard digest.count == 32, key.count == 65, key[0] == 4,
      let parts = DERValue(signature)?.children, parts.count >= 2,
      let r = Number(integer: parts[0].content), let s = Number(integer: parts[1].content),
      let x = Number(Array(key[1..<33])), let y = Number(Array(key[33...])),
      let e = Number(digest)
    else { return false }
    let field = Modulus(Number(limbs: prime))
    let scalars = Modulus(Number(limbs: order))
    guard !r.isZero, !s.isZero, r < scalars.modulus, s < scalars.modulus, x < field.modulus,
      y < field.modulus
    else { return false }
    let curve = Curve(field: field)
    let point = Curve.Point(x: field.inside(x), y: field.inside(y), z: field.one)
    guard curve.contains(point) else { return false }
    let inverse = scalars.inverse(scalars.inside(s))
    let u = scalars.outside(scalars.product(scalars.inside(scalars.reduced(e)), inverse))
    let v = scalars.outside(scalars.product(scalars.inside(r), inverse))
    let base = Curve.Point(
      x: field.inside(Number(limbs: baseX)), y: field.inside(Number(limbs: baseY)), z: field.one)
    let sum = curve.sum(u, of: base, v, of: point)
    guard !sum.z.isZero else { return false }
    let z = field.inverse(sum.z)
    return scalars.reduced(field.outside(field.product(sum.x, field.product(z, z)))) == r
  }

  // The parameters of the curve, the lowest 64 bits first (SEC 2 §2.4.2).
  private static let prime: [UInt64] = [.max, 0xFFFF_FFFF, 0, 0xFFFF_FFFF_0000_0001]
  private static let order: [UInt64] = [
    0xF3B9_CAC2_FC63_2551, 0xBCE6_FAAD_A717_9E84, .max, 0xFFFF_FFFF_0000_0000,
  ]
  private static let baseX: [UInt64] = [
    0xF4A1_3945_D898_C296, 0x7703_7D81_2DEB_33A0, 0xF8BC_E6E5_63A4_40F2, 0x6B17_D1F2_E12C_4247,
  ]
  private static let baseY: [UInt64] = [
    0xCBB6_4068_37BF_51F5, 0x2BCE_3357_6B31_5ECE, 0x8EE7_EB4A_7C0F_9E16, 0x4FE3_42E2_FE1A_7F9B,
  ]
  fileprivate static let constant: [UInt64] = [
    0x3BCE_3C3E_27D2_604B, 0x651D_06B0_CC53_B0F6, 0xB3EB_BD55_7698_86BC, 0x5AC6_35D8_AA3A_93E7,
  ]

  /// A number of 256 bits, the lowest limb first.
  struct Number: Equatable {
    var limbs: [UInt64]

    init(limbs: [UInt64]) { self.limbs = limbs }

    /// Creates a number from 32 bytes, the highest first.
    init?(_ bytes: [UInt8]) {
      guard bytes.count == 32 else { return nil }
      limbs = (0..<4).map { limb in
        (0..<8).reduce(UInt64(0)) { $0 << 8 | UInt64(bytes[(3 - limb) * 8 + $1]) }
      }
    }

    /// Creates a number from the content of an integer in DER, which is not negative.
    init?(integer: [UInt8]) {
      let bytes = Array(integer.drop { $0 == 0 })
      guard bytes.count <= 32, integer.first.map({ $0 < 0x80 }) ?? false else { return nil }
      self.init([UInt8](repeating: 0, count: 32 - bytes.count) + bytes)
    }

    var isZero: Bool { limbs == [0, 0, 0, 0] }

    func bit(_ index: Int) -> Bool { limbs[index / 64] >> UInt64(index % 64) & 1 == 1 }

    static func < (first: Number, second: Number) -> Bool {
      for index in (0..<4).reversed() where first.limbs[index] != second.limbs[index] {
        return first.limbs[index] < second.limbs[index]
      }
      return false
    }

    /// The difference, and whether it is below zero.
    func subtracting(_ other: Number) -> (Number, Bool) {
      combined(with: other) { $0.subtractingReportingOverflow($1) }
    }

    /// The sum, and whether it exceeds 256 bits.
    func adding(_ other: Number) -> (Number, Bool) {
      combined(with: other) { $0.addingReportingOverflow($1) }
    }

    /// Applies an operation limb by limb, and again to the carry of the previous limb.
    @inline(__always)
    private func combined(
      with other: Number, _ operation: (UInt64, UInt64) -> (partialValue: UInt64, overflow: Bool)
    ) -> (Number, Bool) {
      var result = self
      var carry: UInt64 = 0
      for index in 0..<4 {
        let first = operation(limbs[index], other.limbs[index])
        let second = operation(first.partialValue, carry)
        result.limbs[index] = second.partialValue
        carry = first.overflow || second.overflow ? 1 : 0
      }
      return (result, carry == 1)
    }
  }

  /// Arithmetic modulo a prime, in Montgomery form.
  struct Modulus {
    let modulus: Number
    /// The number 1 in this form.
    let one: Number
    private let square: Number
    private let negated: UInt64

    init(_ modulus: Number) {
      self.modulus = modulus
      // Newton's iteration doubles the number of correct bits of the inverse.
      var inverse: UInt64 = 1
      for _ in 0..<6 { inverse = inverse &* (2 &- modulus.limbs[0] &* inverse) }
      negated = 0 &- inverse
      var power = Number(limbs: [1, 0, 0, 0])
      var first = power
      for step in 0..<512 {
        power = Self.sum(power, power, modulus)
        if step == 255 { first = power }
      }
      one = first
      square = power
    }

    private static func sum(_ a: Number, _ b: Number, _ modulus: Number) -> Number {
      let (sum, carry) = a.adding(b)
      let (reduced, borrow) = sum.subtracting(modulus)
      return carry || !borrow ? reduced : sum
    }

    func sum(_ a: Number, _ b: Number) -> Number { Self.sum(a, b, modulus) }

    func difference(_ a: Number, _ b: Number) -> Number {
      let (result, borrow) = a.subtracting(b)
      return borrow ? result.adding(modulus).0 : result
    }

    func reduced(_ a: Number) -> Number {
      let (result, borrow) = a.subtracting(modulus)
      return borrow ? a : result
    }

    func product(_ a: Number, _ b: Number) -> Number {
      var total: [UInt64] = [0, 0, 0, 0, 0, 0]
      func add(_ factor: UInt64, _ number: Number) {
        var carry: UInt64 = 0
        for index in 0..<4 {
          let (high, low) = factor.multipliedFullWidth(by: number.limbs[index])
          let (first, one) = low.addingReportingOverflow(total[index])
          let (second, two) = first.addingReportingOverflow(carry)
          total[index] = second
          carry = high &+ (one ? 1 : 0) &+ (two ? 1 : 0)
        }
        let (sum, over) = total[4].addingReportingOverflow(carry)
        total[4] = sum
        total[5] &+= over ? 1 : 0
      }
      for index in 0..<4 {
        add(b.limbs[index], a)
        add(total[0] &* negated, modulus)
        total = Array(total[1...]) + [0]
      }
      let result = Number(limbs: Array(total[..<4]))
      let (less, borrow) = result.subtracting(modulus)
      return total[4] > 0 || !borrow ? less : result
    }

    func inside(_ a: Number) -> Number { product(a, square) }
    func outside(_ a: Number) -> Number { product(a, Number(limbs: [1, 0, 0, 0])) }

    /// The inverse, by Fermat's little theorem.
    func inverse(_ a: Number) -> Number {
      let exponent = modulus.subtracting(Number(limbs: [2, 0, 0, 0])).0
      var result = one
      for bit in (0..<256).reversed() {
        result = product(result, result)
        if exponent.bit(bit) { result = product(result, a) }
      }
      return result
    }
  }

  /// The curve y² = x³ − 3x + b, in Jacobian coordinates.
  struct Curve {
    struct Point {
      var x: Number
      var y: Number
      var z: Number
    }

    let field: Modulus

    func contains(_ point: Point) -> Bool {
      let x = point.x
      let cube = field.product(field.product(x, x), x)
      let linear = field.sum(field.sum(x, x), x)
      let right = field.sum(
        field.difference(cube, linear), field.inside(Number(limbs: P256.constant)))
      return field.product(point.y, point.y) == right
    }

    func double(_ p: Point) -> Point {
      if p.z.isZero { return p }
      let f = field
      let delta = f.product(p.z, p.z)
      let gamma = f.product(p.y, p.y)
      let beta = f.product(p.x, gamma)
      let part = f.product(f.difference(p.x, delta), f.sum(p.x, delta))
      let alpha = f.sum(f.sum(part, part), part)
      let twice = f.sum(beta, beta)
      let four = f.sum(twice, twice)
      let x = f.difference(f.product(alpha, alpha), f.sum(four, four))
      let yz = f.sum(p.y, p.z)
      let z = f.difference(f.difference(f.product(yz, yz), gamma), delta)
      let square = f.product(gamma, gamma)
      let two = f.sum(square, square)
      let eight = f.sum(f.sum(two, two), f.sum(two, two))
      return Point(x: x, y: f.difference(f.product(alpha, f.difference(four, x)), eight), z: z)
    }

    func add(_ p: Point, _ q: Point) -> Point {
      if p.z.isZero { return q }
      if q.z.isZero { return p }
      let f = field
      let (pz, qz) = (f.product(p.z, p.z), f.product(q.z, q.z))
      let (u, v) = (f.product(p.x, qz), f.product(q.x, pz))
      let (s, t) = (f.product(f.product(p.y, q.z), qz), f.product(f.product(q.y, p.z), pz))
      let (h, r) = (f.difference(v, u), f.difference(t, s))
      if h.isZero {
        return r.isZero ? double(p) : Point(x: f.one, y: f.one, z: Number(limbs: [0, 0, 0, 0]))
      }
      let square = f.product(h, h)
      let cube = f.product(h, square)
      let mixed = f.product(u, square)
      let x = f.difference(f.difference(f.product(r, r), cube), f.sum(mixed, mixed))
      let y = f.difference(f.product(r, f.difference(mixed, x)), f.product(s, cube))
      return Point(x: x, y: y, z: f.product(h, f.product(p.z, q.z)))
    }

    /// u times a point and v times another.
    func sum(_ u: Number, of p: Point, _ v: Number, of q: Point) -> Point {
      let both = add(p, q)
      var result = Point(x: field.one, y: field.one, z: Number(limbs: [0, 0, 0, 0]))
      for bit in (0..<256).reversed() {
        result = double(result)
        switch (u.bit(bit), v.bit(bit)) {
        case (true, true): result = add(result, both)
        case (true, false): result = add(result, p)
        case (false, true): result = add(result, q)
        case (false, false): break
        }
      }
      return result
    }
  }
}
