import CEL
import Catalog
import Engine
import Items
import Program
import Source
import Store
import YAML

extension Errand {
  /// A definition as it appears in a list.
  public struct DefinitionSummary: Hashable, Sendable {
    /// The kind: `entity`, `intent`, `shortcut` or `automation`.
    public let kind: String
    /// The name, which starts it if it is an intent or a shortcut.
    public let name: String
    /// The description on one line; empty if there is none.
    public let description: String
    /// The layer it comes from, such as `built in`, `your own` or `project`.
    public let origin: String
  }

  /// A parameter of an intent or a shortcut, or a property of an entity.
  public struct Parameter: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The type in the syntax of definitions, such as `list<string>` or `Link?`.
    public let type: String
    /// The title; the name if it has no title.
    public let title: String
    /// The description; nil if there is none.
    public let description: String?
    /// Whether a value is required; the run asks for a missing one.
    public let isRequired: Bool
    /// Whether a single unnamed value is assigned to it, such as the first word of a command line.
    public let isPrimary: Bool
    /// The accepted values as JSON Schema (2020-12), in the encoding of ``JSONValue``.
    public let schema: JSONValue

    /// Whether its values are paths of files, which callers from elsewhere must not name.
    package var takesPaths: Bool { Self.takesPaths(type) }

    /// Whether values of a type are paths of files.
    package static func takesPaths(_ type: String) -> Bool {
      type.split { !$0.isLetter }.contains { $0 == "file" || $0 == "share" }
    }
  }

  /// A definition with its source, schema and capabilities.
  public struct Definition: Hashable, Sendable {
    /// Its kind, name, description and origin.
    public let summary: DefinitionSummary
    /// The display title.
    public let title: String
    /// The source of the definition.
    public let source: String
    /// The parameters, a shortcut's input first; for an entity, its properties.
    public let parameters: [Parameter]
    /// The result type in the syntax of definitions; nil if it is not declared.
    public let result: String?
    /// The result as JSON Schema; nil if its type is not declared.
    public let resultSchema: JSONValue?
    /// The phrases that invoke it (App Intents).
    public let phrases: [String]
    /// Whether a run may change the library or anything outside of it.
    public let mayChange: Bool
    /// Whether a run survives the end of its process; see ``Errand/resume(_:options:)``.
    public let isDurable: Bool
    /// The capabilities outside of the library that it and everything it calls require, in the form
    /// that ``RunOptions/allow`` accepts, such as `http:api.example.com`; `http:*` for any host.
    public let capabilities: [String]
    /// Whether it, or anything it calls, comes from a project, a catalog or a file.
    public let isForeign: Bool
    /// Whether a run has all of these capabilities without asking; see ``Errand/allow(_:)``.
    public let isAllowed: Bool

    /// The parameters as one JSON Schema object.
    public var parameterSchema: JSONValue {
      .object([
        "type": "object",
        "properties": .object(
          Dictionary(parameters.map { ($0.name, $0.schema) }, uniquingKeysWith: { $1 })),
        "required": .array(parameters.filter(\.isRequired).map { .string($0.name) }),
        "additionalProperties": false,
      ])
    }

    /// The definition in the form of `errand show --as json`, without its steps: `name`, `kind`,
    /// `title`, `description`, `parameters` and `result` as JSON Schema, `mayChange`, `isDurable`
    /// and `capabilities`.
    public var json: JSONValue {
      .object([
        "name": .string(summary.name), "kind": .string(summary.kind), "title": .string(title),
        "description": .string(summary.description), "parameters": parameterSchema,
        "result": resultSchema ?? .null, "mayChange": .bool(mayChange),
        "isDurable": .bool(isDurable),
        "capabilities": .array(capabilities.map(JSONValue.string)),
      ])
    }
  }

  /// All available definitions: entities, intents, shortcuts, automations, widgets, each kind
  /// sorted by name.
  ///
  /// - Complexity: O(n) for n definitions, each of which is parsed once.
  public var definitions: [DefinitionSummary] {
    [Catalog.Definition.Kind.entity, .intent, .shortcut, .automation, .widget]
      .flatMap { catalog.summaries(of: $0) }
  }

  /// Returns the definition with this name, including its schema.
  ///
  /// - Throws: `not-found`, or the code of the first mistake in it or in anything it calls;
  ///   ``check(_:)`` returns all of them.
  /// - Complexity: O(steps of everything it calls); compiled once until ``reload()``.
  public func definition(_ name: String) throws(ErrandError) -> Definition {
    try ErrandError.translating {
      if let place = catalog.place(ofAction: name), let action = try catalog.action(name) {
        return try definition(action, place)
      }
      guard let entity = try catalog.entity(name) else {
        throw RunError(
          .notFound, "there is no definition `\(name)`",
          help: Suggestion.help(for: name, in: catalog.actionNames + catalog.entityNames))
      }
      return definition(entity)
    }
  }

  private func definition(
    _ action: ActionDefinition,
    _ place: (kind: Catalog.Definition.Kind, layer: DefinitionCatalog.Layer)
  ) throws -> Definition {
    let name = action.name.text
    try workspace.check(action: name)
    let primary = action.primaryParameter?.name.text
    let request = try workspace.permissionRequest(of: name)
    return Definition(
      summary: DefinitionSummary(place.kind, name, action.description, layer: place.layer),
      title: action.displayTitle, source: catalog.source(of: name) ?? "",
      parameters: action.allParameters.filter { !$0.isTrigger }.map { parameter in
        Parameter(
          parameter.name.text, parameter.type, parameter.title, description: parameter.description,
          isRequired: parameter.isRequired, isPrimary: parameter.name.text == primary,
          default: parameter.defaultNode, constraints: parameter.constraints.wholeSchema)
      },
      result: action.returns?.description,
      resultSchema: action.returns.map { resultSchema(of: $0) },
      phrases: action.phrases.map(\.text), mayChange: try workspace.mayChange(name),
      isDurable: action.isDurable, capabilities: try workspace.capabilities(of: name).map(\.grant),
      isForeign: request != nil, isAllowed: request.map(isAllowed) ?? true)
  }

  private func definition(_ entity: EntityDefinition) -> Definition {
    let name = entity.name.text
    return Definition(
      summary: DefinitionSummary(
        .entity, name, entity.description, layer: catalog.layer(ofEntity: name) ?? .builtIn),
      title: entity.displayName, source: catalog.source(of: name) ?? "",
      parameters: entity.properties.map { property in
        Parameter(
          property.name.text, property.type, property.title, description: property.description,
          isRequired: !property.type.isOptional && property.defaultNode == nil,
          isPrimary: property.name.text == entity.identity?.text, default: property.defaultNode,
          constraints: property.constraints?.schema ?? [:])
      },
      result: nil, resultSchema: nil, phrases: [], mayChange: false, isDurable: false,
      capabilities: [],
      isForeign: false, isAllowed: true)
  }
}

