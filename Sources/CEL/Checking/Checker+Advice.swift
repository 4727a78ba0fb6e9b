internal import Source

extension Checker {
  /// Reports operands that an operator does not accept, with the corrected expression if it is known.
  mutating func mismatch(
    _ origin: Expression, _ symbol: String, _ operands: [Expression], given: [CELType]
  ) -> CELType {
    let names = given.map { "\(types.resolve($0, openToDyn: true))" }
    let reason = EvaluationError.Reason.operands(symbol, names)
    return report(
      .wrongType, reason.message(at: origin, withAdvice: false), at: origin.range,
      help: advice(symbol, operands, given))
  }

  /// Suggests how to make two operands of different types match.
  private func advice(
    _ symbol: String, _ operands: [Expression], _ given: [CELType]
  ) -> String? {
    guard operands.count == 2, given.count == 2 else { return nil }
    let kinds = given.map { types.resolve($0).plain }
    if symbol == "in" { return membershipAdvice(operands, kinds) }
    if symbol == "%", kinds[0] == .string {
      var list = "[\(operands[1])]"
      if case .list = kinds[1] { list = operands[1].description }
      return "write `\(Self.operandText(operands[0])).format(\(list))`"
    }
    // `row.E-mail`.
    if symbol == "-", kinds[0] == .string, case .select(let map, let field, _) = operands[0].kind,
      case .identifier(let rest, _) = operands[1].kind
    {
      return "a key with a dash stands in brackets: write `\(map)[\"\(field)-\(rest)\"]`"
    }
    if symbol == "-", case .list = kinds[0], case .list = kinds[1] {
      return "write `\(Self.operandText(operands[0])).filter(x, !(x in \(operands[1])))`"
    }
    if symbol == "*", kinds == [.string, .int], case .literal(.string(let text)) = operands[0].kind,
      Double(text) == nil
    {
      return "write `lists.range(\(operands[1])).map(i, \(operands[0])).join(\"\")`"
    }
    for (position, other) in [(0, 1), (1, 0)] {
      let operand = operands[position]
      let text = operand.description
      /// The expression with the opposite operand replaced.
      func line(_ replacement: String) -> String {
        let mine = Self.operandText(operand)
        return position == 0
          ? "write `\(mine) \(symbol) \(replacement)`" : "write `\(replacement) \(symbol) \(mine)`"
      }
      /// The expression with this operand replaced.
      func own(_ replacement: String) -> String {
        let rest = Self.operandText(operands[other])
        return position == 0
          ? "write `\(replacement) \(symbol) \(rest)`" : "write `\(rest) \(symbol) \(replacement)`"
      }
      switch (kinds[position], kinds[other]) {
      case (.int, .double), (.uint, .double):
        if case .literal = operand.kind { return own("\(text).0") }
        return own("double(\(text))")
      case (.uint, .int): return own("int(\(text))")
      case (.timestamp, .string) where symbol == "+" && hasFunction("period"):
        return periodAdvice(operands[other], to: operand, isFirst: position == 0, line: line)
      case (.timestamp, .string) where symbol == "-" && position == 0 && isLength(operands[other]):
        return line("duration(\(operands[other]))")
      case (.timestamp, .string): return timeAdvice(operands[other], line)
      case (.duration, .string): return lengthAdvice(operands[other], line)
      case (.timestamp, .int)
      where symbol == "+" || symbol == "-" || Self.day(operands[other]) != nil:
        return daysAdvice(operands[other], line)
      case (.duration, .int) where symbol == "/" && position == 0:
        let seconds = "\(Self.operandText(operand)).getSeconds() / \(operands[other])"
        return "write `\(seconds)` for whole seconds"
      case (.duration, .int) where symbol != "*" && Int(operands[other].description) ?? 60 < 60:
        return daysAdvice(operands[other], line)
      case (.duration, .int) where symbol != "*":
        return line("seconds(\(operands[other]))") + ", or with `minutes(…)` or `days(…)`"
      case (.int, .string) where Self.weekday(operands[other]) != nil && Self.isWeekday(operand):
        return line("\(Self.weekday(operands[other]) ?? 0)") + ": Sunday is 0"
      case (.string, .int) where text == "error.code":
        return own("error.data.status")
      case (.list(let element), let single)
      where (symbol == "==" || symbol == "!=") && types.resolve(element).plain == single:
        let test = "\(Self.operandText(operands[other])) in \(Self.operandText(operand))"
        return "write `\(symbol == "==" ? test : "!(\(test))")`"
      case (.list(let element), let single)
      where symbol == "+" && [single, .dyn].contains(types.resolve(element).plain):
        return line("[\(operands[other])]")
      case (.object(let name), .string) where symbol == "==" || symbol == "!=":
        let named = ["name", "title", "number", "url"].first { has(.object(name), $0) }
        return named.map { own("\(text).\($0)") }
      case (.bool, .int) where symbol.hasSuffix("=") && Self.isLiteral(operands[other]):
        return Self.truth(of: operand, operands[other].description, isEqual: symbol == "==")
      case (let number, .string)
      where [.int, .double, .uint].contains(number) && !["+", "==", "!="].contains(symbol):
        return numberAdvice(operands[other], kinds[position], line)
      case (.int, .string), (.double, .string), (.uint, .string), (.bool, .string):
        // A number in quotes is most likely meant as a number.
        if kinds[position] != .bool, case .literal(.string(let digits)) = operands[other].kind,
          Int64(digits) != nil
        {
          return line(digits)
        }
        if kinds[position] == .bool, case .literal(.string(let word)) = operands[other].kind,
          symbol == "==" || symbol == "!="
        {
          return Self.truth(of: operand, word, isEqual: symbol == "==")
        }
        return own("string(\(text))")
      default: continue
      }
    }
    return nil
  }

