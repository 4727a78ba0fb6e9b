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

  @Sendable
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
