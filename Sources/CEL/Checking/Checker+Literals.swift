/// Finds errors in literals that occur for all values of the remaining operands.
extension Checker {
  /// Returns the problem with the literal arguments of a call; nil if none is found.
  func refusal(
    of name: String, _ functions: [Function], _ arguments: [Expression], _ given: [CELType]
  ) -> Problem? {
    guard refusesFailures else { return nil }
    return refused(name, by: functions, arguments)
      ?? (name == "format" ? brokenFormat(arguments, given) : nil)
  }

  /// Suggests how to write or parse a day such as `24.12.2026` or `12/24/2026`; nil for another text.
  private func foreignDay(_ text: String) -> String? {
    guard hasFunction("parseDate"), let separator = text.first(where: { "./".contains($0) }) else {
      return nil
    }
    let parts = text.split(separator: separator, omittingEmptySubsequences: false)
    guard parts.count == 3, let first = Int(parts[0]), let second = Int(parts[1]),
      let year = Int(parts[2]), parts[2].count == 4
    else { return nil }
    let isMonthFirst = separator == "/" && first <= 12
    let (month, day) = isMonthFirst ? (first, second) : (second, first)
    guard (1...12).contains(month), (1...31).contains(day) else { return nil }
    let pattern = isMonthFirst ? "MM/dd/yyyy" : "dd\(separator)MM\(separator)yyyy"
    return
      "write `date(\"\(year)-\(month.twoDigits)-\(day.twoDigits)\")`, or read texts of this form "
      + "with `parseDate(text, \"\(pattern)\")`"
  }

  /// Returns the problem with a literal argument that every candidate function rejects.
  private func refused(
    _ name: String, by functions: [Function], _ arguments: [Expression]
  ) -> Problem? {
    var found: Problem?
    for function in functions {
      guard let trial = function.trial, case .literal(let value) = arguments[trial.position].kind
      else { return nil }
      do throws(EvaluationError) {
        try trial.body(value)
        return nil
      } catch {
        let text = value.text
        let isDay = name == "timestamp" || name == "date"
        let help =
          isDay ? moment(text).map { "write `\($0)`" } ?? foreignDay(text) : error.help
        found =
          found
          ?? Problem(
            .wrongArguments, error.message, at: arguments[trial.position].range, help: help)
      }
    }
    return found
  }

  /// Returns the problem with a literal format string and its values; nil if there is none.
  private func brokenFormat(_ arguments: [Expression], _ given: [CELType]) -> Problem? {
    guard arguments.count == 2, case .literal(.string(let template)) = arguments[0].kind,
      case .list(let elements) = arguments[1].kind, !elements.contains(where: \.isOptional),
      let clauses = try? TextFormatter.clauses(of: template)
    else { return nil }
    if clauses.count > elements.count {
      return Problem(
        .wrongArguments,
        "the format has \(clauses.count) `%` clauses, and the list \(elements.count) "
          + "\(elements.count == 1 ? "value" : "values")",
        at: arguments[1].range, help: "give a value for each clause")
    }
    guard case .list(let element) = types.resolve(given[1]) else { return nil }
    let isNumber: Bool
    switch types.resolve(element).plain {
    case .string, .timestamp, .duration, .bool, .list, .map: isNumber = false
    default: isNumber = true
    }
    guard !isNumber, let clause = clauses.first(where: { "dfe".unicodeScalars.contains($0) })
    else { return nil }
    return Problem(
      .wrongArguments,
      "`%\(clause)` is for numbers, and this is \(name(element))", at: arguments[1].range,
      help: "write `%s` for the text of any value")
  }

  // MARK: - Elements

  /// Reports an element that a list or map literal lacks.
  mutating func missing(_ origin: Expression, in operand: Expression, at index: Expression) -> Bool
  {
    guard refusesFailures else { return false }
    switch (operand.kind, index.kind) {
    case (.list(let elements), .literal(.int(let position)))
    where position >= Int64(elements.count) && !elements.contains(where: \.isOptional):
      let count = elements.count == 1 ? "1 element" : "\(elements.count) elements"
      report(
        .fails, "index \(position) is out of range: the list has \(count)", at: index.range,
        help: elements.isEmpty ? nil : "the first one is 0, and the last one \(elements.count - 1)")
    case (.map(let entries), .literal(let key)) where Self.lacks(entries, key):
      report(
        .fails, "there is no key \(key) in this map", at: index.range,
        help: Self.keyAdvice(key, entries))
    default: return false
    }
    return true
  }

  /// Reports a field that a map literal lacks.
  mutating func missing(_ field: String, in operand: Expression, at origin: Expression) -> Bool {
    guard refusesFailures, case .map(let entries) = operand.kind,
      Self.lacks(entries, .string(field))
    else { return false }
    report(
      .fails, "there is no key \"\(field)\" in this map", at: origin.focus,
      help: Self.keyAdvice(.string(field), entries))
    return true
  }

  /// Suggests a key of a map literal instead of one that it lacks.
  private static func keyAdvice(_ key: Value, _ entries: [Expression.Element]) -> String? {
    guard case .string(let name) = key else { return nil }
    return EvaluationError.Reason.help(forKey: name, in: entries.map(\.name))
  }

  /// Whether a map literal with constant keys lacks a key.
  private static func lacks(_ entries: [Expression.Element], _ key: Value) -> Bool {
    entries.allSatisfy { entry in
      guard !entry.isOptional, case .literal(let other)? = entry.key?.kind else { return false }
      return other != key
    }
  }
}
