import CEL
import Catalog
import Items
import Program
import Source
import YAML

/// The arguments of a verb call, evaluated on demand.
struct VerbArguments {
  let runner: Runner
  let call: VerbCall
  var run: Run { runner.run }
  var renderer: Renderer { runner.renderer }

  /// The compiled argument of a key; nil when absent.
  subscript<Content>(_ key: Argument<Content>) -> CompiledArgument? { call[key] }

  /// The value of an argument, converted to its declared type and in its declared range; nil when it
  /// was not given.
  func value<Content>(_ key: Argument<Content>) throws -> Value? {
    guard case .value(let compiled, let type, let span) = call[key] else { return nil }
    return try RunError.placing(at: span) {
      let value = try runner.value(of: compiled, as: type, named: key.name)
      if !key.takesSecrets { try expectNoSecret(in: value, key.name) }
      if let problem = key.declaration.range?.problem(with: value) {
        throw RunError(.invalidValue, "`\(key.name)` \(problem)")
      }
      return value
    }
  }

  /// - Throws: `invalid-value` for a secret, which would be stored or shown.
  private func expectNoSecret(in value: Value, _ name: String) throws {
    guard runner.run.host.secrets.isUsed, value.holdsSecret else { return }
    throw RunError(
      .invalidValue, "`\(name)`: a secret cannot be used here",
      help: "secrets can be used in http requests, and in env and stdin of exec")
  }

  /// The value of an argument as display text; nil when absent.
  func text(_ key: Argument<String>) throws -> String? {
    try value(key).map { runner.renderer.text(of: $0) }
  }

  /// Whether an argument is true.
  func flag(_ key: Argument<Bool>) throws -> Bool { try value(key) == .bool(true) }

  /// The values of a list; nil when absent.
  func list(_ key: Argument<[Value]>) throws -> [Value]? { try value(key)?.asList }

  /// A whole number; nil when absent or null.
  func int(_ key: Argument<Int64>) throws -> Int64? { try value(key)?.asInt }

  /// The path of an argument, after checking permission for it.
  func path(_ key: Argument<String>, for kind: Capability.Kind) throws -> String {
    let path = try run.path(text(key) ?? "")
    try runner.permit(kind, path)
    return path
  }

  /// The word of an argument; nil when absent.
  func name(_ key: Argument<ArgumentName>) -> String? { call.name(key) }

  /// The fields of a mapping; empty when absent.
  func fields(_ key: Argument<[CompiledArgument.Field]>) -> [CompiledArgument.Field] {
    if case .fields(let fields) = call[key] { fields } else { [] }
  }

  /// The item of an argument, given directly or by reference.
  func item(_ key: Argument<Item>) throws -> Item {
    switch try value(key) ?? .null {
    case .object(let object):
      if let item = object as? Item { return item }
      throw RunError(.invalidValue, "`\(key.name)`: a \(object.typeName) is not an item")
    case .string(let text): return try ItemResolver(run: run).item(reference: text)
    case .null: throw RunError(.invalidValue, "`\(key.name)`: null is not an item")
    case let other:
      throw RunError(.invalidValue, "`\(key.name)`: \(other.text.shortened) is not an item")
    }
  }

  /// The item of an argument, which must be stored, and its reference.
  func savedItem(_ key: Argument<Item>) throws -> (Item, ItemReference) {
    let item = try item(key)
    guard item.isSaved, let reference = item.reference else {
      throw RunError(
        .invalidValue, "\(runner.renderer.title(of: item)) is not saved", help: "save it first")
    }
    return (item, reference)
  }

  /// Names and values, each converted to the type of its property.
  func properties(
    _ key: Argument<[CompiledArgument.Field]>, of entity: EntityDefinition
  ) throws -> [(name: String, value: Value)] {
    if case .fieldMap(let map, let span) = call[key] {
      return try properties(in: map, key.name, of: entity, at: span)
    }
    return try fields(key).map { field in
      let property = try self.property(field.name, of: entity, at: field.span)
      let value = try runner.value(of: field.value)
      return (field.name, try fitting(value, property, isTyped: field.type != nil, at: field.span))
    }
  }

