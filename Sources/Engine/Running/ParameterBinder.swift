package import CEL
package import Catalog
import Items
import Program
import YAML

/// Binds parameters to argument, default or answer, in this order (language §4).
struct ParameterBinder {
  let runner: Runner
  private var run: Run { runner.run }

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
      return try RunError.asUsage {
        try checked(Self.joined(texts, definition.type), parameter, isFromPerson: true)
      }
    case nil:
      let name = definition.name.text
      if var answer = try run.answers.takeParameter(name, takesMany: definition.type.isList) {
        // An empty answer takes the default, as at the prompt.
        let takesDefault = answer.isEmpty && !definition.type.isList
        if takesDefault, let compiled = parameter.defaultValue {
          return try checked(try runner.value(of: compiled), parameter, isFromPerson: false)
        }
        if takesDefault { answer = offered(parameter) ?? "" }
        return try RunError.asUsage {
          answer = Asker.picked(answer, definition.type, definition.type.words)
          return try checked(.string(answer), parameter, isFromPerson: true)
        }
      }
    }
    if let compiled = parameter.defaultValue {
      return try checked(try runner.value(of: compiled), parameter, isFromPerson: false)
    }
    if definition.type.isOptional { return .null }
    return try ask(parameter)
  }

  /// A single text, or a list of several.
  private static func joined(_ texts: [String], _ type: DataType) -> Value {
    guard type.isList, texts.count != 1 else { return .string(texts.last ?? "") }
    return .list(texts.map(Value.string))
  }

  private func checked(
    _ value: Value, _ parameter: CompiledParameter, isFromPerson: Bool
  ) throws -> Value {
    let definition = parameter.definition
    let name = definition.name.text
    var converter = run.converter(ofPerson: isFromPerson, keys: [name])
    if case .timestamp(let start)? = bound(definition.following) { converter.start = start }
    if case .string(let zone)? = bound(definition.zone) {
      guard let rules = TimeZoneRules.named(zone) else {
        throw RunError(
          .invalidValue, "`\(definition.zone?.text ?? "")`: unknown time zone “\(zone.shortened)”",
          help: TimeZoneRules.nearestName(to: zone).map { "did you mean \($0)?" }
            ?? "write a name such as Europe/Berlin")
      }
      converter.ownClock = converter.clock
      converter.clock = LocalClock(isMonthFirst: converter.clock.isMonthFirst) { rules }
    }
    func converted(_ value: Value) throws -> Value {
      try converter.convert(value, to: definition.type, named: name)
    }
    // An empty text means none, unless the parameter says that it must not be empty: a variable of a
    // shell that is not set must not stand for everybody.
    if value == .string(""), definition.type.isOptional, definition.constraints.minLength ?? 0 > 0 {
      throw RunError(.invalidValue, "`\(name)`: it must not be empty")
    }
    var value = value
    if let values = value.asList, isFromPerson, definition.type.isList {
      // Repeated flags, each with one or more values, form one list.
      value = .list(try values.flatMap { try converted($0).elements })
    } else {
      value = try converted(value)
    }
    value = run.expanded(value, definition.type)
    try check(value, parameter)
    return value
  }

  /// The value of an earlier parameter.
  private func bound(_ name: Scalar?) -> Value? {
    runner.action.parameters.first { $0.definition.name.text == name?.text }.map {
      runner.frame.slots[$0.slot]
    }
  }

  private func check(_ value: Value, _ parameter: CompiledParameter) throws {
    let constraints = parameter.definition.constraints
    let name = parameter.definition.name.text
    if value.unknown != nil { return }
    func fail(_ message: String) -> RunError { RunError(.invalidValue, "`\(name)`: \(message)") }
    if let problem = constraints.complaint(about: value) { throw fail(problem) }
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
    var suggestions: [String] = []
    if let values = try parameter.suggestions.map(runner.value(of:))?.asList {
      suggestions = values.map { run.renderer.text(of: $0) }
    } else if !definition.type.words.isEmpty {
      suggestions = definition.type.words
    } else if case .entity(let entity) = definition.type.unwrapped, run.front.canAnswer {
      suggestions = try run.suggestedItems(of: entity).map {
        run.renderer.title(of: $0)
      }
    }
    do {
      return try run.asker.ask(
        prompt, type: definition.type, keys: [name],
        // Without a question it would be used silently.
        defaultText: run.front.canAnswer ? offered(parameter) : nil,
        suggestions: suggestions, constraints: definition.constraints
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

  /// The text on the clipboard, which an empty answer takes; nil if it does not fit.
  private func offered(_ parameter: CompiledParameter) -> String? {
    guard parameter.definition.sources?.contains(.clipboard) == true,
      let text = run.host.readClipboard()?.trimmingSpaces, !text.isEmpty,
      (try? checked(.string(text), parameter, isFromPerson: true)) != nil
    else { return nil }
    return text
  }

  /// The advice on how to supply the value.
  private func remedy(for parameter: ParameterDefinition, in action: ActionDefinition) -> Remedy {
    let name = parameter.name.text
    if runner.depth > 0 { return .callParameter(name) }
    return .parameter(
      name, of: action.name.text, isPrimary: action.primaryParameter?.name.text == name)
  }
}

extension ActionDefinition {
  /// Values by parameter index, from an input and named values.
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
