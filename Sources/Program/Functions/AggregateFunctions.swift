import CEL

/// Functions that make one value of a list, or groups of it.
enum AggregateFunctions {
  /// Their names.
  static let names = ["sum", "avg", "min", "max", "first", "last"]

  private static let item = CELType.parameter("T")
  private static let list = CELType.list(.parameter("T"))

  /// All of them but `groupBy`, which evaluates an expression for each item.
  static var all: [Function] {
    [
      summing(.int, returns: .int), summing(.double), summing(.uint), summing(.duration),
      summing(.dyn),
      averaging(.int, returns: .double), averaging(.double, returns: .double),
      averaging(.uint, returns: .double), averaging(.duration, returns: .duration),
      averaging(.dyn, returns: .dyn),
      Function("min", .method, [list], returns: .nullable(item)) {
        (items: [Value]) throws(EvaluationError) in try extreme(items) { $0 < 0 }
      }.nullOnlyWhenEmpty(),
      Function("max", .method, [list], returns: .nullable(item)) {
        (items: [Value]) throws(EvaluationError) in try extreme(items) { $0 > 0 }
      }.nullOnlyWhenEmpty(),
      Function("first", .method, [list], returns: .nullable(item)) { (items: [Value]) in
        items.first ?? .null
      }.nullOnlyWhenEmpty(),
      Function("last", .method, [list], returns: .nullable(item)) { (items: [Value]) in
        items.last ?? .null
      }.nullOnlyWhenEmpty(),
    ]
  }

  /// The sum of elements of a type; that of none is 0, whatever they would have been.
  private static func summing(_ element: CELType, returns result: CELType = .dyn) -> Function {
    Function("sum", .method, [.list(element)], returns: result) {
      (items: [Value]) throws(EvaluationError) in try sum(items)
    }
  }

  private static func averaging(_ element: CELType, returns result: CELType) -> Function {
    Function("avg", .method, [.list(element)], returns: result.orNull) {
      (items: [Value]) throws(EvaluationError) in try average(items)
    }.nullOnlyWhenEmpty()
  }

  /// `list.reduce(sum, x, sum + x)`: one value made of all, step by step, beginning with the first.
  static let reduce = Iteration(
    "reduce", on: list, variables: [item, item], expression: item, returns: item
  ) { value, each throws(EvaluationError) in
    guard case .list(let items) = value, var result = items.first else {
      throw EvaluationError(
        "reduce needs an item to begin with, and the list is empty; put one in front of it, as in "
          + "([0] + list).reduce(sum, x, sum + x)")
    }
    for item in items.dropFirst() { result = try each([result, item]) }
    return result
  }

  /// `list.groupBy(x, key)`: a map from each key to the items that have it, in their order.
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

  /// The sum: of whole numbers whole, with a double among them a double, of durations a duration.
  private static func sum(_ items: [Value]) throws(EvaluationError) -> Value {
    guard let first = items.first else { return .int(0) }
    if case .duration = first { return .duration(try sumOfDurations(items)) }
    if case .uint = first { return try sumOfUnsigned(items) }
    var whole: Int64 = 0
    var isWhole = true
    var real = 0.0
    for item in items {
      switch item {
      case .int(let number):
        let (sum, overflow) = whole.addingReportingOverflow(number)
        if overflow, isWhole { throw overflowError }
        whole = sum
        real += Double(number)
      case .double(let number):
        isWhole = false
        real += number
      default: throw notSummable(item)
      }
    }
    return isWhole ? .int(whole) : .double(real)
  }

  private static func sumOfUnsigned(_ items: [Value]) throws(EvaluationError) -> Value {
    var total: UInt64 = 0
    for item in items {
      guard case .uint(let number) = item else { throw notSummable(item) }
      let (sum, overflow) = total.addingReportingOverflow(number)
      if overflow { throw overflowError }
      total = sum
    }
    return .uint(total)
  }

  private static func sumOfDurations(_ items: [Value]) throws(EvaluationError) -> Duration {
    var total = Duration(seconds: 0)
    for item in items {
      guard case .duration(let length) = item else { throw notSummable(item) }
      guard let sum = total.adding(length) else { throw overflowError }
      total = sum
    }
    return total
  }

  /// The mean: of numbers a double, of durations a duration; null of an empty list.
  private static func average(_ items: [Value]) throws(EvaluationError) -> Value {
    guard let first = items.first else { return .null }
    if case .duration = first {
      let total = try sumOfDurations(items).totalNanoseconds ?? 0
      return .duration(Duration(totalNanoseconds: total / Int64(items.count)))
    }
    var total = 0.0
    for item in items {
      switch item {
      case .int(let number): total += Double(number)
      case .uint(let number): total += Double(number)
      case .double(let number): total += number
      default: throw notSummable(item)
      }
    }
    return .double(total / Double(items.count))
  }

  private static func extreme(
    _ items: [Value], _ isBetter: (Int) -> Bool
  ) throws(EvaluationError) -> Value {
    guard var best = items.first else { return .null }
    for item in items {
      guard let order = item.compare(best) else {
        throw EvaluationError(
          "can't compare \(kind(of: item)) with \(kind(of: best))", code: code(of: item))
      }
      if isBetter(order) { best = item }
    }
    return best
  }

  private static var overflowError: EvaluationError {
    EvaluationError("the sum is out of range", code: .overflow)
  }

  private static func notSummable(_ value: Value) -> EvaluationError {
    EvaluationError("can't add up \(kind(of: value))", code: code(of: value))
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
  /// Their names.
  static let names = ["keys", "values", "merge"]

  private static let map = CELType.map(.parameter("K"), .parameter("V"))

  /// All of them.
  static var all: [Function] {
    [
      Function("keys", .method, [map], returns: .list(.parameter("K"))) { (map: MapValue) in
        Value.list(map.entries.map(\.key))
      },
      Function("values", .method, [map], returns: .list(.parameter("V"))) { (map: MapValue) in
        Value.list(map.entries.map(\.value))
      },
      Function("merge", .method, [map, map], returns: map) {
        (first: MapValue, second: MapValue) in
        var merged = first
        for entry in second.entries { merged[entry.key] = entry.value }
        return Value.map(merged)
      },
    ]
  }
}

/// Functions that mix lists and shorten texts.
enum MixingFunctions {
  /// Their names.
  static let names = ["shuffled", "truncate"]

  /// All of them.
  static func all(_ context: FunctionContext) -> [Function] {
    [
      Function(
        "shuffled", .method, [.list(.parameter("T"))], returns: .list(.parameter("T")),
        isPure: false
      ) { (items: [Value]) throws(EvaluationError) -> Value in
        var items = items
        // Fisher and Yates, in Durstenfeld's form.
        for last in items.indices.dropFirst().reversed() {
          items.swapAt(last, index(below: last + 1, context))
        }
        return .list(items)
      },
      Function("truncate", .method) { (text: String, length: Int64) throws(EvaluationError) in
        guard length >= 1 else { throw EvaluationError("a text can't be shorter than 1 character") }
        return text.count <= Int(clamping: length)
          ? text : String(text.prefix(Int(clamping: length) - 1)) + "…"
      },
    ]
  }

  private static func index(below count: Int, _ context: FunctionContext) -> Int {
    // The bias of a remainder of 64 bits is less than one in 10^12 for any list that fits.
    Int(bits(context) % UInt64(count))
  }

  private static func bits(_ context: FunctionContext) -> UInt64 {
    context.randomBytes(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
  }
}
