package import CEL
package import Catalog
import Items
import Program
import YAML

/// Gives each parameter its value: given, then default, then asked for (language §4).
struct ParameterBinder {
  private let runner: Runner
  private var run: Run { runner.run }

  init(_ runner: Runner) {
    self.runner = runner
  }

  func bind(_ given: [Int: GivenValue]) throws {
    for (index, parameter) in runner.action.parameters.enumerated() {
      runner.frame.slots[parameter.slot] = try value(of: parameter, given[index])
    }
  }

  private func value(of parameter: CompiledParameter, _ given: GivenValue?) throws -> Value {
    let definition = parameter.definition
    switch given {
    case .value(.null) where !definition.type.isOptional: break
    case .value(let value): return try checked(value, parameter, isFromPerson: false)
    case .texts(let texts):
      do {
        return try checked(Self.joined(texts, definition.type), parameter, isFromPerson: true)
      } catch let error as RunError {
        throw error.asUsage
      }
    case nil:
      let name = definition.name.text
      if let answer = try run.answers.takeParameter(name, takesMany: definition.type.isList) {
        do {
          var answer = answer
          if case .enumeration(let values) = definition.type.unwrapped {
            answer = Asker.picked(answer, definition.type, values)
          }
          return try checked(.string(answer), parameter, isFromPerson: true)
        } catch let error as RunError {
          throw error.asUsage
        }
      }
    }
    if let compiled = parameter.defaultValue {
      return try checked(try runner.value(of: compiled), parameter, isFromPerson: false)
    }
    if definition.type.isOptional { return .null }
    return try ask(parameter)
  }

  /// One text, or a list of what several texts hold.
  private static func joined(_ texts: [String], _ type: DataType) -> Value {
    guard case .list = type.unwrapped else { return .string(texts.last ?? "") }
    return texts.count == 1 ? .string(texts[0]) : .list(texts.map(Value.string))
  }

  private func checked(
    _ value: Value, _ parameter: CompiledParameter, isFromPerson: Bool
  ) throws -> Value {
    let definition = parameter.definition
    let name = definition.name.text
    var converter = run.converter
    converter.answerKeys = [name]
    converter.isFromPerson = isFromPerson
    var value = value
    if case .list(let values) = value, isFromPerson, case .list = definition.type.unwrapped {
      // Several flags, each maybe with several values, are one list.
      value = .list(
        try values.flatMap { part -> [Value] in
          let list = try converter.convert(part, to: definition.type, named: name)
          if case .list(let elements) = list { return elements }
          return [list]
        })
    } else {
      value = try converter.convert(value, to: definition.type, named: name)
    }
    value = run.expanded(value, definition.type)
    try check(value, parameter)
    return value
  }

  private func check(_ value: Value, _ parameter: CompiledParameter) throws {
    let constraints = parameter.definition.constraints
    let name = parameter.definition.name.text
    func fail(_ message: String) -> RunError {
      RunError(.invalidValue, "`\(name)`: \(message)")
    }
    if let problem = constraints.problem(of: value) { throw fail(problem) }
    if let (pattern, slot) = parameter.pattern, case .string(let text) = value {
      runner.frame.slots[slot] = value
      if try !runner.holds(pattern) {
        throw fail("“\(text.shortened)” does not match \(constraints.pattern?.text ?? "")")
      }
    }
    if let (filter, slot) = parameter.filter, value != .null {
      runner.frame.slots[slot] = value
      if try !runner.holds(filter) {
        throw fail(
          "“\(run.renderer.text(of: value).shortened)” is not allowed: "
            + "\(filter.source.text) must hold")
      }
    }
  }

  private func ask(_ parameter: CompiledParameter) throws -> Value {
    let definition = parameter.definition
    let name = definition.name.text
    let prompt = try parameter.prompt.map(runner.text) ?? "\(definition.displayTitle)?"
    // The clipboard is only ever an offered default of the prompt.
    var offered: String?
    if definition.sources?.contains(.clipboard) == true, run.front.canAnswer,
      let text = run.host.readClipboard()?.trimmingSpaces, !text.isEmpty,
      (try? checked(.string(text), parameter, isFromPerson: true)) != nil
    {
      offered = text
    }
    var suggestions: [String] = []
    if let compiled = parameter.suggestions, case .list(let values) = try runner.value(of: compiled)
    {
      suggestions = values.map { run.renderer.text(of: $0) }
    } else if case .enumeration(let values) = definition.type.unwrapped {
      suggestions = values
    } else if case .entity(let entity) = definition.type.unwrapped, run.front.canAnswer {
      suggestions = try run.suggestedItems(of: entity).map {
        run.renderer.title(of: $0)
      }
    }
    do {
      return try run.asker.ask(
        prompt, type: definition.type, keys: [name], defaultText: offered,
        suggestions: suggestions
      ) { text in
        if text.isEmpty, definition.constraints.minLength != 0 {
          throw RunError(.invalidValue, "`\(name)` needs a value")
        }
        return try checked(.string(text), parameter, isFromPerson: true)
      }
    } catch let error as RunError where error.code == .needsValue {
      let action = runner.action.definition
      throw RunError(
        .needsValue,
        "`\(action.name.text)` needs \(definition.sources == nil ? "`\(name)`" : "an input")"
          + (definition.description.map { ": \($0.prefix(1).lowercased())\($0.dropFirst())" } ?? ""),
        remedy: remedy(for: definition, in: action))
    }
  }

  /// What would supply the value.
  private func remedy(for parameter: ParameterDefinition, in action: ActionDefinition) -> Remedy {
    let name = parameter.name.text
    if runner.depth > 0 { return .callParameter(name) }
    return .parameter(
      name, of: action.name.text, isPrimary: action.primaryParameter?.name.text == name)
  }
}

extension ActionDefinition {
  /// An input and named values by the positions of the parameters.
  package func given(_ input: Value?, _ named: [(name: String, value: Value)]) -> [Int: GivenValue]
  {
    let names = allParameters.map(\.name.text)
    var given: [Int: GivenValue] = [:]
    if let input, let primary = primaryParameter?.name.text,
      let index = names.firstIndex(of: primary)
    {
      given[index] = .value(input)
    }
    for (name, value) in named {
      if let index = names.firstIndex(of: name) { given[index] = .value(value) }
    }
    return given
  }
}
