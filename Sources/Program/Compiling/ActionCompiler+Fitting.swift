import CEL
import Catalog
import Items
import Source
import YAML

/// Checks of static types where any run would fail.
extension ActionCompiler {
  /// Whether types are checked at a place: built-in definitions are checked by the tests of a
  /// release, not at each start.
  func isChecked(_ span: Span) -> Bool { !span.file.isBuiltIn || context.checksBuiltIns }

  /// Reports a template whose value cannot be converted to a type.
  func expectFit(_ template: CompiledTemplate, _ type: DataType, at span: Span) {
    guard isChecked(span) else { return }
    guard let lone = template.lone else {
      if !type.mayTake(.string) {
        var help: String?
        if case .map = type.unwrapped {
          // Without the quotes of the document.
          let text = span.text.filter { $0 != "'" }
          let node = Node(
            content: .scalar(Scalar(text: text, style: .plain, span: span)), span: span)
          help = "write a mapping: {\(Self.entries(meantBy: [node]))}"
        }
        reportMismatch("this is text", type, at: span, help: help)
      }
      return
    }
    guard let given = lone.checked?.type, !type.mayTake(given) else { return }
    let text = lone.source.text.trimmingSpaces.shortened
    reportMismatch(
      "`\(text)` is \(given)", type, at: lone.source.span, help: type.remedy(for: given, text))
  }

  private func reportMismatch(_ what: String, _ type: DataType, at span: Span, help: String? = nil)
  {
    report("\(what), but \(type.description) is expected here", at: span, help: help)
  }

  /// Reports text that is not a date, timestamp or duration where one is expected.
  func expectReadable(_ text: String, as type: DataType, at span: Span) {
    guard isChecked(span) else { return }
    let examples: String
    // The date of `friday` depends on the run, but its syntax can be checked now.
    let reader = DateReader(now: Timestamp(seconds: 1_795_219_200), clock: .utc)
    switch type {
    case .duration where DurationReader.duration(text) == nil: examples = DurationReader.examples
    case .date where reader.moment(text, as: type) == nil,
      .when where reader.moment(text, as: type) == nil,
      .timestamp where reader.moment(text, as: type) == nil:
      examples = DateReader.examples(of: type)
    default: return
    }
    let isNumber = type == .duration && Double(text) != nil
    report(
      DateReader.complaint(about: text, as: type), at: span,
      help: isNumber
        ? "write the unit: `\(text)s`"
        : type == .duration && text.hasPrefix("until ")
          ? "write `{until: \(text.dropFirst(6))}`"
          : DateReader.impossibility(of: text)
            ?? reader.suggestion(for: text).flatMap {
              $0.first?.isLetter == true ? "did you mean `\($0)`?" : nil
            }
            ?? (type == .duration && reader.timestamp(text) != nil
              ? "a moment is waited for by `{until: '\(text)'}`" : nil)
            ?? "write it as one of: \(examples)")
  }

  /// Reports a constant number outside an argument's range.
  func expect(
    _ value: CompiledValue, in range: ClosedRange<Double>, named name: String, at span: Span
  ) {
    guard isChecked(span), let known = value.known, let problem = range.problem(with: known) else {
      return
    }
    report("`\(name)` \(problem)", at: span)
  }

  /// Reports a call with none of its alternative arguments, or with several exclusive ones.
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
        help: "remove `\(found[0])` or `\(found[1])`")
    }
  }

  /// Reports a constant value that violates a parameter's constraints.
  func expectAllowed(_ value: CompiledValue, for parameter: ParameterDefinition, at span: Span) {
    guard isChecked(span), let known = value.known, !known.isNull else { return }
    var problem = parameter.constraints.complaint(about: known)
    if problem == nil, let filter = parameter.filter, !isTextOfAnother(parameter.type),
      holds(filter, for: known) == false
    {
      problem = "“\(known.text.shortened)” is not allowed: \(filter.text) must hold"
    }
    guard let problem else { return }
    report("`\(parameter.name.text)`: \(problem)", at: span)
  }

  /// Whether the callee converts text of this type to another value.
  private func isTextOfAnother(_ type: DataType) -> Bool {
    switch type.unwrapped {
    case .date, .when, .timestamp, .duration, .entity, .share, .any, .list, .map: true
    default: false
    }
  }

  /// Evaluates a condition on `self` alone for a value; nil if it cannot be decided.
  private func holds(_ filter: ExpressionSource, for value: Value) -> Bool? {
    guard let expression = try? Expression.parse(filter.text),
      let program = try? context.environment.compile(expression), program.variables == ["self"],
      let result = try? program.evaluate({ _ in value })
    else { return nil }
    return result != .bool(false)
  }

  /// The reason why the returned value must not be null; nil if it may be.
  var needOfReturns: String? { returns.flatMap { $0.isOptional ? nil : "`returns` needs a value" } }

  /// Reports a `return` value (`it` by default) that cannot have the declared result type.
  func expectReturned(by argument: CompiledArgument?, isGiven: Bool, at span: Span) {
    guard isGiven else { return expectReturnedIt(at: span) }
    if case .value(let value, _, let place) = argument {
      expectReturned(value.type, at: place)
      expectReturnable(value.known, at: place)
    }
  }

  /// Reports `it` as the default result if its type cannot be that of `returns`.
  func expectReturnedIt(at span: Span) {
    let type = scopes.flowFacts.itType
    expectReturned(scopes.flowFacts.isKnown("it") ? type?.unwrapped : type, at: span)
    expectReturnable(scopes.flowFacts.itValue, at: span)
  }

  /// Reports a result whose type cannot be that of `returns`.
  private func expectReturned(_ type: DataType?, at span: Span) {
    guard isChecked(span), let returns, let type,
      returns.entityName.map(context.catalog.entityNames.contains) ?? true
    else { return }
    if !returns.mayTake(type.celType) {
      reportMismatch("the returned value is \(type.description)", returns, at: span)
    } else if case .optional = type, !returns.isOptional {
      collector.report(
        "expression-maybe-null",
        "the returned value may be null, and `returns` needs \(returns.description)", at: span,
        help: "write `returns: '\(returns.description)?'`, or return a value in any case")
    }
  }

  /// Reports a constant text that is returned but cannot be parsed as the type of `returns`.
  func expectReturnable(_ value: Value?, at span: Span) {
    guard isChecked(span), let returns, case .string(let text)? = value else { return }
    let reader = DateReader(now: Timestamp(seconds: 1_795_219_200), clock: .utc)
    let isReadable =
      switch returns.unwrapped {
      case .date, .when, .timestamp: reader.moment(text, as: returns.unwrapped) != nil
      case .duration: DurationReader.duration(text) != nil
      case .int, .double, .bool, .url, .refined, .enumeration:
        (try? LiteralReader.read(text, as: returns.unwrapped).get()) != nil
      default: true
      }
    if isReadable { return }
    report(
      "`returns` says \(returns.description), but the result is the text “\(text.shortened)”",
      at: span, help: "return another value, or write `returns: string`")
  }
}

extension CompiledStep.Kind {
  /// The constant value of a `value` step; nil for other steps and values.
  var writtenValue: Value? {
    if case .verb(let call) = self { call.givenValue?.known } else { nil }
  }
}
