internal import Source

extension Checker {
  /// Records the facts implied by a comparison by order, and warns if it is constant.
  mutating func order(
    _ origin: Expression, _ symbol: BinaryOperator, _ left: Expression, right: Expression
  ) {
    if case .literal(let a) = left.kind, case .literal(let b) = right.kind {
      if let order = a.compare(b) { outcome = .always(symbol.holds(for: order)) }
      return
    }
    if let value = rangeTest(origin, symbol, left, right)
      ?? rangeTest(origin, symbol.mirrored, right, left)
    {
      outcome = .always(value)
      return
    }
    noteElements(symbol, left, right)
    noteElements(symbol.mirrored, right, left)
  }

  /// Reports a comparison by order of a value with a fixed set of values, which would compare their
  /// letters; nil if neither is one.
  mutating func orderOfChoices(
    _ origin: Expression, _ symbol: BinaryOperator, _ left: (part: Expression, type: CELType),
    _ right: (part: Expression, type: CELType)
  ) -> CELType? {
    let choice: (part: Expression, values: [String])
    let other: Expression
    let sign: BinaryOperator
    if case .enumeration(let values) = types.resolve(left.type).withoutNull {
      (choice, other, sign) = ((left.part, values), right.part, symbol)
    } else if case .enumeration(let values) = types.resolve(right.type).withoutNull {
      (choice, other, sign) = ((right.part, values), left.part, symbol.mirrored)
    } else {
      return nil
    }
    var help: String?
    if case .literal(.string(let text)) = other.kind {
      let place = choice.values.firstIndex(of: text)
      let fitting = place.map { place in
        switch sign {
        case .less: choice.values[..<place]
        case .lessOrEqual: choice.values[...place]
        case .greater: choice.values[(place + 1)...]
        default: choice.values[place...]
        }
      }
      let list = fitting?.map(LiteralText.quoted).joined(separator: ", ")
      help =
        list.map { "write `\(choice.part) in [\($0)]`" }
        ?? Suggestion.help(for: text, in: choice.values)
    }
    return report(
      .wrongType,
      "`\(excerpt(choice.part))` is one of \(choice.values.joined(separator: ", ")), of which "
        + "`\(symbol.rawValue)` would compare the letters", at: origin.range,
      help: help ?? "compare it by `==`, or by `in` with a list")
  }

  /// Warns of a comparison of a size, or of a part of a moment, with a number that its range decides,
  /// and returns the constant result; nil if it varies.
  mutating func rangeTest(
    _ origin: Expression, _ symbol: BinaryOperator, _ left: Expression, _ right: Expression
  ) -> Bool? {
    guard case .literal(.int(let number)) = right.kind, let range = range(of: left) else {
      return nil
    }
    let value: Bool
    switch symbol {
    case .equal where !range.contains(number): value = false
    case .notEqual where !range.contains(number): value = true
    case .greaterOrEqual where number <= range.lowerBound, .greater where number < range.lowerBound,
      .lessOrEqual where number >= range.upperBound, .less where number > range.upperBound:
      value = true
    case .less where number <= range.lowerBound, .lessOrEqual where number < range.lowerBound,
      .greater where number >= range.upperBound, .greaterOrEqual where number > range.upperBound:
      value = false
    default:
      warnOfCountFromZero(origin, symbol, left, number)
      return nil
    }
    guard let part = momentPart(left) else {
      warn(
        .constantCondition, "a size is never negative, so this is always \(value)",
        at: origin.range, help: "compare it with another number")
      return value
    }
    var help = part.note ?? "compare it with another number"
    if part.countsFromZero, number == range.upperBound + 1, let here = countingFromOne(left) {
      help += ": write `\(here) \(symbol.rawValue) \(number)`"
    }
    warn(
      .constantCondition,
      "`\(excerpt(left))` is from \(range.lowerBound) to \(range.upperBound), "
        + "so this is always \(value)",
      at: origin.range, help: help)
    return value
  }

  /// Warns of a month or a day of the month beside a number, because most people count them from 1.
  private mutating func warnOfCountFromZero(
    _ origin: Expression, _ symbol: BinaryOperator, _ left: Expression, _ number: Int64
  ) {
    guard number > 0, let note = momentPart(left)?.note, let here = countingFromOne(left) else {
      return
    }
    warn(
      .countsFromZero, "`\(excerpt(left))` counts from 0: \(note)", at: origin.range,
      help: "write `\(here) \(symbol.rawValue) \(number)` to count from 1, "
        + "or `\(here) \(symbol.rawValue) \(number + 1)` for what is written here")
  }

  /// Warns of a month or a day of the month in a list of numbers, which most people count from 1; returns
  /// whether it is one.
  mutating func warnOfCountFromZero(
    _ origin: Expression, _ part: Expression, in elements: [Expression.Element]
  ) -> Bool {
    guard let note = momentPart(part)?.note, let here = countingFromOne(part),
      elements.contains(where: { $0.value.isNumber })
    else { return false }
    let list = elements.map(\.value.description).joined(separator: ", ")
    warn(
      .countsFromZero, "`\(excerpt(part))` counts from 0: \(note)", at: origin.range,
      help: "write `\(here) in [\(list)]` to count from 1")
    return true
  }

  /// Returns a part of a moment that counts from 0 as one that counts from 1; nil for other parts.
  private func countingFromOne(_ part: Expression) -> String? {
    guard momentPart(part)?.countsFromZero == true,
      case .call(let name, receiver: let receiver?, _, _) = part.kind
    else { return nil }
    return name == "getDayOfMonth"
      ? "\(Self.operandText(receiver)).getDate()" : "\(excerpt(part)) + 1"
  }