  /// The number of a literal name of a weekday, from Sunday on; nil for other expressions.
  private static func weekday(_ operand: Expression) -> Int? {
    guard case .literal(.string(let text)) = operand.kind, text.utf8.count > 2 else { return nil }
    return ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"].firstIndex
    {
      $0.hasPrefix(text.lowercased())
    }
  }

  private static func isWeekday(_ operand: Expression) -> Bool {
    if case .call("getDayOfWeek", _, _, _) = operand.kind { true } else { false }
  }

  /// Returns the source of an operand, in parentheses if needed.
  static func operandText(_ operand: Expression) -> String {
    switch operand.kind {
    case .binary, .conditional, .and, .or, .unary: "(\(operand))"
    default: operand.description
    }
  }

  /// Suggests the number that a string operand most likely stands for; nil if the string is not a number.
  private func numberAdvice(
    _ operand: Expression, _ kind: CELType, _ line: (String) -> String
  ) -> String? {
    var type = kind.description
    if case .literal(.string(let text)) = operand.kind, Int64(text) == nil {
      guard Double(text) != nil else { return nil }
      type = "double"
    }
    return line("\(type)(\(operand))")
  }

  // MARK: - Times

  /// Whether the operand is a string that `duration` accepts.
  private func isLength(_ operand: Expression) -> Bool {
    guard case .literal(.string(let text)) = operand.kind else { return false }
    return (try? reader("duration")?.call([.string(text)])) != nil
  }

  /// Returns the function of this name that takes one string, if any.
  func reader(_ name: String) -> Function? {
    environment.overloads(of: name).first { $0.style == .global && $0.parameters == [.string] }
  }

  /// Suggests the timestamp that a string may stand for.
  private func timeAdvice(_ operand: Expression, _ line: (String) -> String) -> String {
    guard case .literal(.string(let text)) = operand.kind else {
      return line("timestamp(\(operand))")
        + ", where the text is such as 2026-11-20T14:00:00Z, or `date(\(operand))` for a day such as "
        + "2026-11-20"
    }
    if text.isEmpty { return line("null") }
    // A time of day is meant on this day.
    let parts = text.split(separator: ":").map { Int($0) ?? -1 }
    if (2...3).contains(parts.count), !text.contains("-"), (0...23).contains(parts[0]),
      (0...59).contains(parts[1])
    {
      return line("today() + hours(\(parts[0]))" + (parts[1] > 0 ? " + minutes(\(parts[1]))" : ""))
    }
    return moment(text).map(line) ?? line("timestamp(\"2026-11-20T14:00:00Z\")")
  }

