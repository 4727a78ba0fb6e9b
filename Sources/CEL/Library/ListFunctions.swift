/// The lists extension.
enum ListFunctions {
  private static let item = CELType.parameter("T")
  private static let list = CELType.list(item)
  private static let rangeLimit: Int64 = 1_000_000

  static let all: [LibraryFunction] = [
    .init("lists.range") {
      Function($0, .global, [.int], returns: .list(.int)) {
        (count: Int64) throws(EvaluationError) in
        guard count <= rangeLimit else { throw EvaluationError(.tooLarge("the list")) }
        return count <= 0 ? [] : (0..<count).map { Value.int($0) }
      }
    },
    .init("slice") {
      Function($0, .method, [list, .int, .int], returns: list) {
        (list: [Value], start: Int64, end: Int64) throws(EvaluationError) in
        guard start >= 0, start <= end, end <= Int64(list.count) else {
          throw EvaluationError("cannot slice a list of \(list.count) from \(start) to \(end)")
        }
        return Array(list[Int(start)..<Int(end)])
      }
    },
    .init("flatten") {
      Function($0, .method, [.list(list)], returns: list) {
        (list: [Value]) throws(EvaluationError) in try flattened(list, levels: 1)
      }
      Function($0, .method, [.list(.dyn)], returns: .list(.dyn)) {
        (list: [Value]) throws(EvaluationError) in try flattened(list, levels: 1)
      }
      Function($0, .method, [.list(.dyn), .int], returns: .list(.dyn)) {
        (list: [Value], levels: Int64) throws(EvaluationError) in
        guard levels >= 0 else { throw EvaluationError("the depth cannot be negative: \(levels)") }
        return try flattened(list, levels: levels)
      }
    },
    .init("distinct") {
      Function($0, .method, [list], returns: list) { (list: [Value]) in distinct(list) }
    },
    .init("sort") {
      Function($0, .method, [list], returns: list) {
        (list: [Value]) throws(EvaluationError) in try sorted(list, by: list)
      }
    },
    .init("reverse") {
      Function($0, .method, [list], returns: list) { (list: [Value]) in [Value](list.reversed()) }
      Function($0, .method) { (text: String) in
        String(String.UnicodeScalarView(text.unicodeScalars.reversed()))
      }
    },
    .init("first") { end($0, \.first) },
    .init("last") { end($0, \.last) },
  ]

  private static func end(_ name: String, _ element: @escaping @Sendable ([Value]) -> Value?)
    -> Function
  {
    Function(name, .method, [list], returns: .optional(item)) { (list: [Value]) in
      Value.optional(element(list).map(OptionalValue.init) ?? .none)
    }
  }

  /// `list.sortBy(x, key)`.
  static let sortBy = Iteration(
    "sortBy", on: .list(.parameter("T")), variables: [.parameter("T")],
    expression: .parameter("K"), returns: .list(.parameter("T"))
  ) { value, each throws(EvaluationError) in
    guard case .list(let list) = value else { return value }
    var keys: [Value] = []
    keys.reserveCapacity(list.count)
    for element in list { keys.append(try each([element])) }
    return .list(try sorted(list, by: keys))
  }

  private static func flattened(
    _ list: [Value], levels: Int64
  ) throws(EvaluationError) -> [Value] {
    func parts(_ element: Value) -> [Value]? {
      if case .list(let parts) = element { parts } else { nil }
    }
    var result = list
    var left = levels
    while left > 0, result.contains(where: { parts($0) != nil }) {
      try EvaluationLimits().expect(elements: result.reduce(0) { $0 + (parts($1)?.count ?? 1) })
      result = result.flatMap { parts($0) ?? [$0] }
      left -= 1
    }
    return result
  }

  /// Returns the elements without duplicates, keeping the first of each.
  static func distinct(_ list: [Value]) -> [Value] {
    var seen: Set<Value> = []
    return list.filter { seen.insert($0).inserted }
  }

  /// Returns the elements sorted by their keys; the sort is stable.
  static func sorted(_ list: [Value], by keys: [Value]) throws(EvaluationError) -> [Value] {
    guard let first = keys.first else { return list }
    for key in keys where !first.isComparable(with: key) {
      if first.isNull || key.isNull {
        throw EvaluationError("cannot sort by null", code: .nullOperand)
      }
      throw EvaluationError(
        "cannot sort by \(first.kindName) and \(key.kindName)", code: .noMatchingOverload)
    }
    let order = keys.indices.sorted { a, b in
      let order = keys[a].compare(keys[b]) ?? 0
      return order == 0 ? a < b : order < 0
    }
    return order.map { list[$0] }
  }
}
