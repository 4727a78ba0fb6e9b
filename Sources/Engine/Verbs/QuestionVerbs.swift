import CEL
import Catalog
import Items
import Program

/// `ask`: asks the person for a value.
enum AskVerb: PlainVerb {
  static let word = "ask"
  static let prompt = Argument<String>("prompt", at: 0, .value(.string), required: true)
  static let type = Argument<DataType>("type", at: 1, .typeName)
  static let values = Argument<[Value]>("values", at: 2, .value(.list(.string)))
  static let defaultValue = Argument<Value>("default", at: 3, .value(.any))
  static let suggestions = Argument<[Value]>("suggestions", at: 4, .value(.list(.any)))
  static let filter = Argument<CompiledExpression>("where", at: 5, .filter)

  static let signature = VerbSignature(
    word,
    [
      prompt.declaration, type.declaration, values.declaration, defaultValue.declaration,
      suggestions.declaration, filter.declaration,
    ], effect: .ask, traits: .setsIt,
    unanswered: { call in
      call[defaultValue] == nil ? "give it a `default`, or \(VerbSignature.askLater)" : nil
    },
    advice: { word, _ in
      ["options", "choices"].contains(word) ? "write `type: enum` and `values: [one, two]`" : nil
    }, resultType: ResultType(resultType))

  private static func resultType(_ call: VerbCall) -> DataType? {
    guard case .type(let declared) = call[type] else { return .string }
    guard case .enumeration = declared.unwrapped else { return declared }
    var type = DataType.string
    if case .value(.constant(.list(let words)), _, _) = call[values] {
      type = .enumeration(words.compactMap { if case .string(let word) = $0 { word } else { nil } })
    }
    return declared.isOptional ? .optional(type) : type
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let runner = arguments.runner
    let renderer = runner.renderer
    let type = try type(of: arguments)
    let name = step.bindingName ?? step.label ?? "answer"
    var converter = runner.run.converter
    converter.isFromPerson = true
    let given = try arguments.value(defaultValue)
    var suggested: [String] = []
    if let values = try arguments.list(suggestions) {
      suggested = values.map { renderer.text(of: $0) }
    } else if case .enumeration(let values) = type.unwrapped {
      suggested = values
    }
    let defaultText = given.map { renderer.text(of: $0) }
    return try runner.run.asker.ask(
      try arguments.text(prompt) ?? "", type: type, keys: step.answerKeys,
      defaultText: defaultText, suggestions: suggested
    ) { text in
      let value: Value
      if text == defaultText ?? "", let given {
        value = try converter.convert(given, to: type, named: name)
      } else {
        if text.isEmpty, !type.isOptional, type != .string {
          throw RunError(.invalidValue, "an answer is needed")
        }
        value = try converter.convert(.string(text), to: type, named: name)
      }
      if try isAllowed(value, arguments) { return runner.run.expanded(value, type) }
      throw RunError(.invalidValue, "“\(text.shortened)” is not allowed here")
    }
  }

  private static func type(of arguments: VerbArguments) throws -> DataType {
    guard case .type(let declared) = arguments[type] else { return .string }
    guard case .enumeration = declared.unwrapped, let values = try arguments.list(values) else {
      return declared
    }
    return .enumeration(values.map { arguments.runner.renderer.text(of: $0) })
  }

  private static func isAllowed(_ value: Value, _ arguments: VerbArguments) throws -> Bool {
    guard case .filter(let expression, let slot) = arguments[filter] else { return true }
    arguments.runner.frame.slots[slot] = value
    return try arguments.runner.holds(expression)
  }
}

/// `choose`: lets the person choose among values.
enum ChooseVerb: PlainVerb {
  static let word = "choose"
  static let from = Argument<[Value]>(
    "from", at: 0, .value(.list(.any)), required: true,
    role: .items, trial: ArgumentTrials.value { if $0 == .list([]) { throw nothing } })
  static let prompt = Argument<String>("prompt", at: 1, .value(.string))
  static let many = Argument<Bool>("many", at: 2, .value(.bool))
  static let display = Argument<CompiledTemplate>("display", at: 3, .itemTemplate)

  static let signature = VerbSignature(
    word,
    [from.declaration, prompt.declaration, many.declaration, display.declaration],
    effect: .ask, traits: .setsIt, unanswered: { _ in VerbSignature.askLater },
    advice: { word, _ in
      ["options", "choices", "values"].contains(word) ? "the list to choose from is `from`" : nil
    },
    resultType: ResultType { call in
      guard case .value(let values, _, _) = call[from], case .list(let element) = values.type
      else { return nil }
      guard let many = call[many] else { return element }
      guard case .value(.constant(.bool(let takesMany)), _, _) = many else { return nil }
      return takesMany ? .list(element) : element
    })

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    guard let values = try arguments.list(from) else { return .null }
    let many = try arguments.flag(many)
    if values.isEmpty { throw nothing }
    let choices = try values.map { try choice(of: $0, arguments) }
    let chosen = try arguments.runner.run.asker.choose(
      choices, prompt: try arguments.text(prompt) ?? "Which one?", keys: step.answerKeys,
      many: many)
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
    let card = runner.renderer.card(of: item)
    return Question.Choice(title: card.title, subtitle: card.subtitle, reference: card.reference)
  }
}

/// `confirm`: asks for a yes.
enum ConfirmVerb: PlainVerb {
  static let word = "confirm"
  static let prompt = Argument<String>("prompt", at: 0, .value(.string), required: true)
  static let danger = Argument<Bool>("danger", at: 1, .value(.bool))
  static let isOptional = Argument<Bool>("optional", at: 2, .value(.bool))

  static let signature = VerbSignature(
    word, [prompt.declaration, danger.declaration, isOptional.declaration],
    effect: .ask, traits: [.setsIt, .onlyTells], unanswered: unanswered,
    resultType: .fixed(.bool)
  )

  /// What is left out fails nothing.
  private static func unanswered(_ call: VerbCall) -> String? {
    guard case .value(let value, _, _)? = call[isOptional] else { return VerbSignature.askLater }
    return value.known == .bool(false) ? VerbSignature.askLater : nil
  }

  static func run(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value? {
    let prompt = try arguments.text(prompt) ?? "Continue?"
    let isOptional = try arguments.flag(isOptional)
    let isYes: Bool
    do {
      isYes = try arguments.runner.run.asker.confirm(
        prompt, keys: step.answerKeys, danger: try arguments.flag(danger))
    } catch let error as RunError where error.code == .needsValue && isOptional {
      // What is optional is left out when nobody can be asked.
      return .bool(false)
    }
    if isYes || isOptional { return .bool(isYes) }
    throw RunError.declined(prompt, "Stopped: you answered no.")
  }
}
