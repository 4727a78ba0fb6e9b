import CEL

/// Functions that reduce or group lists.
enum AggregateFunctions {
  private static let item = CELType.parameter("T")
  private static let list = CELType.list(.parameter("T"))

  /// All but `groupBy` and `reduce`, which evaluate an expression per element.
  static let table = [
    // The sum of an empty list is the zero of the element type; 0 if that is unknown.
    FunctionRow("sum") { name in
      [
        (CELType.int, Value.int(0)), (.double, .double(0)), (.uint, .uint(0)),
        (.duration, .duration(DurationValue(seconds: 0))), (.dyn, .int(0)),
      ].map { element, zero in
        Function(name, .method, [.list(element)], returns: element) {
          (items: [Value]) throws(EvaluationError) in try sum(items, zero)
        }
      }
    },
    FunctionRow("avg") { name in
      [
        (CELType.int, CELType.double), (.double, .double), (.uint, .double),
        (.duration, .duration), (.dyn, .dyn),
      ].map { element, result in
        Function(name, .method, [.list(element)], returns: result.orNull, average)
          .nullOnlyWhenEmpty()
      }
    },
    FunctionRow("min") {
      choosing($0) { (items) throws(EvaluationError) in try extreme(items) { $0 < 0 } }
    },
    FunctionRow("max") {
      choosing($0) { (items) throws(EvaluationError) in try extreme(items) { $0 > 0 } }
    },
    FunctionRow("first") { choosing($0) { $0.first ?? .null } },
    FunctionRow("last") { choosing($0) { $0.last ?? .null } },
  ]

  /// A function that selects an element of a list; null for an empty one.
  private static func choosing(
    _ name: String, _ choice: @escaping @Sendable ([Value]) throws(EvaluationError) -> Value
  ) -> Function {
    Function(name, .method, [list], returns: .nullable(item), choice).nullOnlyWhenEmpty()
  }

  /// `list.reduce(sum, x, sum + x)`: folds a list, starting with its first element.
  static let reduce = Iteration(
    "reduce", on: list, variables: [item, item], expression: item, returns: item
  ) { value, each throws(EvaluationError) in
    guard case .list(let items) = value, var result = items.first else {
      throw EvaluationError(
        "reduce needs a first element, but the list is empty; add one in front, as in "
          + "([0] + list).reduce(sum, x, sum + x)")
    }
    for item in items.dropFirst() { result = try each([result, item]) }
    return result
  }

  /// `list.groupBy(x, key)`: a map from each key to its elements, in order.
  static let groupBy = Iteration(
    "groupBy", on: list, variables: [item], expression: .parameter("K"),
    returns: .map(.parameter("K"), list)
  ) { value, each throws(EvaluationError) in
    guard case .list(let items) = value else { return value }
    var positions: [Value: Int] = [:]
    var groups: [(key: Value, items: [Value])] = []
    for item in items {
      let key = try each([item])
      switch key {
      case .string, .int, .uint, .bool: break
      default:
        throw EvaluationError(
          "groupBy needs a key that is text, a whole number or a bool, not \(kind(of: key)); "
            + "`coalesce` gives null a name")
      }
      if let position = positions[key] {
        groups[position].items.append(item)
      } else {
        positions[key] = groups.count
        groups.append((key, [item]))
      }
    }
    return .map(MapValue(entries: groups.map { ($0.key, .list($0.items)) }))
  }

  /// The sum of ints, doubles or durations; ints mixed with doubles give a double.
  private static func sum(_ items: [Value], _ zero: Value = .int(0)) throws(EvaluationError)
    -> Value
  {
    var total = zero
    if case .duration? = items.first { total = .duration(DurationValue(seconds: 0)) }
    if case .uint? = items.first { total = .uint(0) }
    for item in items {
      let sum: Value?
      switch (total, item) {
      case (.int(let one), .int(let other)): sum = checked(one.addingReportingOverflow(other))
      case (.uint(let one), .uint(let other)): sum = checked(one.addingReportingOverflow(other))
      case (.duration(let one), .duration(let other)): sum = one.adding(other).map(Value.duration)
      case (.int, .double), (.double, .int), (.double, .double):
        sum = .double(try number(total) + number(item))
      default: throw notSummable(item)
      }
      guard let sum else { throw EvaluationError("the sum is out of range", code: .overflow) }
      total = sum
    }
    return total
  }