extension Errand.Parameter {
  fileprivate init(
    _ name: String, _ type: DataType, _ title: String?, description: String?, isRequired: Bool,
    isPrimary: Bool, default: Node?, constraints: [String: JSONValue]
  ) {
    self.name = name
    self.type = type.description
    self.title = title ?? name
    self.description = description
    self.isRequired = isRequired
    self.isPrimary = isPrimary
    var members = constraints
    if case .object(let schema) = type.schema { members.merge(schema) { $1 } }
    if let title { members["title"] = .string(title) }
    if let description { members["description"] = .string(description) }
    // The value of a template is not known before the run.
    if let text = `default`?.scalar?.text, !text.contains("{{") {
      members["default"] = type.jsonValue(ofText: text)
    }
    schema = .object(members)
  }
}

extension ValueConstraints {
  /// The constraints as JSON Schema keywords, without the pattern.
  fileprivate var schema: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    members["minimum"] = min.map(JSONValue.double)
    members["maximum"] = max.map(JSONValue.double)
    members["minLength"] = minLength.map { .int(Int64($0)) }
    members["maxLength"] = maxLength.map { .int(Int64($0)) }
    return members
  }

  /// The constraints as JSON Schema keywords.
  fileprivate var wholeSchema: [String: JSONValue] {
    var members = schema
    members["pattern"] = pattern.map { .string($0.text) }
    return members
  }
}