  /// Returns the values that a size or a part of a moment can have; nil for other expressions.
  private func range(of expression: Expression) -> ClosedRange<Int64>? {
    Self.sized(expression) != nil ? 0...(.max) : momentPart(expression)?.values
  }

  /// A part of a moment: its values, how they are counted, and whether the last one is often taken
  /// for one more.
  private typealias MomentPart = (
    values: ClosedRange<Int64>, note: String?, countsFromZero: Bool
  )

  private static let momentParts: [String: MomentPart] = [
    "getMonth": (0...11, "January is 0", true), "getDayOfWeek": (0...6, "Sunday is 0", false),
    "getDayOfMonth": (0...30, "the first day is 0", true),
    "getDayOfYear": (0...365, "the first day is 0", true), "getDate": (1...31, nil, false),
    "getHours": (0...23, "midnight is 0", false), "getMinutes": (0...59, nil, false),
    "getSeconds": (0...59, nil, false),
  ]

  private func momentPart(_ expression: Expression) -> MomentPart? {
    guard case .call(let name, receiver: let receiver?, _, _) = expression.kind,
      checkedType(of: receiver).withoutNull == .timestamp
    else { return nil }
    return Self.momentParts[name]
  }

  /// Records that a list is not empty.
  mutating func noteElements(_ symbol: BinaryOperator, _ left: Expression, _ right: Expression) {
    let list: Expression
    let number: Int64
    if let sized = Self.sized(left), case .literal(.int(let size)) = right.kind {
      (list, number) = (sized, size)
    } else if case .list(let elements) = right.kind, elements.isEmpty {
      (list, number) = (left, 0)
    } else {
      return
    }
    let ends: Set = [Self.element(of: list)]
    switch (symbol, number) {
    case (.greater, 0...), (.greaterOrEqual, 1...), (.equal, 1...), (.notEqual, 0):
      outcome.whenTrue?.formUnion(ends)
    case (.less, 1...), (.lessOrEqual, 0...), (.notEqual, 1...), (.equal, 0):
      outcome.whenFalse?.formUnion(ends)
    default: break
    }
  }

  /// Returns the fact that a list is not empty: it has an element.
  private static func element(of list: Expression) -> String { "\(list)\(elementFact)" }

  /// The fact that a list is not empty, to follow its name.
  static let elementFact = ".@element"

  /// Whether a list is known not to be empty.
  func hasElement(_ list: Expression) -> Bool {
    switch list.kind {
    case .list(let elements): return elements.contains { !$0.isOptional }
    // As many elements as the receiver.
    case .call("map", let receiver?, let arguments, _) where arguments.count == 2:
      if hasElement(receiver) { return true }
    case .call("sortBy", let receiver?, _, _), .call("sort", let receiver?, _, _),
      .call("reverse", let receiver?, _, _), .call("distinct", let receiver?, _, _):
      if hasElement(receiver) { return true }
    case .call("split", let receiver?, let arguments, _) where arguments.count == 1:
      if case .literal(.string(let separator)) = arguments[0].kind, !separator.isEmpty,
        checkedType(of: receiver).plain == .string
      {
        return true
      }
    case .binary(.add, let left, let right): return hasElement(left) || hasElement(right)
    default: break
    }
    return !known.isEmpty && known.contains(Self.element(of: list))
  }

  /// Returns the operand of a `size` call.
  private static func sized(_ expression: Expression) -> Expression? {
    switch expression.kind {
    case .call("size", receiver: nil, let arguments, _) where arguments.count == 1: arguments[0]
    case .call("size", receiver: let receiver?, let arguments, _) where arguments.isEmpty: receiver
    default: nil
    }
  }

  // MARK: - Contradictions

  /// Warns about `a == 1 && a == 2`, which never holds, and `a != 1 || a != 2`, which always does.
  mutating func contradiction(_ operands: [Expression], isAnd: Bool) {
    var values: [String: (value: Value, part: Expression)] = [:]
    for operand in operands {
      guard case .binary(let symbol, let left, let right) = operand.kind,
        symbol == (isAnd ? .equal : .notEqual), let (part, value) = Self.test(left, right)
      else { continue }
      let text = part.description
      guard let earlier = values[text] else {
        values[text] = (value, operand)
        continue
      }
      if earlier.value == value { continue }
      warn(
        .constantCondition,
        isAnd
          ? "`\(excerpt(part))` cannot be \(earlier.value) and \(value), so this is always false"
          : "`\(excerpt(part))` always differs from \(earlier.value) or from \(value), "
            + "so this is always true",
        at: earlier.part.range.lowerBound..<operand.range.upperBound,
        help: isAnd
          ? "write `\(text) in [\(earlier.value), \(value)]` for either of them"
          : "write `!(\(text) in [\(earlier.value), \(value)])` for neither of them")
      return
    }
  }

  /// Returns the name and the literal of a comparison.
  private static func test(_ left: Expression, _ right: Expression) -> (Expression, Value)? {
    if left.qualifiedName != nil, case .literal(let value) = right.kind { return (left, value) }
    if right.qualifiedName != nil, case .literal(let value) = left.kind { return (right, value) }
    return nil
  }
}

extension BinaryOperator {
  /// The operator that gives the same result with its operands swapped.
  fileprivate var mirrored: BinaryOperator {
    switch self {
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    default: self
    }
  }
}
