/// The math extension.
enum MathFunctions {
  static let all: [LibraryFunction] = [
    .init("math.greatest") { extreme($0) { $0 > 0 } },
    .init("math.least") { extreme($0) { $0 < 0 } },
    .init("math.ceil") { Function($0) { (x: Double) in x.rounded(.up) } },
    .init("math.floor") { Function($0) { (x: Double) in x.rounded(.down) } },
    .init("math.round") { Function($0) { (x: Double) in x.rounded(.toNearestOrAwayFromZero) } },
    .init("math.trunc") { Function($0) { (x: Double) in x.rounded(.towardZero) } },
    .init("math.abs") {
      Function($0) { (x: Double) in x.magnitude }
      Function($0) { (x: Int64) throws(EvaluationError) in
        if x == .min { throw EvaluationError(.overflow("int")) }
        return abs(x)
      }
      Function($0) { (x: UInt64) in x }
    },
    .init("math.sign") {
      Function($0) { (x: Double) in x.isNaN || x == 0 ? x : x < 0 ? -1.0 : 1.0 }
      Function($0) { (x: Int64) in x.signum() }
      Function($0) { (x: UInt64) in x.signum() }
    },
    .init("math.sqrt") {
      Function($0) { (x: Double) in x.squareRoot() }
      Function($0) { (x: Int64) in Double(x).squareRoot() }
      Function($0) { (x: UInt64) in Double(x).squareRoot() }
    },
    .init("math.isInf") { Function($0) { (x: Double) in x.isInfinite } },
    .init("math.isNaN") { Function($0) { (x: Double) in x.isNaN } },
    .init("math.isFinite") { Function($0) { (x: Double) in x.isFinite } },
    .init("math.bitAnd") {
      Function($0) { (a: Int64, b: Int64) in a & b }
      Function($0) { (a: UInt64, b: UInt64) in a & b }
    },
    .init("math.bitOr") {
      Function($0) { (a: Int64, b: Int64) in a | b }
      Function($0) { (a: UInt64, b: UInt64) in a | b }
    },
    .init("math.bitXor") {
      Function($0) { (a: Int64, b: Int64) in a ^ b }
      Function($0) { (a: UInt64, b: UInt64) in a ^ b }
    },
    .init("math.bitNot") {
      Function($0) { (a: Int64) in ~a }
      Function($0) { (a: UInt64) in ~a }
    },
    .init("math.bitShiftLeft") { shift($0) { bits, count in bits << count } },
    .init("math.bitShiftRight") { shift($0) { bits, count in bits >> count } },
  ]

  /// Returns the overloads of a logical shift: vacated bits are zero, also for a negative int.
  private static func shift(
    _ name: String, _ shift: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> [Function] {
    @Sendable func shifted(_ bits: UInt64, _ count: Int64) throws(EvaluationError) -> UInt64 {
      if count < 0 { throw EvaluationError("cannot shift by a negative number: \(count)") }
      return count >= 64 ? 0 : shift(bits, UInt64(count))
    }
    return [
      Function(name) { (a: Int64, count: Int64) throws(EvaluationError) in
        Int64(bitPattern: try shifted(UInt64(bitPattern: a), count))
      },
      Function(name) { (a: UInt64, count: Int64) throws(EvaluationError) in
        try shifted(a, count)
      },
    ]
  }

  /// Returns the overloads that find the greatest or least of several numbers or of a list.
  private static func extreme(
    _ name: String, _ isBetter: @escaping @Sendable (Int) -> Bool
  ) -> [Function] {
    @Sendable func best(_ values: [Value]) throws(EvaluationError) -> Value {
      guard var best = values.first else {
        throw EvaluationError("`\(name)` needs at least one number")
      }
      for value in values {
        guard value.isNumber else {
          throw EvaluationError(.arguments(name, [value.kindName], signatures: []))
        }
        if let order = value.compareNumbers(best), isBetter(order) { best = value }
      }
      return best
    }
    let numbers: [CELType] = [.int, .uint, .double]
    var functions = numbers.map { type in
      Function(name, .global, [type], returns: type) { (value: Value) in value }
    }
    functions += numbers.map { type in
      Function(name, .global, [.list(type)], returns: type) {
        (list: [Value]) throws(EvaluationError) in try best(list)
      }
    }
    functions += numbers.map { type in
      Function(name, list: [type, type], returns: type, isVariadic: true, best)
    }
    functions.append(
      Function(name, list: [.dyn, .dyn], returns: .dyn, isVariadic: true, best))
    return functions
  }
}

extension Value {
  /// Whether it is an int, a uint or a double.
  var isNumber: Bool {
    switch self {
    case .int, .uint, .double: true
    default: false
    }
  }
}
