import CEL
import Catalog
import Items
import Program

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
    let item: Item? = if case .object(let object) = value { object as? Item } else { nil }
    let runner = arguments.runner
    if case .itemTemplate(let template, let slot) = arguments[display] {
      runner.frame.slots[slot] = value
      return Question.Choice(
        title: try runner.text(of: template), reference: item?.reference?.description)
    }
    guard let item else { return Question.Choice(title: runner.renderer.text(of: value)) }
    let card = runner.renderer.card(of: item)
    return Question.Choice(title: card.title, subtitle: card.subtitle, reference: card.reference)
  }
}
