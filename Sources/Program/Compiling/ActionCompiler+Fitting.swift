import CEL
import Catalog
import Items
import Source
import YAML

/// Reports values that can't fit where they stand, whatever happens in the run.
extension ActionCompiler {
  /// Whether mistakes of types are looked for in a place: a cold start has no time for what the
  /// tests of this release have checked.
  func isChecked(_ span: Span) -> Bool { !span.file.isBuiltIn || context.checksBuiltIns }

  /// Reports a template whose value can't be taken for a type.
  func expectFit(_ template: CompiledTemplate, _ type: DataType, at span: Span) {
    guard isChecked(span) else { return }
    guard let lone = template.lone else {
      if !type.mayTake(.string) { reportMisfit("this is text", type, at: span) }
      return
    }
    guard let given = lone.checked?.type, !type.mayTake(given) else { return }
    let text = lone.source.text.trimmingSpaces.shortened
    reportMisfit(
      "`\(text)` is \(given)", type, at: lone.source.span, help: type.remedy(for: given, text))
  }

  private func reportMisfit(_ what: String, _ type: DataType, at span: Span, help: String? = nil) {
    collector.report(
      "invalid-value", "\(what), but \(type.description) is expected here", at: span, help: help)
  }

  /// Reports text that is no day, no moment or no length of time, where one is wanted.
  func expectReadable(_ text: String, as type: DataType, at span: Span) {
    guard isChecked(span) else { return }
    let examples: String
    // Which day `friday` is, is known when the step runs; that it is one, is known now.
    let reader = DateReader(now: Timestamp(seconds: 1_795_219_200), clock: .utc)
    switch type {
    case .duration where DurationReader.duration(text) == nil: examples = DurationReader.examples
    case .date where reader.date(text) == nil: examples = DateReader.dayExamples
    case .timestamp where reader.timestamp(text) == nil: examples = DateReader.examples
    default: return
    }
    collector.report(
      "invalid-value", "“\(text.shortened)” isn't a \(type.description)", at: span,
      help: "write it as one of: \(examples)")
  }

  /// Reports a fixed number that lies outside of what an argument takes.
  func expect(
    _ value: CompiledValue, in range: ClosedRange<Double>, named name: String, at span: Span
  ) {
    guard isChecked(span), let known = value.known else { return }
    let number: Double
    switch known {
    case .int(let int): number = Double(int)
    case .double(let double): number = double
    default: return
    }
    if range.contains(number) { return }
    let least = Value.double(range.lowerBound).text
    let wanted =
      range.upperBound.isFinite
      ? "from \(least) to \(Value.double(range.upperBound).text)" : "at least \(least)"
    collector.report("invalid-value", "`\(name)` must be \(wanted), not \(known.text)", at: span)
  }

  /// Reports a call that gives none of the arguments of which it needs one, or several of which it
  /// takes one.
  func expectOne(
    of alternatives: VerbSignature.Alternatives, _ given: [String: Node], _ verb: VerbSignature,
    _ call: Step.Call
  ) {
    let found = alternatives.names.filter { given[$0] != nil }
    let names = alternatives.names.map { "`\($0)`" }
    let list = names.dropLast().joined(separator: ", ") + " or " + (names.last ?? "")
    if found.isEmpty {
      collector.report(
        "missing-argument", "`\(verb.name)` needs \(list)", at: call.name.span,
        help: "add one of them to its arguments")
    } else if alternatives.isExclusive, found.count > 1, let node = given[found[1]] {
      collector.report(
        "unknown-argument", "`\(verb.name)` takes only one of \(list)", at: node.span,
        help: "take `\(found[0])` or `\(found[1])` out")
    }
  }

