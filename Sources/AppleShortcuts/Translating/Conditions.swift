import CEL

/// The conditions of If.
enum Conditions {
  typealias Action = ActionTree.Action

  /// The condition of an If: one test, or several that are joined by “all” or “any”.
  static func condition(_ action: Action, input: Code, _ t: inout Translation) -> Code {
    var table: Value? = action.parameters["WFConditions"]
    while case .map(let map)? = table, map["WFActionParameterFilterTemplates"] == nil {
      table = map["Value"]
    }
    guard case .map(let map)? = table,
      case .list(let rows)? = map["WFActionParameterFilterTemplates"]
    else { return single(action, input, &t) }
    var result: Code?
    var isAny = true
    if case .int(1)? = map["WFActionParameterFilterPrefix"] { isAny = false }
    for case .map(let row) in rows.prefix(100) {
      let part = Action(index: action.index, name: action.name, parameters: row)
      let condition = single(part, t.given(part, "WFInput"), &t)
      if let before = result {
        result =
          isAny
          ? .cel("\(before) || \(condition)", .flag) : .cel("\(before) && \(condition)", .flag)
      } else {
        result = condition
      }
    }
    return result ?? .flag(true)
  }

  /// Whether a condition of constants holds; nil for any other.
  static func truth(_ code: Code, _ table: SlotTable) -> Bool? {
    if case .flag(let flag) = code { return flag }
    guard case .source(let source, .flag) = code else { return nil }
    if source.pieces.count == 2, case .raw("!") = source.pieces[0],
      case .code(let inner) = source.pieces[1]
    {
      return truth(inner, table).map { !$0 }
    }
    func literal(_ piece: Code.Source.Piece) -> String? {
      guard case .code(let code) = piece, case .text(let text) = table.simplified(code) else {
        return nil
      }
      return text
    }
    guard source.pieces.count >= 3, let left = literal(source.pieces[0]),
      case .raw(let sign) = source.pieces[1], let right = literal(source.pieces[2])
    else { return nil }
    switch (sign, source.pieces.count) {
    case (" == ", 3): return left == right
    case (" != ", 3): return left != right
    case (".contains(", 4): return left.contains(right)
    default: return nil
    }
  }

  /// The negation of a condition.
  static func negated(_ code: Code) -> Code {
    guard case .source(let source, .flag) = code else { return .cel("!(\(code))", .flag) }
    let pieces = source.pieces
    if pieces.count == 2, case .raw("!") = pieces[0], case .code(let inner) = pieces[1] {
      return inner
    }
    let opposites = [" == ": " != ", " != ": " == "]
    if pieces.count == 3, case .raw(let sign) = pieces[1], let other = opposites[sign] {
      var changed = source
      changed.pieces[1] = .raw(other)
      return .source(changed, .flag)
    }
    return .cel("!\(code)", .flag)
  }

  private static func code(_ action: Action) -> Int {
    switch action.word("WFCondition") ?? "" {
    case "Equals": 4
    case "Contains", "": 99
    case "Is Greater Than": 2
    case "Is Less Than": 0
    case let word: Int(word) ?? 99
    }
  }