  /// The entries of a map, each converted to the type of its property.
  private func properties(
    in map: CompiledValue, _ name: String, of entity: EntityDefinition, at span: Span
  ) throws -> [(name: String, value: Value)] {
    guard let map = try runner.value(of: map).asMap else {
      throw RunError(.invalidValue, "`\(name)` must be a map from names to values", at: span)
    }
    return try map.entries.map { key, value in
      guard let name = key.asText else {
        throw RunError(.invalidValue, "\(key.text) is not the name of a property", at: span)
      }
      let property = try property(name, of: entity, at: span)
      return (name, try fitting(value, property, isTyped: true, at: span))
    }
  }

  private func property(
    _ name: String, of entity: EntityDefinition, at span: Span
  ) throws -> EntityDefinition.Property {
    if let property = entity.property(name) { return property }
    throw RunError(
      .invalidValue, "\(entity.displayName) has no property `\(name)`",
      help: Suggestion.help(for: name, in: entity.properties.map(\.name.text)), at: span)
  }

  /// The value for a property.
  ///
  /// - Parameter isTyped: whether a list property requires a list; otherwise a single value becomes
  ///   a list.
  private func fitting(
    _ value: Value, _ property: EntityDefinition.Property, isTyped: Bool, at span: Span
  ) throws -> Value {
    // Null comes from an omitted optional parameter: the default or the stored value applies.
    if value.isNull { return .null }
    let value = property.type.isList && !isTyped ? .list(value.elements) : value
    return try RunError.placing(at: span) {
      try expectNoSecret(in: value, property.name.text)
      return try run.converter.convert(value, to: property.type, named: property.name.text)
    }
  }
}

/// The content type of an argument that is a word: an entity, a type, or one of a few.
enum ArgumentName {}

/// The content type of an argument that is literal text.
enum ArgumentText {}

/// The arguments that `run` and `enqueue` pass on.
struct CallArguments {
  let arguments: VerbArguments
  let input: Argument<Value>
  let with: Argument<[CompiledArgument.Field]>

  /// The input for the primary parameter; nil for none.
  ///
  /// - Parameter callee: the callee to check against; nil to skip the check.
  /// - Throws: `invalid-value` when the callee has no primary parameter.
  func inputValue(of callee: ActionDefinition?) throws -> Value? {
    guard let value = try arguments.value(input) else { return nil }
    if let callee, callee.primaryParameter == nil {
      throw RunError(.invalidValue, "`\(callee.name.text)` takes no input")
    }
    return value
  }

  /// The named parameters.
  ///
  /// - Throws: `invalid-value` for an unknown parameter.
  func named(of callee: ActionDefinition?) throws -> [(name: String, value: Value)] {
    let names = callee?.allParameters.map(\.name.text)
    return try arguments.fields(with).map { field in
      if let callee, let names, !names.contains(field.name) {
        throw RunError(
          .invalidValue, "`\(callee.name.text)` has no parameter `\(field.name)`",
          help: Suggestion.help(for: field.name, in: names), at: field.span)
      }
      return (field.name, try arguments.runner.value(of: field.value))
    }
  }

  /// All arguments, by parameter index.
  func given(to callee: ActionDefinition) throws -> [Int: GivenValue] {
    try callee.given(inputValue(of: callee), named(of: callee))
  }
}

/// Validation of constant arguments at compile time, with the messages of the run.
enum ArgumentTrials {
  /// Validates a constant value with a body that throws its error.
  static func value(_ body: @escaping @Sendable (Value) throws -> Void) -> ArgumentTrial {
    { compiled in
      guard let value = compiled.known, !value.isNull else { return nil }
      return problem { try body(value) }
    }
  }

  /// Validates the keys of a map, even if its values are not constant.
  static func keys(_ body: @escaping @Sendable (String) throws -> Void) -> ArgumentTrial {
    { compiled in
      guard let keys = compiled.knownKeys else { return nil }
      return problem { for key in keys { try body(key) } }
    }
  }

  private static func problem(_ body: () throws -> Void) -> LiteralProblem? {
    do {
      try body()
      return nil
    } catch {
      return (error as? RunError).map { LiteralProblem($0.message, help: $0.advice) }
    }
  }
}