  /// Reports a fixed value that a parameter's constraints leave out.
  func expectAllowed(_ value: CompiledValue, for parameter: ParameterDefinition, at span: Span) {
    guard isChecked(span), let known = value.known, !known.isNull else { return }
    var problem = parameter.constraints.problem(of: known)
    if problem == nil, let pattern = parameter.constraints.pattern,
      case .string(let text) = known, matches(text, pattern) == false
    {
      problem = "“\(text.shortened)” does not match \(pattern.text)"
    }
    if problem == nil, let filter = parameter.constraints.filter, !isTextOfAnother(parameter.type),
      holds(filter, for: known) == false
    {
      problem = "“\(known.text.shortened)” is not allowed: \(filter.text) must hold"
    }
    guard let problem else { return }
    collector.report("invalid-value", "`\(parameter.name.text)`: \(problem)", at: span)
  }

  /// Whether a text matches a pattern; nil when it is none.
  private func matches(_ text: String, _ pattern: Scalar) -> Bool? {
    guard let program = try? patternProgram(pattern),
      let value = try? program.evaluate({ _ in .string(text) })
    else { return nil }
    return value == .bool(true)
  }

  /// Whether a value that is written as text is another one for the callee.
  private func isTextOfAnother(_ type: DataType) -> Bool {
    switch type.unwrapped {
    case .date, .timestamp, .duration, .entity, .share, .any, .list, .map: true
    default: false
    }
  }

  /// Whether a condition on `self` alone holds for a value; nil where that is not known.
  private func holds(_ filter: ExpressionSource, for value: Value) -> Bool? {
    guard let expression = try? Expression.parse(filter.text),
      let program = try? context.environment.compile(expression), program.variables == ["self"],
      let result = try? program.evaluate({ _ in value })
    else { return nil }
    return result != .bool(false)
  }

  /// Why what is returned may not be null; nil where it may.
  var needOfReturns: String? {
    returns.flatMap { $0.isOptional ? nil : "`returns` needs a value" }
  }

  /// Reports the value of a `return`, which is `it` where none is given, when it can't be what the
  /// action returns.
  func expectReturned(by argument: CompiledArgument?, isGiven: Bool, at span: Span) {
    guard isGiven else { return expectReturnedIt(at: span) }
    if case .value(let value, _, let place) = argument {
      expectReturned(value.type, at: place)
      expectReturnable(value.known, at: place)
    }
  }

  /// Reports `it`, which is returned where nothing else is, when its type can't be that of `returns`.
  func expectReturnedIt(at span: Span) {
    let type = scopes.knowledge.itType
    expectReturned(scopes.knowledge.isKnown("it") ? type?.unwrapped : type, at: span)
    expectReturnable(scopes.knowledge.itValue, at: span)
  }

  /// Reports what is returned where its type can't be that of `returns`.
  private func expectReturned(_ type: DataType?, at span: Span) {
    guard isChecked(span), let returns, let type else { return }
    if !returns.mayTake(type.celType) {
      reportMisfit("the returned value is \(type.description)", returns, at: span)
    } else if case .optional = type, !returns.isOptional {
      collector.report(
        "expression-maybe-null",
        "the returned value may be null, and `returns` needs \(returns.description)", at: span,
        help: "write `returns: '\(returns.description)?'`, or return a value in any case")
    }
  }

  /// Reports a text that is returned, whatever happens in the run, and can't be read as what
  /// `returns` says.
  func expectReturnable(_ value: Value?, at span: Span) {
    guard isChecked(span), let returns, case .string(let text)? = value else { return }
    let reader = DateReader(now: Timestamp(seconds: 1_795_219_200), clock: .utc)
    let isReadable =
      switch returns.unwrapped {
      case .date: reader.date(text) != nil
      case .timestamp: reader.timestamp(text) != nil
      case .duration: DurationReader.duration(text) != nil
      case .int, .double, .bool, .url, .refined, .enumeration:
        (try? LiteralReader.read(text, as: returns.unwrapped).get()) != nil
      default: true
      }
    if isReadable { return }
    collector.report(
      "invalid-value",
      "`returns` says \(returns.description), but the result is the text “\(text.shortened)”",
      at: span, help: "return another value, or write `returns: string`")
  }
}

extension CompiledStep.Kind {
  /// The value that a `value` step gives in every run; nil for other steps and values.
  var writtenValue: Value? {
    if case .verb(let call) = self { call.givenValue?.known } else { nil }
  }
}