  private static func single(_ action: Action, _ input: Code, _ t: inout Translation) -> Code {
    let code = code(action)
    switch code {
    case 100: return hasValue(input, &t)
    case 101: return .cel("!\(hasValue(input, &t))", .flag)
    case 1000...1002: return date(code, of: action, input: input, in: &t)
    default: break
    }
    if let other = t.value(action.parameters["WFDate"]),
      let sign = [0: "<", 1: "<=", 2: ">", 3: ">=", 4: "==", 5: "!="][code]
    {
      return .cel("\(input.asDate) \(raw: sign) \(other.asDate)", .flag)
    }
    let words =
      t.value(action.parameters["WFConditionalActionString"])
      ?? t.value(action.parameters["WFEnumeration"])
    var number = t.value(action.parameters["WFNumberValue"])
    if number?.literal == "" { number = nil }
    number =
      number ?? t.value(action.parameters["WFMeasurement"])
      ?? t.value(action.parameters["WFDuration"])
    if case 0...3 = code {
      let sign = ["<", "<=", ">", ">="][code]
      return compared(input, by: sign, to: number ?? words ?? .int(0), in: &t)
    }
    if code == 1003 {
      let high = t.value(action.parameters["WFAnotherNumber"]) ?? .int(0)
      let low = compared(input, by: ">=", to: number ?? .int(0), in: &t)
      return .cel("\(low) && \(compared(input, by: "<=", to: high, in: &t))", .flag)
    }
    let kind = t.kind(input)
    let isNumber = kind == .number || kind == .integer
    if code == 4 || code == 5, let number,
      isNumber || words == nil || words?.literal == "",
      !(action.flag("WFConditionalLegacyComparisonBehavior", false) && words != nil)
    {
      return compared(input, by: code == 4 ? "==" : "!=", to: number, in: &t)
    }
    return text(code, of: input, words: (words ?? .text("")).asText, in: &t)
  }

  private static func hasValue(_ input: Code, _ t: inout Translation) -> Code {
    .cel("hasValue(\(input.bare))", .flag)
  }

  private static func compared(
    _ input: Code, by sign: String, to other: Code, in t: inout Translation
  )
    -> Code
  {
    let kind = t.kind(input)
    let isEquality = sign == "==" || sign == "!="
    var right = t.table.simplified(other.asNumber)
    var left = kind == .integer ? input : t.contents(input).asNumber
    // Whole numbers are written without a fraction, except in equality tests, for which the checker
    // needs equal types.
    if case .number(let number) = right, number == number.rounded(), number.magnitude < 1e15,
      !isEquality || kind == .integer
    {
      right = .int(Int64(number))
    } else if isEquality {
      left = left.asNumber
    }
    if kind.isList {
      return .cel("\(input).exists(i, toNumber(i) \(raw: sign) \(other.asNumber))", .flag)
    }
    return .cel("\(left) \(raw: sign) \(right)", .flag)
  }

  private static func text(_ code: Int, of input: Code, words: Code, in t: inout Translation)
    -> Code
  {
    let kind = t.kind(input)
    let isList = kind.isList
    if code == 4 || code == 5, isList || kind == .any || kind == .flag {
      // `isText` compares each item of a list, and a Boolean as a word or a number.
      let isSame: Code = .cel("isText(\(t.contents(input).bare), \(words))", .flag)
      return code == 4 ? isSame : .cel("!\(isSame)", .flag)
    }
    let subject: Code = isList ? .cel("toText(i)", .text) : t.contents(input).bare.asText
    let test: Code
    // Without a text, `contains` tests for an empty input.
    let isEmpty = words.literal == ""
    switch code {
    case 8: test = .cel("\(subject).startsWith(\(words))", .flag)
    case 9: test = .cel("\(subject).endsWith(\(words))", .flag)
    case 99, 999:
      test =
        isEmpty ? .cel("\(subject) == \"\"", .flag) : .cel("\(subject).contains(\(words))", .flag)
    default: test = .cel("\(subject) == \(words)", .flag)
    }
    let any: Code = isList ? .cel("\(input).exists(i, \(test))", .flag) : test
    if code == 999 { return .cel("!\(any)", .flag) }
    return code == 5 ? .cel("\(subject) != \(words)", .flag) : any
  }

  /// In the next, in the last, today.
  private static func date(_ code: Int, of action: Action, input: Code, in t: inout Translation)
    -> Code
  {
    let date = input.asDate
    if code == 1002 { return .cel("date(\(date)) == today()", .flag) }
    let span = DateActions.duration(action.parameters["WFDuration"], &t) ?? .cel("days(1)", .any)
    if code == 1000 {
      return .cel("\(date) >= now() && \(date) <= now() + \(span)", .flag)
    }
    return .cel("\(date) <= now() && \(date) >= now() - \(span)", .flag)
  }
}
