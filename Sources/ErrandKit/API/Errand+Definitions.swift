import CEL
import Catalog
import Engine
import Items
import Program
import Source
import Store
import YAML

extension Errand {
  /// A definition as lists show it.
  public struct DefinitionSummary: Hashable, Sendable {
    /// The kind: `entity`, `intent`, `shortcut` or `automation`.
    public let kind: String
    /// The name, by which an intent or a shortcut is started.
    public let name: String
    /// The description, on one line; empty where there is none.
    public let description: String
    /// The layer that it comes from, such as `built in`, `your own` or `project`.
    public let origin: String
  }

  /// A parameter of an intent or a shortcut, or a property of an entity.
  public struct Parameter: Hashable, Sendable {
    /// The name.
    public let name: String
    /// The type as definitions write it, such as `list<string>` or `Link?`.
    public let type: String
    /// The title; the name where it has none.
    public let title: String
    /// The description; nil where there is none.
    public let description: String?
    /// Whether a value must be given, or is asked for.
    public let isRequired: Bool
    /// Whether a single value stands for it, as the first word of a command line does.
    public let isPrimary: Bool
    /// The values that fit, as JSON Schema (2020-12) of the JSON that ``JSONValue`` describes.
    public let schema: JSONValue
  }

  /// A definition with its schema and what it does.
  public struct Definition: Hashable, Sendable {
    /// Its kind, name, description and origin.
    public let summary: DefinitionSummary
    /// The title, as people call it.
    public let title: String
    /// The document as it is written.
    public let source: String
    /// The parameters, the input of a shortcut first; the properties of an entity.
    public let parameters: [Parameter]
    /// The type of its result as definitions write it; nil where it is not declared.
    public let result: String?
    /// The result as JSON Schema; nil where its type is not declared.
    public let resultSchema: JSONValue?
    /// The phrases by which people ask for it.
    public let phrases: [String]
    /// Whether a run may change the library or the world.
    public let mayChange: Bool
    /// Whether a run continues where it stood when its process ended.
    public let isDurable: Bool
    /// What it touches outside of the library with all that it calls, as ``RunOptions/allow`` takes it,
    /// such as `http:api.example.com`; `http:*` for any.
    public let touches: [String]
    /// Whether it, or something that it calls, comes from a project, a catalog or a file.
    public let isForeign: Bool
    /// Whether a run may touch all of that without asking; see ``Errand/allow(_:)``.
    public let isAllowed: Bool

    /// The parameters as one JSON Schema of an object.
    public var parameterSchema: JSONValue {
      .object([
        "type": "object",
        "properties": .object(
          Dictionary(parameters.map { ($0.name, $0.schema) }, uniquingKeysWith: { $1 })),
        "required": .array(parameters.filter(\.isRequired).map { .string($0.name) }),
        "additionalProperties": false,
      ])
    }
  }

  /// The definitions in reach, entities first, each kind by name.
  ///
  /// - Complexity: O(n) for n definitions, each of which is parsed once.
  public var definitions: [DefinitionSummary] {
    let listing = DefinitionListing(library)
    return [Catalog.Definition.Kind.entity, .intent, .shortcut, .automation].flatMap { kind in
      listing.rows(of: kind).map {
        DefinitionSummary(
          kind: $0.kind.rawValue, name: $0.name, description: $0.description,
          origin: $0.layer.displayName)
      }
    }
  }

  /// The definition of a name with its schema.
  ///
  /// - Throws: `not-found`; the code of the first mistake in it or in what it calls, all of which
  ///   ``check(_:)`` tells.
  /// - Complexity: O(steps of all that it calls), compiled once until ``reload()``.
  public func definition(_ name: String) throws(ErrandError) -> Definition {
    try ErrandError.translating {
      if let place = library.place(ofAction: name), let action = try library.action(name) {
        return try definition(action, place)
      }
      guard let entity = try library.entity(name) else {
        throw RunError(
          .notFound, "there is no definition `\(name)`",
          help: Suggestion.help(for: name, in: library.actionNames + library.entityNames))
      }
      return definition(entity)
    }
  }

