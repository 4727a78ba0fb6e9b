/// Finds what is wrong with parts that are written out, whatever the values of the others are.
extension Checker {
  /// What is wrong with the arguments of a call that are written out; nil when nothing is known to
  /// be.
  func refusal(
    of name: String, _ functions: [Function], _ arguments: [Expression], _ given: [CELType]
  ) -> Problem? {
    if let broken = brokenLiteral(name, arguments) { return broken }
    guard refusesFailures else { return nil }
    return Self.refused(by: functions, arguments)
      ?? (name == "format" ? brokenFormat(arguments, given) : nil)
  }

  /// What is wrong with a pattern, moment or duration that is written out.
  private func brokenLiteral(
    _ name: String, _ arguments: [Expression]
  ) -> Problem? {
    let position: Int
    switch name {
    case "matches", "regex.replace", "regex.extract", "regex.extractAll": position = 1
    // `date` and `period` are the host's, if it has them.
    case "timestamp", "duration", "date", "period": position = 0
    default: return nil
    }
    guard position < arguments.count,
      case .literal(.string(let text)) = arguments[position].kind
    else { return nil }
    do throws(EvaluationError) {
      switch name {
      case "timestamp", "duration", "date", "period":
        // The host may read more forms than the language does.
        guard let body = reader(name) else { return nil }
        _ = try body(.string(text))
      default: _ = try Regex.shared(text)
      }
      return nil
    } catch {
      let help =
        name == "timestamp" || name == "date"
        ? moment(text).map { "write `\($0)`" } ?? foreignDay(text) : nil
      return Problem(.wrongArguments, error.message, at: arguments[position].range, help: help)
    }
  }

  /// The day that `24.12.2026` or `12/24/2026` means, and how such texts are read; nil for another
  /// text.
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
    func padded(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let pattern = isMonthFirst ? "MM/dd/yyyy" : "dd\(separator)MM\(separator)yyyy"
    return "write `date(\"\(year)-\(padded(month))-\(padded(day))\")`, or read texts of this form "
      + "with `parseDate(text, \"\(pattern)\")`"
  }

  /// What is wrong with an argument that is written out, where every function that may be meant
  /// refuses it.
  private static func refused(
    by functions: [Function], _ arguments: [Expression]
  ) -> Problem? {
    var found: Problem?
    for function in functions {
      guard let trial = function.trial, case .literal(let value) = arguments[trial.position].kind
      else { return nil }
      do throws(EvaluationError) {
        _ = try trial.body(value)
        return nil
      } catch {
        found =
          found ?? Problem(.wrongArguments, error.message, at: arguments[trial.position].range)
      }
    }
    return found
  }

  /// What is wrong with a format that is written out beside the list of its values.
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

  /// Reports an element that a list or a map which is written out does not have.
  mutating func missing(_ origin: Expression, in operand: Expression, at index: Expression) -> Bool
  {
    guard refusesFailures else { return false }
    switch (operand.kind, index.kind) {
    case (.list(let elements), .literal(.int(let position)))
    where position >= Int64(elements.count) && !elements.contains(where: \.isOptional):
      let count = elements.count == 1 ? "1 element" : "\(elements.count) elements"
      _ = report(
        .fails, "index \(position) is out of range: the list has \(count)", at: index.range,
        help: elements.isEmpty ? nil : "the first one is 0, and the last one \(elements.count - 1)")
    case (.map(let entries), .literal(let key)) where Self.lacks(entries, key):
      _ = report(.fails, "there is no key \(key) in this map", at: index.range)
    default: return false
    }
    return true
  }

  /// Reports a field that a map which is written out does not have.
  mutating func missing(_ field: String, in operand: Expression, at origin: Expression) -> Bool {
    guard refusesFailures, case .map(let entries) = operand.kind,
      Self.lacks(entries, .string(field))
    else { return false }
    _ = report(.fails, "there is no key \"\(field)\" in this map", at: origin.focus)
    return true
  }

  /// Whether no entry has a key, all of them being written out.
  private static func lacks(_ entries: [Expression.Entry], _ key: Value) -> Bool {
    entries.allSatisfy { entry in
      guard !entry.isOptional, case .literal(let other) = entry.key.kind else { return false }
      return other != key
    }
  }
}
