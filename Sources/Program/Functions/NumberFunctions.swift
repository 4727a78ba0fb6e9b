import CEL
import Glibc

/// Functions on numbers: powers, logarithms, angles, statistics, and numbers as text.
enum NumberFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow("pow") { name in
      [(CELType.double, CELType.double), (.int, .int), (.double, .int), (.int, .double)].map {
        Function(name, .global, [$0, $1]) { (base: Value, exponent: Value) in
          Glibc.pow(ShortcutFunctions.number(of: base), ShortcutFunctions.number(of: exponent))
        }
      }
    },
    FunctionRow("exp") { Function($0) { (x: Double) in Glibc.exp(x) } },
    FunctionRow("ln") { Function($0) { (x: Double) in Glibc.log(x) } },
    FunctionRow("log10") { Function($0) { (x: Double) in Glibc.log10(x) } },
    FunctionRow("cbrt") { Function($0) { (x: Double) in cubeRoot(x) } },
    FunctionRow("sin") { Function($0) { (x: Double) in Glibc.sin(x) } },
    FunctionRow("cos") { Function($0) { (x: Double) in Glibc.cos(x) } },
    FunctionRow("tan") { Function($0) { (x: Double) in Glibc.tan(x) } },
    FunctionRow("factorial") {
      Function($0, isPure: false) { (x: Double) throws(EvaluationError) in
        guard x >= 0, x == x.rounded(), x <= 170 else {
          throw EvaluationError(
            "the factorial of \(x) is not defined; a whole number up to 170 is needed")
        }
        return x < 2 ? 1.0 : (2...Int(x)).reduce(1.0) { $0 * Double($1) }
      }
    },
    FunctionRow("divide") {
      Function($0, isPure: false) { (x: Double, y: Double) throws(EvaluationError) in
        guard y != 0 else { throw EvaluationError("\(x) cannot be divided by 0") }
        return x / y
      }
    },
    FunctionRow("modulo") {
      Function($0, isPure: false) { (x: Double, y: Double) throws(EvaluationError) in
        guard y != 0 else { throw EvaluationError("\(x) has no remainder of a division by 0") }
        return Glibc.fmod(x, y)
      }
    },
    FunctionRow("calculate") {
      Function($0, isPure: false) { (text: String) throws(EvaluationError) in
        var sum = Calculation(text)
        return try sum.result()
      }
    },
    statistic("median") { numbers in
      let sorted = numbers.sorted()
      let middle = sorted.count / 2
      return sorted.count % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2
    },
    statistic("mode") { numbers in
      var counts: [Double: Int] = [:]
      for number in numbers { counts[number, default: 0] += 1 }
      // The first of those that are as frequent.
      let most = counts.values.max() ?? 0
      return numbers.first { counts[$0] == most } ?? 0
    },
    statistic("spread") { numbers in (numbers.max() ?? 0) - (numbers.min() ?? 0) },
    statistic("deviation") { numbers in
      guard numbers.count > 1 else { return 0 }
      let mean = numbers.reduce(0, +) / Double(numbers.count)
      let squares = numbers.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
      return (squares / Double(numbers.count - 1)).squareRoot()
    },
    FunctionRow(in: "monthsBetween") { name, context in
      Function(name) { (start: Timestamp, end: Timestamp) in
        months(from: context.clock.time(at: start), to: context.clock.time(at: end))
      }
    },
    FunctionRow("formatNumber") { name in
      [CELType.double, .int].map {
        Function(name, .global, [$0, .int]) { (number: Value, places: Int64) in
          grouped(
            ShortcutFunctions.number(of: number), places: Int(min(max(places, 0), 15)))
        }
      }
    },
    FunctionRow("formatSize") { name in
      [CELType.double, .int].map {
        Function(name, .global, [$0]) { (bytes: Value) in
          size(ShortcutFunctions.number(of: bytes))
        }
      }
    },
    FunctionRow("convertUnit") {
      Function($0) { (quantity: String, unit: String) throws(EvaluationError) in
        try Units.converted(quantity, to: unit)
      }
    },
    FunctionRow("naturalSort") {
      Function($0, .global, [.list(.parameter("T"))], returns: .list(.parameter("T"))) {
        (items: [Value]) in
        items.map { (key: NaturalKey(ShortcutFunctions.text(of: $0)), value: $0) }
          .sorted { $0.key < $1.key }.map(\.value)
      }
    },
  ]

  private static func statistic(
    _ name: String, _ body: @escaping @Sendable ([Double]) -> Double
  ) -> FunctionRow {
    FunctionRow(name) {
      Function($0, .method, [.list(.dyn)], returns: .dyn) { (items: [Value]) -> Value in
        let numbers = items.map { ShortcutFunctions.number(of: $0) }
        return numbers.isEmpty ? .null : .double(body(numbers))
      }
    }
  }

  /// The cube root: exact for cubes of whole numbers.
  static func cubeRoot(_ x: Double) -> Double {
    let root = Glibc.cbrt(x)
    let whole = root.rounded()
    return whole * whole * whole == x ? whole : root
  }

  /// The whole months from one local time to another, negative backwards.
  static func months(from start: CivilTime, to end: CivilTime) -> Int64 {
    if end < start { return -months(from: end, to: start) }
    var count = (end.date.year - start.date.year) * 12 + end.date.month - start.date.month
    if (end.date.day, end.secondOfDay) < (start.date.day, start.secondOfDay) { count -= 1 }
    return Int64(count)
  }

  /// A number with a fixed fraction, and commas between thousands.
  static func grouped(_ number: Double, places: Int) -> String {
    guard number.isFinite, number.magnitude < 1e18 else { return "\(number)" }
    var buffer = [CChar](repeating: 0, count: 64)
    // A half is rounded away from zero as it is written in decimal.
    let nudged = number + (number < 0 ? -1 : 1) * number.magnitude * 1e-15
    let count = withVaList([Int32(places), nudged]) { vsnprintf(&buffer, buffer.count, "%.*f", $0) }
    let text = String(
      decoding: buffer.prefix(Int(max(0, count))).map { UInt8(bitPattern: $0) }, as: UTF8.self)
    let parts = text.split(separator: ".")
    var whole = String(parts.first ?? "0")
    let sign = whole.hasPrefix("-") ? String(whole.removeFirst()) : ""
    var result = ""
    for (index, digit) in whole.enumerated() {
      if index > 0, (whole.count - index) % 3 == 0 { result += "," }
      result.append(digit)
    }
    return sign + result + (parts.count > 1 ? "." + parts[1] : "")
  }

  /// A size in bytes as text, in powers of 1,000.
  static func size(_ bytes: Double) -> String {
    let units = ["KB", "MB", "GB", "TB", "PB"]
    guard bytes.magnitude >= 1_000 else {
      return bytes == 1 ? "1 byte" : "\(Int64(clamping: Int(bytes.isFinite ? bytes : 0))) bytes"
    }
    var value = bytes / 1_000
    var unit = 0
    while value.magnitude >= 999.5, unit < units.count - 1 {
      value /= 1_000
      unit += 1
    }
    var text = grouped(value, places: unit == 0 ? 0 : unit == 1 ? 1 : 2)
    while text.contains("."), text.hasSuffix("0") || text.hasSuffix(".") { text.removeLast() }
    return "\(text) \(units[unit])"
  }
}

/// A text in parts, so that numbers in it compare by value and letters without regard to case.
struct NaturalKey: Comparable {
  private enum Part: Equatable {
    case number(Double)
    case text(String)
  }

  private let parts: [Part]
  private let whole: String

  init(_ text: String) {
    whole = text
    var parts: [Part] = []
    var rest = text.lowercased()[...]
    while !rest.isEmpty {
      let digits = rest.prefix { $0.isASCII && $0.isNumber }
      if !digits.isEmpty {
        parts.append(.number(Double(digits) ?? 0))
        rest = rest[digits.endIndex...]
      } else {
        let letters = rest.prefix { !($0.isASCII && $0.isNumber) }
        parts.append(.text(String(letters)))
        rest = rest[letters.endIndex...]
      }
    }
    self.parts = parts
  }

  static func < (first: NaturalKey, second: NaturalKey) -> Bool {
    for (a, b) in zip(first.parts, second.parts) where a != b {
      return switch (a, b) {
      case (.number(let a), .number(let b)): a < b
      case (.text(let a), .text(let b)): a < b
      case (.number, .text): true
      case (.text, .number): false
      }
    }
    if first.parts.count != second.parts.count { return first.parts.count < second.parts.count }
    return first.whole < second.whole
  }
}