  private func definition(
    _ action: ActionDefinition, _ place: (kind: Catalog.Definition.Kind, layer: Library.Layer)
  ) throws -> Definition {
    let name = action.name.text
    try workspace.check(action: name)
    let primary = action.primaryParameter?.name.text
    let request = try workspace.accessRequest(of: name)
    return Definition(
      summary: DefinitionSummary(
        kind: place.kind.rawValue, name: name, description: action.description ?? "",
        origin: place.layer.displayName),
      title: action.displayTitle, source: library.source(of: name) ?? "",
      parameters: action.allParameters.filter { !$0.isTrigger }.map { parameter in
        Parameter(
          parameter.name.text, parameter.type, parameter.title, parameter.description,
          isRequired: parameter.isRequired, isPrimary: parameter.name.text == primary,
          default: parameter.defaultNode, constraints: parameter.constraints.schema)
      },
      result: action.returns?.description, resultSchema: action.returns?.schema,
      phrases: action.phrases.map(\.text), mayChange: try workspace.mayChange(name),
      isDurable: action.isDurable, touches: try workspace.touches(of: name).map(\.grant),
      isForeign: request != nil, isAllowed: request.map(isAllowed) ?? true)
  }

  private func definition(_ entity: EntityDefinition) -> Definition {
    let name = entity.name.text
    return Definition(
      summary: DefinitionSummary(
        kind: "entity", name: name, description: entity.description ?? "",
        origin: (library.layer(ofEntity: name) ?? .builtIn).displayName),
      title: entity.displayName, source: library.source(of: name) ?? "",
      parameters: entity.properties.map { property in
        Parameter(
          property.name.text, property.type, property.title, property.description,
          isRequired: !property.type.isOptional && property.defaultNode == nil,
          isPrimary: property.name.text == entity.identity?.text, default: property.defaultNode,
          constraints: property.constraints?.schema ?? [:])
      },
      result: nil, resultSchema: nil, phrases: [], mayChange: false, isDurable: false, touches: [],
      isForeign: false, isAllowed: true)
  }
}

extension Errand.Parameter {
  fileprivate init(
    _ name: String, _ type: DataType, _ title: String?, _ description: String?, isRequired: Bool,
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
    // A default that a template makes is known only when it runs.
    if let text = `default`?.scalar?.text, !text.contains("{{") {
      members["default"] = type.jsonValue(ofText: text)
    }
    schema = .object(members)
  }
}

extension ParameterDefinition.Constraints {
  /// The constraints as keywords of JSON Schema.
  fileprivate var schema: [String: JSONValue] {
    var members = JSONValue.constraints(min, max, minLength, maxLength)
    members["pattern"] = pattern.map { .string($0.text) }
    return members
  }
}

extension ValueConstraints {
  /// The constraints as keywords of JSON Schema.
  fileprivate var schema: [String: JSONValue] {
    JSONValue.constraints(min, max, minLength, maxLength)
  }
}

extension JSONValue {
  fileprivate static func constraints(
    _ min: Double?, _ max: Double?, _ minLength: Int?, _ maxLength: Int?
  ) -> [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    members["minimum"] = min.map(JSONValue.double)
    members["maximum"] = max.map(JSONValue.double)
    members["minLength"] = minLength.map { .int(Int64($0)) }
    members["maxLength"] = maxLength.map { .int(Int64($0)) }
    return members
  }
}

extension DataType {
  /// The values of the type as JSON Schema.
  fileprivate var schema: JSONValue {
    switch self {
    case .string, .file: ["type": "string"]
    case .refined(let refined): refined.base.schema
    case .int: ["type": "integer"]
    case .double: ["type": "number"]
    case .bool: ["type": "boolean"]
    case .url: ["type": "string", "format": "uri"]
    case .timestamp: ["type": "string", "format": "date-time"]
    case .date: ["type": "string", "format": "date"]
    case .duration: ["type": "string", "examples": ["90s"]]
    case .any: [:]
    case .share, .record: ["type": "object"]
    case .enumeration(let values): ["type": "string", "enum": .array(values.map(JSONValue.string))]
    case .list(let element): ["type": "array", "items": element.schema]
    case .map(let element): ["type": "object", "additionalProperties": element.schema]
    case .entity(let name):
      ["type": ["string", "object"], "description": .string("\(name), such as link:42")]
    case .optional(let type): ["anyOf": [type.schema, ["type": "null"]]]
    }
  }

  /// A text that stands for a value of the type, with the JSON type that it has.
  fileprivate func jsonValue(ofText text: String) -> JSONValue {
    switch unwrapped {
    case .int: Int64(text).map(JSONValue.int) ?? .string(text)
    case .double: Double(text).map(JSONValue.double) ?? .string(text)
    case .bool: text == "true" ? true : text == "false" ? false : .string(text)
    default: .string(text)
    }
  }
}
