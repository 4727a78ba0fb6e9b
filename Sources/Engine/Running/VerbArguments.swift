import CEL
import Catalog
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
    names = call.names
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