  private static func checked<Number: ValueConvertible>(
    _ sum: (partialValue: Number, overflow: Bool)
  ) -> Value? {
    // A plain `nil` would be the value null.
    sum.overflow ? Value?.none : sum.partialValue.value
  }

  private static func number(_ value: Value) throws(EvaluationError) -> Double {
    switch value {
    case .int(let number): return Double(number)
    case .uint(let number): return Double(number)
    case .double(let number): return number
    default: throw notSummable(value)
    }
  }

  /// The mean of numbers (a double) or of durations; null for an empty list.
  private static func average(_ items: [Value]) throws(EvaluationError) -> Value {
    guard let first = items.first else { return .null }
    if case .duration = first, case .duration(let total) = try sum(items) {
      let nanoseconds = total.totalNanoseconds ?? 0
      return .duration(DurationValue(totalNanoseconds: nanoseconds / Int64(items.count)))
    }
    var total = 0.0
    for item in items { total += try number(item) }
    return .double(total / Double(items.count))
  }

  private static func extreme(
    _ items: [Value], _ isBetter: (Int) -> Bool
  ) throws(EvaluationError) -> Value {
    guard var best = items.first else { return .null }
    for item in items {
      guard let order = item.compare(best) else {
        throw EvaluationError(
          "cannot compare \(kind(of: item)) with \(kind(of: best))", code: code(of: item))
      }
      if isBetter(order) { best = item }
    }
    return best
  }

  private static func notSummable(_ value: Value) -> EvaluationError {
    var help: String?
    if case .string = value { help = "convert each text first, with `int(…)` or `double(…)`" }
    return EvaluationError("cannot add up \(kind(of: value))", code: code(of: value), help: help)
  }

  private static func code(of value: Value) -> EvaluationError.Code {
    if case .null = value { return .nullOperand }
    return .noMatchingOverload
  }

  private static func kind(of value: Value) -> String {
    if case .object(let object) = value { return object.typeName }
    return value.kindName
  }
}

/// Functions on maps.
enum MapFunctions {
  private static let map = CELType.map(.parameter("K"), .parameter("V"))

  static let table = [
    FunctionRow("keys") {
      Function($0, .method, [map], returns: .list(.parameter("K"))) { (map: MapValue) in
        map.entries.map(\.key)
      }
    },
    FunctionRow("values") {
      Function($0, .method, [map], returns: .list(.parameter("V"))) { (map: MapValue) in
        map.entries.map(\.value)
      }
    },
    FunctionRow("merge") {
      Function($0, .method, [map, map], returns: map) { (first: MapValue, second: MapValue) in
        var merged = first
        for entry in second.entries { merged[entry.key] = entry.value }
        return merged
      }
    },
  ]
}

/// Functions that shuffle lists and truncate texts.
enum MixingFunctions {
  static let table = [
    FunctionRow(in: "shuffled") { name, context in
      Function(
        name, .method, [.list(.parameter("T"))], returns: .list(.parameter("T")), isPure: false
      ) { (items: [Value]) in
        var items = items
        // Fisher–Yates shuffle (Durstenfeld). The modulo bias of 64 bits is below 10^-12 for any
        // list that fits in memory.
        for last in items.indices.dropFirst().reversed() {
          let bits = context.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
          items.swapAt(last, Int(bits % UInt64(last + 1)))
        }
        return items
      }
    },
    FunctionRow("truncate") {
      Function($0, .method) { (text: String, length: Int64) throws(EvaluationError) in
        guard length >= 1 else {
          throw EvaluationError("a text cannot be shorter than 1 character")
        }
        return text.count <= Int(clamping: length)
          ? text : String(text.prefix(Int(clamping: length) - 1)) + "…"
      }
    },
  ]
}
