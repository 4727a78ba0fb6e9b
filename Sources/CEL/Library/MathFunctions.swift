/// The math extension.
enum MathFunctions: FunctionLibrary {
  static let names = [
    "math.greatest", "math.least", "math.ceil", "math.floor", "math.round", "math.trunc",
    "math.abs", "math.sign", "math.sqrt", "math.isInf", "math.isNaN", "math.isFinite",
    "math.bitAnd", "math.bitOr", "math.bitXor", "math.bitNot", "math.bitShiftLeft",
    "math.bitShiftRight",
  ]

  static func overloads(of name: String) -> [Function]? {
    guard name.utf8.starts(with: "math.".utf8) else { return nil }
    return switch name {
    case "math.greatest": extreme(name) { $0 > 0 }
    case "math.least": extreme(name) { $0 < 0 }
    case "math.ceil": [Function(name) { (x: Double) in x.rounded(.up) }]
    case "math.floor": [Function(name) { (x: Double) in x.rounded(.down) }]
    case "math.round": [Function(name) { (x: Double) in x.rounded(.toNearestOrAwayFromZero) }]
    case "math.trunc": [Function(name) { (x: Double) in x.rounded(.towardZero) }]
    case "math.abs":
      [
        Function(name) { (x: Double) in x.magnitude },
        Function(name) { (x: Int64) throws(EvaluationError) in
          if x == .min { throw EvaluationError(.overflow("int")) }
          return abs(x)
        },
        Function(name) { (x: UInt64) in x },
      ]
    case "math.sign":
      [
        Function(name) { (x: Double) in x.isNaN || x == 0 ? x : x < 0 ? -1.0 : 1.0 },
        Function(name) { (x: Int64) in x.signum() },
        Function(name) { (x: UInt64) in x.signum() },
      ]
    case "math.sqrt":
      [
        Function(name) { (x: Double) in x.squareRoot() },
        Function(name) { (x: Int64) in Double(x).squareRoot() },
        Function(name) { (x: UInt64) in Double(x).squareRoot() },
      ]
    case "math.isInf": [Function(name) { (x: Double) in x.isInfinite }]
    case "math.isNaN": [Function(name) { (x: Double) in x.isNaN }]
    case "math.isFinite": [Function(name) { (x: Double) in x.isFinite }]
    default: bits(name)
    }
  }

  private static func bits(_ name: String) -> [Function]? {
    switch name {
    case "math.bitAnd":
      [
        Function(name) { (a: Int64, b: Int64) in a & b },
        Function(name) { (a: UInt64, b: UInt64) in a & b },
      ]
    case "math.bitOr":
      [
        Function(name) { (a: Int64, b: Int64) in a | b },
        Function(name) { (a: UInt64, b: UInt64) in a | b },
      ]
    case "math.bitXor":
      [
        Function(name) { (a: Int64, b: Int64) in a ^ b },
        Function(name) { (a: UInt64, b: UInt64) in a ^ b },
      ]
    case "math.bitNot":
      [Function(name) { (a: Int64) in ~a }, Function(name) { (a: UInt64) in ~a }]
    case "math.bitShiftLeft": shift(name) { bits, count in bits << count }
    case "math.bitShiftRight": shift(name) { bits, count in bits >> count }
    default: nil
    }
  }

  /// Shifts move bits, not numbers: what comes in is zero, also for a negative int.
  private static func shift(
    _ name: String, _ shift: @escaping @Sendable (UInt64, UInt64) -> UInt64
  ) -> [Function] {
    @Sendable func shifted(_ bits: UInt64, _ count: Int64) throws(EvaluationError) -> UInt64 {
      if count < 0 { throw EvaluationError("can't shift by a negative number: \(count)") }
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

  /// The greatest or least of numbers, given singly or as a list.
  private static func extreme(
    _ name: String, _ isBetter: @escaping @Sendable (Int) -> Bool
  ) -> [Function] {
    @Sendable func best(_ values: [Value]) throws(EvaluationError) -> Value {
      guard var best = values.first else {
        throw EvaluationError("`\(name)` wants at least one number")
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
      Function(name, .global, [type], returns: type) {
        (value: Value) throws(EvaluationError) in value
      }
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
