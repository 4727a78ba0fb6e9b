import ErrandKit
import Web

/// The API as OpenAPI 3.1, made from its endpoints and the definitions in reach.
struct OpenAPIDocument {
  /// The document.
  let value: JSONValue

  /// The beginning of the described paths.
  private static let root = "/api/v1"

  private static let pathParameters = [
    Endpoint.Parameter("id", "The number.", schema: ["type": "integer", "minimum": 1]),
    Endpoint.Parameter("run", "The id of the run."),
    Endpoint.Parameter("name", "The name of the widget."),
  ]

  /// Describes a worker's current definitions; those with mistakes are left out.
  init(_ context: WorkerContext) throws {
    let entities = try context.summaries(["entity"]).compactMap {
      try? context.errand().definition($0.name)
    }
    let actions = try context.summaries(["intent", "shortcut"]).compactMap {
      try? context.action($0.name)
    }
    var schemas = Schema.components
    for entity in entities { schemas.merge(Schema.components(of: entity)) { $1 } }
    var paths: [String: [String: JSONValue]] = [:]
    for endpoint in Endpoint.api where endpoint.path.hasPrefix(Self.root) {
      let names = endpoint.pattern.names
      let definitions: [Errand.Definition?] =
        names.contains("entity") ? entities : names.contains("action") ? actions : [nil]
      let parameters = Self.pathParameters.filter { names.contains($0.name) }
      for definition in definitions {
        let path = String(Self.naming(definition, endpoint.path).dropFirst(Self.root.count))
        paths[path, default: [:]][endpoint.method.rawValue.lowercased()] =
          Self.operation(endpoint, definition)
        if !parameters.isEmpty {
          paths[path]?["parameters"] = .array(parameters.map { Self.parameter($0, in: "path") })
        }
      }
    }
    value = [
      "openapi": "3.1.0", "info": ["title": "Errand", "version": "1"],
      "servers": [["url": .string(Self.root)]], "paths": .object(paths.mapValues { .object($0) }),
      "security": [["token": []]],
      "components": [
        "schemas": .object(schemas),
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
        "responses": [
          "Problem": Self.response(
            Endpoint.Answer(
              "An error (RFC 9457).", .reference("Problem"), type: Problem.mediaType), nil)
        ],
      ],
    ]
  }

  /// A text with the placeholder replaced by the name of a definition.
  private static func naming(_ definition: Errand.Definition?, _ text: String) -> String {
    guard let name = definition?.summary.name else { return text }
    return text.replacing("{entity}", with: name).replacing("{action}", with: name)
  }

  private static func operation(
    _ endpoint: Endpoint, _ definition: Errand.Definition?
  ) -> JSONValue {
    let own = endpoint.isDescribedByDefinition ? definition?.summary.description : nil
    let responses = endpoint.answers.map { ("\($0.status)", response($0, definition)) }
    var members: [String: JSONValue] = [
      "summary": .string(own ?? naming(definition, endpoint.summary)),
      "responses": .object(
        Dictionary(
          responses + [("default", ["$ref": "#/components/responses/Problem"])],
          uniquingKeysWith: { $1 })),
    ]
    let parameters =
      endpoint.query.map { parameter($0, in: "query") }
      + endpoint.headers.map { parameter($0, in: "header") }
    if !parameters.isEmpty { members["parameters"] = .array(parameters) }
    let types = endpoint.body.compactMapValues { $0.json(definition) }
    if !types.isEmpty {
      members["requestBody"] = [
        "required": .bool(endpoint.needsBody),
        "content": .object(types.mapValues { ["schema": $0] }),
      ]
    }
    if endpoint.scope == nil { members["security"] = [] }
    return .object(members)
  }

  private static func response(
    _ answer: Endpoint.Answer, _ definition: Errand.Definition?
  ) -> JSONValue {
    var members: [String: JSONValue] = ["description": .string(answer.description)]
    if let schema = answer.schema?.json(definition) {
      members["content"] = .object([answer.type: ["schema": schema]])
    }
    if answer.hasTag { members["headers"] = ["ETag": ["schema": Schema.text]] }
    return .object(members)
  }

  private static func parameter(_ parameter: Endpoint.Parameter, in place: String) -> JSONValue {
    [
      "name": .string(parameter.name), "in": .string(place), "required": .bool(place == "path"),
      "schema": parameter.schema, "description": .string(parameter.description),
    ]
  }
}
