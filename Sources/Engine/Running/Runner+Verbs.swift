import CEL
import Catalog
import Links
import Source
import Store
import YAML

/// The arguments of a call of a verb, read when the verb wants them.
struct VerbArguments {
  private let runner: Runner
  private let names: [String]
  private let arguments: [CompiledArgument?]

  init(_ runner: Runner, _ call: CompiledStep.VerbCall) {
    self.runner = runner
    names = call.verb.arguments.map(\.name)
    arguments = call.arguments
  }

  func argument(_ name: String) -> CompiledArgument? {
    names.firstIndex(of: name).flatMap { arguments[$0] }
  }

  /// The value of an argument, converted to its declared type; nil when it was not given.
  func value(_ name: String) throws -> Value? {
    guard case .value(let compiled, let type, let span) = argument(name) else { return nil }
    do {
      return try runner.value(of: compiled, as: type, named: name)
    } catch var error as RunError {
      if error.span == nil { error.span = span }
      throw error
    }
  }

  func text(_ name: String) throws -> String? {
    try value(name).map { runner.renderer.text(of: $0) }
  }

  func flag(_ name: String) throws -> Bool { try value(name) == .bool(true) }

  func name(_ name: String) -> String? {
    if case .name(let text) = argument(name) { text } else { nil }
  }

  /// The item that an argument gives, itself or by reference.
  func item(_ name: String) throws -> Item {
    switch try value(name) ?? .null {
    case .object(let object):
      if let item = object as? Item { return item }
      throw RunError(.invalidValue, "`\(name)`: a \(object.typeName) is no item")
    case .string(let text):
      return try ItemResolver(runner.session).item(reference: text)
    case .null: throw RunError(.invalidValue, "`\(name)`: there is no item here, but null")
    case let other:
      throw RunError(.invalidValue, "`\(name)`: \(other.text.shortened) is no item")
    }
  }

  /// Names with their values, each converted to its property's type.
  func fields(_ name: String, of entity: EntityDefinition) throws -> [(name: String, value: Value)]
  {
    guard case .fields(let fields) = argument(name) else { return [] }
    return try fields.map { field in
      guard let property = entity.property(field.name) else {
        throw RunError(
          .invalidValue, "\(entity.displayName) has no property `\(field.name)`",
          help: Suggestion.help(for: field.name, in: entity.properties.map(\.name.text)),
          at: field.span)
      }
      return (field.name, try runner.property(property, field))
    }
  }
}

extension Runner {
  /// Runs a verb: how the steps go on, and the value if it has one.
  func run(_ call: CompiledStep.VerbCall, _ step: CompiledStep) throws -> (Flow, Value?) {
    let arguments = VerbArguments(self, call)
    switch call.verb {
    case .say:
      session.front.say(try arguments.text("text") ?? "")
    case .show: try show(arguments)
    case .ask: return (.next, try ask(arguments, step))
    case .choose: return (.next, try choose(arguments, step))
    case .confirm: return (.next, try confirm(arguments, step))
    case .value: return (.next, try arguments.value("value"))
    case .set: try set(call)
    case .find: return (.next, try find(arguments))
    case .get: return (.next, try get(arguments))
    case .create: return (.next, try create(arguments))
    case .update: return (.next, try update(arguments))
    case .delete: try delete(arguments, step)
    case .recordUse: try recordUse(arguments)
    case .wrap:
      return (.next, .string(try LinkSigning(session).wrap(try arguments.item("link"))))
    case .unwrap: return (.next, try unwrap(arguments))
    case .openURL: return (.next, try open(arguments))
    case .copy: try copy(arguments)
    case .paste: return (.next, .string(session.host.readClipboard() ?? ""))
    case .log: session.host.log(try arguments.text("text") ?? "")
    case .run: return (.next, try runNamed(arguments))
    case .stop: return (.stop, nil)
    case .returnValue: return (.returned(try arguments.value("value") ?? it), nil)
    case .fail:
      throw RunError(
        RunError.Code(try arguments.text("code") ?? "failed"), try arguments.text("message") ?? "")
    case .breakLoop: return (.breakLoop, nil)
    case .continueLoop: return (.continueLoop, nil)
    }
    return (.next, nil)
  }