  /// Suggests how to add a string to a timestamp: as a duration or as a period; other text is joined
  /// with the text of the timestamp.
  private func periodAdvice(
    _ operand: Expression, to moment: Expression, isFirst: Bool, line: (String) -> String
  ) -> String {
    if case .literal(.string(let text)) = operand.kind {
      if DurationValue(text: text) != nil { return line("duration(\(operand))") }
      if (try? reader("period")?.call([.string(text)])) == nil {
        let shown = "string(\(moment))"
        return "write `\(isFirst ? "\(shown) + \(operand)" : "\(operand) + \(shown)")`"
      }
    }
    if !isFirst { return "write `\(Self.operandText(operand)) + string(\(moment))`" }
    let line = "write `\(Self.operandText(moment)).add(\(operand))`"
    if case .call = operand.kind { return line }
    return line + ", where the text is such as 1mo"
  }

  /// Returns the expression for the timestamp that a string names; nil if it names none.
  func moment(_ text: String) -> String? {
    // Days are in the local time zone.
    if hasFunction("date"), CivilDate(iso8601: text) != nil { return "date(\"\(text)\")" }
    if Timestamp(rfc3339: text) != nil { return "timestamp(\"\(text)\")" }
    for end in ["T00:00:00Z", "-01T00:00:00Z", "-01-01T00:00:00Z", "Z", ":00Z"] {
      let whole = text.replacingSpace + end
      if Timestamp(rfc3339: whole) != nil { return "timestamp(\"\(whole)\")" }
    }
    guard hasFunction("now"), hasFunction("today"), hasFunction("days") else { return nil }
    switch text.lowercased() {
    case "now": return "now()"
    case "today": return "today()"
    case "tomorrow": return "(today() + days(1))"
    case "yesterday": return "(today() - days(1))"
    default: return nil
    }
  }

  /// Suggests the duration that a string may stand for.
  private func lengthAdvice(_ operand: Expression, _ line: (String) -> String) -> String {
    guard case .literal(.string(let text)) = operand.kind else {
      return line("duration(\(operand))") + ", where the text is such as 1h30m"
    }
    return line("duration(\"\(DurationValue(text: text) == nil ? "1h30m" : text)\")")
  }

  /// Suggests the days that a number beside a timestamp most likely stands for.
  private func daysAdvice(_ number: Expression, _ line: (String) -> String) -> String? {
    if let day = Self.day(number) { return line("date(\"\(day)\")") }
    if hasFunction("days") { return line("days(\(number))") }
    guard case .literal(.int(let days)) = number.kind, abs(days) < 100_000 else { return nil }
    return line("duration(\"\(days * 24)h\")")
  }

  /// The date that was read as `2026 - 1 - 2`; nil for other numbers.
  private static func day(_ number: Expression) -> String? {
    guard case .binary(.subtract, let left, let last) = number.kind,
      case .binary(.subtract, let first, let middle) = left.kind
    else { return nil }
    let parts = [first, middle, last].map(\.description)
    guard parts[0].count == 4, parts.allSatisfy({ Int64($0) != nil }) else { return nil }
    return ([parts[0]] + parts.dropFirst().map { $0.count == 1 ? "0" + $0 : $0 })
      .joined(separator: "-")
  }

  /// Whether the host has a function of the name.
  func hasFunction(_ name: String) -> Bool {
    environment.overloads(of: name).contains { $0.style == .global }
  }

  // MARK: - Lists

  private func membershipAdvice(_ operands: [Expression], _ kinds: [CELType]) -> String? {
    if kinds == [.string, .string] {
      return "write `\(Self.operandText(operands[1])).contains(\(operands[0]))`"
    }
    if case .list(let element) = kinds[0], case .list(let other) = kinds[1],
      types.resolve(element) == types.resolve(other)
    {
      return "write `\(operands[0]).exists(x, x in \(operands[1]))` for any of them, "
        + "or `.all(…)` for all"
    }
    return nil
  }

