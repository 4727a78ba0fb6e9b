import CEL
import Catalog
import Items
import Program
import Store

extension Runner {
  /// Whether an expression holds.
  ///
  /// - Throws: `invalid-value` when its value is not a bool.
  func holds(_ expression: CompiledExpression) throws -> Bool {
    let value = try evaluate(expression)
    guard case .bool(let holds) = value else {
      throw RunError(
        .invalidValue, "this condition gives \(value.typeName), and true or false is wanted",
        at: expression.source.span)
    }
    return holds
  }

  /// The value of an expression.
  func evaluate(_ expression: CompiledExpression) throws -> Value {
    var spent = 0
    let value: Value
    do throws(EvaluationError) {
      value = try expression.evaluate(frame, spent: &spent, mustStop: mustStop)
    } catch {
      if error.code == .interrupted { try strand.check(run.host.machine.monotonic) }
      throw RunError(error, in: expression.source)
    }
    if spent > 0 { try run.budget.spend(spent) }
    return value
  }

  /// Runs a search of a store, which ends when the line of steps must end.
  func searching<Result>(
    _ store: EntityStore, in source: ExpressionSource?, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try RunError.translating(in: source) {
        try store.ending(when: mustStop, body)
      }
    } catch let end as Cancellation {
      // The store knows that it was ended, and not by whom.
      try strand.check(run.host.machine.monotonic)
      throw end
    }
  }

  /// The value of an argument, its strings and items as they are.
  func value(of compiled: CompiledValue) throws -> Value {
    switch compiled {
    case .constant(let value): return value
    case .template(let template):
      if let lone = template.lone { return try evaluate(lone) }
      let (text, parts) = try compose(template, revealing: true)
      return parts.isEmpty ? .string(text) : .object(Secret(text, parts: parts))
    case .list(let values): return .list(try values.map(value))
    case .map(let entries):
      var map = MapValue()
      for (key, entry) in entries { map[key] = try value(of: entry) }
      return .map(map)
    }
  }

  /// The value of an argument as a type wants it.
  func value(of compiled: CompiledValue, as type: DataType, named name: String) throws -> Value {
    try run.converter.convert(try value(of: compiled), to: type, named: name)
  }

  /// The text of a template.
  func text(of template: CompiledTemplate) throws -> String {
    try compose(template, revealing: false).text
  }

  /// The text of a template, and its parts when a secret is in it.
  ///
  /// - Parameter revealing: whether a secret stands in it as it is.
  private func compose(
    _ template: CompiledTemplate, revealing: Bool
  ) throws -> (text: String, secretParts: [Secret.Part]) {
    var result = ""
    var parts: [Secret.Part] = []
    // Where what follows the last secret begins.
    var plainStart = result.startIndex
    func takePlain() {
      if plainStart < result.endIndex { parts.append(.plain(String(result[plainStart...]))) }
    }
    for segment in template.segments {
      switch segment {
      case .text(let text): result += text
      case .expression(let expression):
        let value = try ValueBounds.checked(evaluate(expression))
        if revealing, let secret = value.secret {
          takePlain()
          parts += secret.parts
          result += secret.text
          plainStart = result.endIndex
        } else {
          result += renderer.text(of: value)
        }
      }
      if result.utf8.count > Self.textLimit {
        throw RunError(
          .invalidValue, "the text has more than \(Self.textLimit >> 20) MiB",
          at: template.segments.lazy.compactMap { segment in
            if case .expression(let expression) = segment { expression.source.span } else { nil }
          }.first)
      }
    }
    try run.budget.made(bytes: result.utf8.count)
    if !parts.isEmpty { takePlain() }
    return (result, parts)
  }
}