  // MARK: Talking

  private func show(_ arguments: VerbArguments) throws {
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

  private func ask(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value {
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

  private func choose(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value {
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

  private func confirm(_ arguments: VerbArguments, _ step: CompiledStep) throws -> Value {
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

  // MARK: Variables

  private func set(_ call: CompiledStep.VerbCall) throws {
    guard case .fields(let fields)? = call.arguments.first else { return }
    // All values are found before any is set, so that two variables can change places.
    let values = try fields.map { field -> Value in
      guard let type = field.type else { return try value(of: field.value) }
      return try value(of: field.value, as: type, named: field.name)
    }
    for (field, value) in zip(fields, values) {
      guard let slot = field.slot else { continue }
      frame.slots[slot] = try kept(value, like: frame.slots[slot], field)
    }
  }

  /// A variable keeps its type; null and a number of the wider kind are let in.
  private func kept(
    _ new: Value, like old: Value, _ field: CompiledArgument.Field
  ) throws -> Value {
    switch (old, new) {
    case (.null, _), (_, .null): return new
    case (.double, .int(let int)): return .double(Double(int))
    default:
      if field.type == .any || old.typeName == new.typeName { return new }
      throw RunError(
        .invalidValue,
        "`\(field.name)` holds \(old.typeName), and \(new.typeName) does not fit",
        help: "a variable keeps its type; use another one", at: field.span)
    }
  }

  // MARK: Beyond

  private func unwrap(_ arguments: VerbArguments) throws -> Value {
    let link = try LinkSigning(session).unwrap(try arguments.text("text") ?? "")
    return .map(
      MapValue([
        ("url", .string(link.url)), ("title", link.title.map(Value.string) ?? .null),
        ("id", .string(link.id)),
      ]))
  }

  private func open(_ arguments: VerbArguments) throws -> Value {
    guard case .string(let url)? = try arguments.value("url") else {
      throw RunError(.invalidValue, "`url`: there is nothing to open")
    }
    if session.host.open(url) { return .bool(true) }
    session.front.say("There is no browser to open it with, so here it is: \(url)")
    return .bool(false)
  }

  private func copy(_ arguments: VerbArguments) throws {
    let value = try arguments.value("value") ?? .null
    let text: String
    if case .list(let values) = value {
      text = values.map { renderer.plainText(of: $0) }.joined(separator: "\n")
    } else {
      text = renderer.plainText(of: value)
    }
    guard session.host.writeClipboard(text) else {
      throw RunError(
        .failed, "there is no clipboard here to copy to",
        help: "install wl-clipboard, xclip or xsel")
    }
  }

  private func runNamed(_ arguments: VerbArguments) throws -> Value {
    let name: String
    switch arguments.argument("name") {
    case .name(let text): name = text
    case .dynamicName(let template, _): name = try text(of: template)
    default: return .null
    }
    let callee = try session.action(name)
    let parameters = callee.definition.allParameters
    var given: [Int: GivenValue] = [:]
    if let input = try arguments.value("input") {
      guard
        let index = parameters.firstIndex(where: {
          $0.name.text == callee.definition.primaryParameter?.name.text
        })
      else { throw RunError(.invalidValue, "`\(name)` takes no input") }
      given[index] = .value(input)
    }
    if case .fields(let fields) = arguments.argument("with") {
      for field in fields {
        guard let index = parameters.firstIndex(where: { $0.name.text == field.name }) else {
          throw RunError(
            .invalidValue, "`\(name)` has no parameter `\(field.name)`",
            help: Suggestion.help(for: field.name, in: parameters.map(\.name.text)), at: field.span)
        }
        given[index] = .value(try value(of: field.value))
      }
    }
    return try session.invoke(callee, given, depth: depth + 1, speaks: false).value
  }
}