  /// Suggests a fix for a field access on a type without fields.
  func fieldAdvice(_ origin: Expression, _ field: String, of type: CELType) -> String? {
    guard case .select(let operand, _, _) = origin.kind else { return nil }
    let text = excerpt(operand)
    if environment.overloads(of: field).contains(where: { $0.style == .method }) {
      return "did you mean `\(field)()`?"
    }
    if case .list(let element) = type, has(types.resolve(element).withoutNull, field) {
      return "write `\(text)[0].\(field)` for the first one, "
        + "or `\(text).map(x, x.\(field))` for all of them"
    }
    if type == .string, ["stdout", "output", "text", "body", "result", "content"].contains(field) {
      return "it is the text itself: write `\(text)`"
    }
    if type == .string, ["name", "title", "label", "value"].contains(field),
      case .select(_, let owner, _) = operand.kind
    {
      return owner == "path" && field == "name"
        ? "write `\(text).fileName()`" : "it is a text without fields: write `\(text)`"
    }
    return ForeignName.method(field, on: operand, type: type, arguments: [])
      ?? (type == .string
        ? "for a field of JSON read it with `parse: json`, or write `parseJson(\(text)).\(field)`"
        : nil)
  }

  /// Suggests how to take a character of a text.
  func letterAdvice(_ origin: Expression, of type: CELType) -> String? {
    guard type == .string, case .index(let operand, let index, _) = origin.kind else { return nil }
    return "write `\(excerpt(operand)).charAt(\(index))`"
  }

  /// Suggests the path of a field that belongs to one of a record's fields.
  func pathAdvice(_ origin: Expression, _ field: String, in record: RecordType) -> String? {
    guard case .select(let operand, _, _) = origin.kind else { return nil }
    let owner =
      record.fields.first { part in
        self.record(of: types.resolve(part.type).withoutNull)?[field] != nil
      } ?? openField(insteadOf: field, in: record)
    return owner.map { "write `\(excerpt(operand)).\($0.name).\(field)`" }
  }

  /// The field with what a program or a server tells, as in `error.data.status`; nil for a name that
  /// is near another one.
  private func openField(insteadOf field: String, in record: RecordType) -> RecordType.Field? {
    Suggestion.meant(by: field, in: record.names) == nil
      ? record.fields.first { $0.name == "data" } : nil
  }

  private func has(_ type: CELType, _ field: String) -> Bool {
    switch type {
    case .dyn, .map(.string, _): true
    default: record(of: type)?[field] != nil
    }
  }

  /// Suggests how to count from the end of a list.
  func endAdvice(_ origin: Expression, _ position: Int64) -> String? {
    guard case .index(let operand, _, _) = origin.kind else { return nil }
    let text = excerpt(operand)
    return "write `\(text)[size(\(text)) - \(position.magnitude)]` to count from the end"
  }

  // MARK: - Chains

  /// Whether the operand is itself a comparison by order.
  func isChain(_ operand: Expression) -> Bool {
    guard case .binary(let symbol, _, _) = operand.kind else { return false }
    switch symbol {
    case .less, .lessOrEqual, .greater, .greaterOrEqual: return true
    default: return false
    }
  }

  /// Reports `a < b < c`.
  mutating func chain(
    _ origin: Expression, _ symbol: BinaryOperator, _ left: Expression, right: Expression
  ) -> CELType {
    var help: String?
    if case .binary(_, _, let middle) = left.kind {
      help = "write `\(left) && \(middle) \(symbol.rawValue) \(right)`"
    }
    return report(
      .wrongType,
      "`\(excerpt(left))` is true or false and cannot be compared with `\(excerpt(right))`",
      at: origin.range, help: help)
  }
}

extension String {
  /// The text with the first space, between day and time, replaced by the `T` of RFC 3339.
  fileprivate var replacingSpace: String {
    guard let space = utf8.firstIndex(of: UInt8(ascii: " ")) else { return self }
    return self[..<space] + "T" + self[index(after: space)...]
  }
}
