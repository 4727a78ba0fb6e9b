import CEL
import Catalog
import Items
import Program

/// `ask`: asks the person for a value.
enum AskVerb: Verb {
  static let word = "ask"
  static let prompt = Argument<String>("prompt", at: 0, .value(.string), required: true)
  static let type = Argument<DataType>("type", at: 1, .typeName)
  static let values = Argument<[Value]>("values", at: 2, .value(.list(.string)))
  static let defaultValue = Argument<Value>("default", at: 3, .value(.any))
  static let suggestions = Argument<[Value]>("suggestions", at: 4, .value(.list(.any)))
  static let filter = Argument<CompiledExpression>("where", at: 5, .filter)

  static let signature = VerbSignature(
    word,
    [prompt, type, values, defaultValue, suggestions, filter], effect: .ask, traits: .setsIt,
    unanswered: { _ in
      "take it as a parameter with a `default`, or \(VerbSignature.askLater)"
    }, conflict: conflict, resultType: ResultType(resultType))

  private static func conflict(_ call: VerbCall) -> ArgumentConflict? {
    guard call[values] != nil else { return nil }
    if case .type(let declared) = call[type], case .enumeration = declared.unwrapped { return nil }
    return ArgumentConflict(
      values.name, "`values` is only for `type: enum`",
      help: "write `type: enum`, or `suggestions` instead of `values`")
  }

  private static func resultType(_ call: VerbCall) -> DataType? {
    guard case .type(let declared) = call[type] else { return .string }
    guard case .enumeration = declared.unwrapped else { return declared }
    var type = DataType.string
    if case .value(.constant(.list(let words)), _, _) = call[values] {
      type = .enumeration(words.compactMap(\.asText))
    }
    return declared.isOptional ? .optional(type) : type
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let runner = arguments.runner
    let renderer = runner.renderer
    let type = try type(of: arguments)
    let name = step.bindingName ?? step.label ?? "answer"
    let converter = runner.run.converter(ofPerson: true)
    let given = try arguments.value(defaultValue)
    let suggested = try arguments.list(suggestions)?.map(renderer.text(of:)) ?? type.words
    let defaultText = given.map { renderer.text(of: $0) }
    return try runner.run.asker.ask(
      try arguments.text(prompt) ?? "", type: type, keys: step.answerKeys,
      defaultText: defaultText, suggestions: suggested
    ) { text in
      let isDefault = text == defaultText ?? "" && given != nil
      let isNone = !isDefault && text.isEmpty
      if isNone, !type.isOptional, !type.isList, type != .string {
        throw RunError(.invalidValue, "an answer is required")
      }
      let answer =
        isDefault ? given ?? .null : isNone && type.isList ? .list([]) : .string(text)
      let value = try converter.convert(answer, to: type, named: name)
      if try isAllowed(value, arguments) { return runner.run.expanded(value, type) }
      throw RunError(.invalidValue, "“\(text.shortened)” is not allowed here")
    }
  }

  private static func type(of arguments: VerbArguments) throws -> DataType {
    guard case .type(let declared) = arguments[type] else { return .string }
    guard case .enumeration = declared.unwrapped, let values = try arguments.list(values) else {
      return declared
    }
    return .enumeration(values.map { arguments.renderer.text(of: $0) })
  }

  private static func isAllowed(_ value: Value, _ arguments: VerbArguments) throws -> Bool {
    guard case .filter(let expression, let slot) = arguments[filter] else { return true }
    arguments.runner.frame.slots[slot] = value
    return try arguments.runner.holds(expression)
  }
}

/// `choose`: asks the person to choose among values.
enum ChooseVerb: Verb {
  static let word = "choose"
  static let from = Argument<[Value]>(
    "from", at: 0, .value(.list(.any)), required: true,
    role: .items, trial: ArgumentTrials.value { if $0 == .list([]) { throw nothing } })
  static let prompt = Argument<String>("prompt", at: 1, .value(.string))
  static let many = Argument<Bool>("many", at: 2, .value(.bool))
  static let display = Argument<CompiledTemplate>("display", at: 3, .itemTemplate)

  static let signature = VerbSignature(
    word,
    [from, prompt, many, display],
    effect: .ask, traits: .setsIt, unanswered: { _ in VerbSignature.askLater },
    resultType: ResultType { call in
      guard case .value(let values, _, _) = call[from], case .list(let element) = values.type
      else { return nil }
      return call.flag(many).map { $0 ? .list(element) : element }
    })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard let values = try arguments.list(from) else { return .null }
    let many = try arguments.flag(many)
    if values.isEmpty { throw nothing }
    let choices = try values.map { try choice(of: $0, arguments) }
    let chosen = try arguments.run.asker.choose(
      choices, prompt: try arguments.text(prompt) ?? arguments.run.words.whichOne,
      keys: step.answerKeys, many: many)
    if many { return .list(chosen.map { values[$0] }) }
    return chosen.first.map { values[$0] } ?? .null
  }

  private static var nothing: RunError { RunError(.notFound, "there is nothing to choose from") }

  private static func choice(
    of value: Value, _ arguments: VerbArguments
  ) throws -> Question.Choice {
    let runner = arguments.runner
    if case .itemTemplate(let template, let slot) = arguments[display] {
      runner.frame.slots[slot] = value
      return Question.Choice(
        title: try runner.text(of: template), reference: value.item?.reference?.description)
    }
    guard let item = value.item else {
      return Question.Choice(title: runner.renderer.text(of: value))
    }
    return Question.Choice(runner.renderer.card(of: item))
  }
}

/// `confirm`: asks for confirmation.
enum ConfirmVerb: Verb {
  static let word = "confirm"
  static let prompt = Argument<String>("prompt", at: 0, .value(.string), required: true)
  static let danger = Argument<Bool>("danger", at: 1, .value(.bool))
  static let isOptional = Argument<Bool>("optional", at: 2, .value(.bool))

  static let signature = VerbSignature(
    word, [prompt, danger, isOptional],
    effect: .ask, traits: [.setsIt, .onlyTells], unanswered: unanswered,
    resultType: .fixed(.bool)
  )

  /// An optional confirmation does not fail without an answer.
  private static func unanswered(_ call: VerbCall) -> String? {
    guard case .value(let value, _, _)? = call[isOptional] else { return VerbSignature.askLater }
    return value.known == .bool(false) ? VerbSignature.askLater : nil
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let prompt = try arguments.text(prompt) ?? arguments.run.words.goOn
    let isOptional = try arguments.flag(isOptional)
    do {
      let isYes = try arguments.run.asker.confirm(
        prompt, keys: step.answerKeys, danger: try arguments.flag(danger))
      if isYes || isOptional { return .bool(isYes) }
    } catch let error as RunError where error.code == .needsValue && isOptional {
      // In a non-interactive run, an optional confirmation is false.
      return .bool(false)
    }
    throw RunError.declined(prompt, "Stopped: you answered no.")
  }
}
