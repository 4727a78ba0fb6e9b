import CEL
import Catalog
import Store

/// The verbs that speak to the person and ask.
extension Runner {
  func show(_ arguments: VerbArguments) throws {
    let value = try arguments.value("value") ?? .null
    switch arguments.name("as") {
    case "table": session.front.show(renderer.table(of: value))
    case "text": session.front.show(Presentation(.text(renderer.text(of: value)), value: value))
    default: session.front.show(renderer.presentation(of: value))
    }
  }

  private func keys(of step: CompiledStep) -> [String] {
    [step.bindingName, step.label].compactMap { $0 }
  }

  func ask(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value {
    var type = DataType.string
    if case .type(let declared) = arguments.argument("type") { type = declared }
    if case .enumeration = type.unwrapped, case .list(let values)? = try arguments.value("values") {
      type = .enumeration(values.map { renderer.text(of: $0) })
    }
    let name = step.bindingName ?? step.label ?? "answer"
    var converter = Converter(session)
    converter.isFromPerson = true
    let given = try arguments.value("default")
    var suggestions: [String] = []
    if case .list(let values)? = try arguments.value("suggestions") {
      suggestions = values.map { renderer.text(of: $0) }
    } else if case .enumeration(let values) = type.unwrapped {
      suggestions = values
    }
    let prompt = try arguments.text("prompt") ?? ""
    let asker = Asker(session)
    func isAllowed(_ value: Value) throws -> Bool {
      guard case .filter(let filter, let slot) = arguments.argument("where") else { return true }
      frame.slots[slot] = value
      return try holds(filter)
    }
    let defaultText = given.map { renderer.text(of: $0) }
    return try asker.ask(
      prompt, type: type, keys: keys(of: step), defaultText: defaultText, suggestions: suggestions
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
      if try isAllowed(value) { return value }
      throw RunError(.invalidValue, "“\(text.shortened)” is not allowed here")
    }
  }

  func choose(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value {
    guard case .list(let values)? = try arguments.value("from") else { return .null }
    let many = try arguments.flag("many")
    if values.isEmpty { throw RunError(.notFound, "there is nothing to choose from") }
    let choices = try values.map { value -> Question.Choice in
      if case .itemTemplate(let template, let slot) = arguments.argument("display") {
        frame.slots[slot] = value
        return Question.Choice(title: try text(of: template), reference: reference(of: value))
      }
      if case .object(let object) = value, let item = object as? Item {
        let card = renderer.card(of: item)
        return Question.Choice(
          title: card.title, subtitle: card.subtitle, reference: card.reference)
      }
      return Question.Choice(title: renderer.text(of: value))
    }
    let prompt = try arguments.text("prompt") ?? "Which one?"
    let chosen = try Asker(session).choose(
      choices, prompt: prompt, keys: keys(of: step), many: many)
    if many { return .list(chosen.map { values[$0] }) }
    return chosen.first.map { values[$0] } ?? .null
  }

  private func reference(of value: Value) -> String? {
    guard case .object(let object) = value, let item = object as? Item else { return nil }
    return item.reference?.description
  }

  func confirm(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value {
    let prompt = try arguments.text("prompt") ?? "Go on?"
    let isYes: Bool
    let isOptional = try arguments.flag("optional")
    do {
      isYes = try Asker(session).confirm(
        prompt, keys: keys(of: step), danger: try arguments.flag("danger"))
    } catch let error as RunError where error.code == .needsValue && isOptional {
      // What is optional is left out when nobody can be asked.
      return .bool(false)
    }
    if isYes { return .bool(true) }
    if isOptional { return .bool(false) }
    throw RunError(.declined, "“\(prompt)” was answered with no")
  }
}
