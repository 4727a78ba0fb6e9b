import CEL
import Catalog
import Items
import Program
import Source
import YAML

/// The arguments of a call of a verb, read when the verb wants them.
struct VerbArguments {
  let runner: Runner
  let call: VerbCall

  init(_ runner: Runner, _ call: VerbCall) {
    self.runner = runner
    self.call = call
  }

  /// The argument of a key as it was compiled; nil when it was not given.
  subscript<Content>(_ key: Argument<Content>) -> CompiledArgument? { call[key] }

  /// The value of an argument, converted to its declared type; nil when it was not given.
  func value<Content>(_ key: Argument<Content>) throws -> Value? {
    guard case .value(let compiled, let type, let span) = call[key] else { return nil }
    do {
      let value = try runner.value(of: compiled, as: type, named: key.name)
      if !key.takesSecrets { try expectNoSecret(in: value, key.name) }
      return value
    } catch var error as RunError {
      if error.span == nil { error.span = span }
      throw error
    }
  }

  /// - Throws: `invalid-value` for a secret, which would be kept or shown.
  private func expectNoSecret(in value: Value, _ name: String) throws {
    guard runner.run.host.secrets.isUsed, value.holdsSecret else { return }
    throw RunError(
      .invalidValue, "`\(name)`: a secret does not fit here",
      help: "it fits in what an http sends, and in the env and stdin of an exec")
  }

  /// The value of an argument as a person reads it; nil when it was not given.
  func text(_ key: Argument<String>) throws -> String? {
    try value(key).map { runner.renderer.text(of: $0) }
  }

  /// Whether an argument is true.
  func flag(_ key: Argument<Bool>) throws -> Bool { try value(key) == .bool(true) }

  /// The values of a list; nil when it was not given.
  func list(_ key: Argument<[Value]>) throws -> [Value]? {
    if case .list(let values)? = try value(key) { values } else { nil }
  }

  /// A whole number; nil when it was not given, or null.
  func int(_ key: Argument<Int64>) throws -> Int64? {
    if case .int(let int)? = try value(key) { int } else { nil }
  }

  /// The word that stands for an argument; nil when it was not given.
  func name(_ key: Argument<ArgumentName>) -> String? { call.name(key) }

  /// The fields of a mapping; none when it was not given.
  func fields(_ key: Argument<[CompiledArgument.Field]>) -> [CompiledArgument.Field] {
    if case .fields(let fields) = call[key] { fields } else { [] }
  }

  /// The item that an argument gives, itself or by reference.
  func item(_ key: Argument<Item>) throws -> Item {
    switch try value(key) ?? .null {
    case .object(let object):
      if let item = object as? Item { return item }
      throw RunError(.invalidValue, "`\(key.name)`: a \(object.typeName) is not an item")
    case .string(let text):
      return try ItemResolver(runner.run).item(reference: text)
    case .null: throw RunError(.invalidValue, "`\(key.name)`: there is no item here, but null")
    case let other:
      throw RunError(.invalidValue, "`\(key.name)`: \(other.text.shortened) is not an item")
    }
  }

  /// The item that an argument gives, which the store must hold, and its reference.
  func savedItem(_ key: Argument<Item>) throws -> (Item, ItemReference) {
    let item = try item(key)
    guard item.isSaved, let reference = item.reference else {
      throw RunError(
        .invalidValue, "\(runner.renderer.title(of: item)) is not saved", help: "save it first")
    }
    return (item, reference)
  }

  /// Names with their values, each converted to its property's type.
  func properties(
    _ key: Argument<[CompiledArgument.Field]>, of entity: EntityDefinition
  ) throws -> [(name: String, value: Value)] {
    if case .fieldMap(let map, let span) = call[key] {
      return try properties(in: map, key.name, of: entity, at: span)
    }
    return try fields(key).map { field in
      let property = try self.property(field.name, of: entity, at: field.span)
      let value = try runner.value(of: field.value)
      return (
        field.name, try fitting(value, property, isTyped: field.type != nil, at: field.span)
      )
    }
  }

  /// The entries of a map, each converted to its property's type.
  private func properties(
    in map: CompiledValue, _ name: String, of entity: EntityDefinition, at span: Span
  ) throws -> [(name: String, value: Value)] {
    guard case .map(let map) = try runner.value(of: map) else {
      throw RunError(
        .invalidValue, "`\(name)` is a map from names to values", at: span)
    }
    return try map.entries.map { key, value in
      guard case .string(let name) = key else {
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

  /// The value that a property is set to.
  ///
  /// - Parameter isTyped: Whether it must be a list where one is wanted; else one value stands for
  ///   a list.
  private func fitting(
    _ value: Value, _ property: EntityDefinition.Property, isTyped: Bool, at span: Span
  ) throws -> Value {
    // Null is what an unset optional parameter gives: the default stands, or what is stored.
    if case .null = value { return .null }
    var value = value
    if case .list = property.type.unwrapped, !isTyped {
      if case .list = value {} else { value = .list([value]) }
    }
    do {
      try expectNoSecret(in: value, property.name.text)
      return try runner.run.converter.convert(
        value, to: property.type, named: property.name.text)
    } catch var error as RunError {
      if error.span == nil { error.span = span }
      throw error
    }
  }
}

/// The content of an argument that is a word: an entity, a type, or one of a few.
enum ArgumentName {}

/// The content of an argument that is text as it stands.
enum ArgumentText {}

/// What `run` and `enqueue` give to the intent or the shortcut that they name.
struct CallArguments {
  private let arguments: VerbArguments
  private let input: Argument<Value>
  private let with: Argument<[CompiledArgument.Field]>

  init(
    _ arguments: VerbArguments, input: Argument<Value>,
    with: Argument<[CompiledArgument.Field]>
  ) {
    self.arguments = arguments
    self.input = input
    self.with = with
  }

  /// The input for the primary parameter; nil when none is given.
  ///
  /// - Parameter callee: what takes it; nil where that need not be looked at.
  /// - Throws: `invalid-value` where the callee takes none.
  func inputValue(of callee: ActionDefinition?) throws -> Value? {
    guard let value = try arguments.value(input) else { return nil }
    if let callee, callee.primaryParameter == nil {
      throw RunError(.invalidValue, "`\(callee.name.text)` takes no input")
    }
    return value
  }

  /// The other parameters by name.
  ///
  /// - Throws: `invalid-value` for one that the callee has not.
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

  /// All of it, by the positions of the callee's parameters.
  func given(to callee: ActionDefinition) throws -> [Int: GivenValue] {
    try callee.given(inputValue(of: callee), named(of: callee))
  }
}

/// Tries arguments of verbs before a run, by the same words as in one.
enum ArgumentTrials {
  /// Tries a value that is known by a body that throws what is wrong with it.
  static func value(_ body: @escaping @Sendable (Value) throws -> Void) -> ArgumentTrial {
    { compiled in
      guard let value = compiled.known, !value.isNull else { return nil }
      return problem { try body(value) }
    }
  }

  /// Tries the keys of a map, whether or not its values are known.
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
    } catch let error as RunError {
      guard case .advice(let help)? = error.remedy else { return LiteralProblem(error.message) }
      return LiteralProblem(error.message, help: help)
    } catch {
      return nil
    }
  }
}
