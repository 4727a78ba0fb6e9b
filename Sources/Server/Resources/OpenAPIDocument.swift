import ErrandKit

/// The API as OpenAPI 3.1, made from the definitions in reach.
struct OpenAPIDocument {
  private typealias Object = [String: JSONValue]

  /// The document.
  let value: JSONValue

  /// Describes the definitions that a worker has now; those with mistakes are left out.
  init(_ context: WorkerContext) throws {
    var paths = Self.fixedPaths
    var schemas = Self.fixedSchemas
    for summary in try context.summaries(["entity"]) {
      guard let entity = try? context.errand().definition(summary.name) else { continue }
      let name = summary.name
      schemas["\(name)"] = Self.item(entity)
      schemas["New\(name)"] = Self.newItem(entity)
      schemas["Changed\(name)"] = Self.changedItem(entity)
      paths["/items/\(name)"] = Self.collection(name)
      paths["/items/\(name)/{id}"] = Self.single(name)
    }
    for summary in try context.summaries(["intent", "shortcut"]) {
      guard let action = try? context.action(summary.name) else { continue }
      paths["/actions/\(summary.name)"] = Self.action(action)
    }
    value = [
      "openapi": "3.1.0", "info": ["title": "Errand", "version": "1"],
      "servers": [["url": "/api/v1"]], "paths": .object(paths),
      "security": [["token": []]],
      "components": [
        "schemas": .object(schemas),
        "securitySchemes": ["token": ["type": "http", "scheme": "bearer"]],
        "responses": [
          "Problem": [
            "description": "An error (RFC 9457).",
            "content": ["application/problem+json": ["schema": Self.reference("Problem")]],
          ]
        ],
      ],
    ]
  }

  private static func reference(_ name: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  // MARK: Parts

  /// An operation.
  private static func operation(
    _ summary: String, parameters: [JSONValue] = [], body: JSONValue? = nil,
    _ responses: [String: JSONValue]
  ) -> JSONValue {
    var members: Object = [
      "summary": .string(summary),
      "responses": .object(
        responses.merging(["default": ["$ref": "#/components/responses/Problem"]]) { $1 }),
    ]
    if !parameters.isEmpty { members["parameters"] = .array(parameters) }
    members["requestBody"] = body
    return .object(members)
  }

  private static func response(
    _ description: String, _ schema: JSONValue? = nil, type: String = "application/json",
    hasTag: Bool = false
  ) -> JSONValue {
    var members: Object = ["description": .string(description)]
    if let schema { members["content"] = .object([type: ["schema": schema]]) }
    if hasTag { members["headers"] = ["ETag": ["schema": ["type": "string"]]] }
    return .object(members)
  }

  private static func body(_ types: [String: JSONValue], isRequired: Bool = true) -> JSONValue {
    [
      "required": .bool(isRequired),
      "content": .object(types.mapValues { ["schema": $0] }),
    ]
  }

  private static func parameter(
    _ name: String, in place: String = "query", _ schema: JSONValue, _ description: String
  ) -> JSONValue {
    [
      "name": .string(name), "in": .string(place), "required": .bool(place == "path"),
      "schema": schema, "description": .string(description),
    ]
  }

  private static func list(_ name: String, _ element: JSONValue) -> JSONValue {
    object([name: ["type": "array", "items": element]])
  }

  /// A schema of an object that has all of these members.
  private static func object(_ properties: [String: JSONValue]) -> JSONValue {
    [
      "type": "object", "properties": .object(properties),
      "required": .array(properties.keys.sorted().map(JSONValue.string)),
    ]
  }

  private static let text: JSONValue = ["type": "string"]
  private static let optionalText: JSONValue = ["type": ["string", "null"]]
  private static let run = parameter("run", in: "path", text, "The id of the run.")
  private static let match = parameter(
    "If-Match", in: "header", text, "The ETag of the item as it was read.")

  // MARK: Items

  /// The schema of a stored item, whose properties may all be null.
  private static func item(_ entity: Errand.Definition) -> JSONValue {
    var properties: Object = [
      "entity": ["const": .string(entity.summary.name)], "id": ["type": "integer"], "ref": text,
      "createdAt": text, "updatedAt": text,
    ]
    for property in entity.parameters {
      // Files and items are shown with their own members.
      let isPlain = !property.type.contains("file") && property.schema["description"] == nil
      let schema = property.schema
      let shown: JSONValue = schema["type"].map { ["type": $0] } ?? [:]
      properties[property.name] =
        isPlain && schema["type"]?.string != nil ? ["anyOf": [shown, ["type": "null"]]] : [:]
    }
    return [
      "type": "object", "properties": .object(properties),
      "required": ["entity", "id", "ref", "createdAt", "updatedAt"],
    ]
  }

  private static func newItem(_ entity: Errand.Definition) -> JSONValue { entity.parameterSchema }

  private static func changedItem(_ entity: Errand.Definition) -> JSONValue {
    guard case .object(var members) = entity.parameterSchema else { return [:] }
    members["required"] = nil
    return .object(members)
  }

  private static func collection(_ name: String) -> JSONValue {
    [
      "get": operation(
        "Lists items.",
        parameters: [
          parameter("where", text, "A condition over `self`, such as `'swift' in self.tags`."),
          parameter("q", text, "Words to search for."),
          parameter("sort", text, "Properties, separated by commas; `-` for largest first."),
          parameter(
            "limit", ["type": "integer", "minimum": 1, "maximum": 500], "The size of a page."),
          parameter("cursor", text, "`next` of the page before."),
        ],
        [
          "200": response(
            "A page.",
            object([
              "items": ["type": "array", "items": reference(name)], "next": optionalText,
            ]))
        ]),
      "post": operation(
        "Creates an item.", body: body(["application/json": reference("New\(name)")]),
        ["201": response("The item.", reference(name), hasTag: true)]),
    ]
  }

  private static func single(_ name: String) -> JSONValue {
    let id = parameter("id", in: "path", ["type": "integer", "minimum": 1], "The number.")
    let changed = reference("Changed\(name)")
    return [
      "parameters": [id],
      "get": operation(
        "Reads an item.",
        parameters: [parameter("If-None-Match", in: "header", text, "An ETag.")],
        [
          "200": response("The item.", reference(name), hasTag: true),
          "304": response("The item has this ETag."),
        ]),
      "patch": operation(
        "Changes an item; null removes a value.", parameters: [match],
        body: body(["application/json": changed, "application/merge-patch+json": changed]),
        ["200": response("The item.", reference(name), hasTag: true)]),
      "delete": operation(
        "Deletes an item.", parameters: [match], ["204": response("It is deleted.")]),
    ]
  }

  // MARK: Intents and shortcuts

  private static func action(_ action: Errand.Definition) -> JSONValue {
    let files = action.parameters.filter { $0.type.contains("file") }
    var bodies = ["application/json": action.parameterSchema]
    if !files.isEmpty { bodies["multipart/form-data"] = ["type": "object"] }
    let result: JSONValue = action.resultSchema.map { ["anyOf": [$0, ["type": "null"]]] } ?? [:]
    return [
      "get": operation(
        "Describes `\(action.summary.name)`.", ["200": response("The description.", described)]),
      "post": operation(
        action.summary.description, body: body(bodies, isRequired: false),
        calls(result: result)),
    ]
  }

  private static func calls(result: JSONValue) -> [String: JSONValue] {
    [
      "200": response(
        "It is done.",
        object(["run": optionalText, "result": result, "dialog": texts, "cards": cards])),
      "202": response(
        "It asks; answer at `/runs/{run}/answers`.",
        object([
          "run": text, "question": reference("Question"), "dialog": texts, "cards": cards,
        ])),
    ]
  }

  private static let texts: JSONValue = ["type": "array", "items": text]
  private static let cards: JSONValue = ["type": "array", "items": ["type": "object"]]
  private static let described = object([
    "name": text, "kind": text, "title": text, "description": text,
    "parameters": ["type": "object"], "result": ["type": ["object", "null"]],
    "mayChange": ["type": "boolean"], "isDurable": ["type": "boolean"], "capabilities": texts,
  ])

  // MARK: The rest

  private static let fixedSchemas: [String: JSONValue] = [
    "Problem": object([
      "type": text, "title": text, "status": ["type": "integer"], "code": text, "detail": text,
    ]),
    "Question": object([
      "event": ["enum": ["ask", "choose", "confirm"]], "number": ["type": "integer"], "key": text,
      "prompt": text, "problem": optionalText,
    ]),
    "Run": object([
      "run": text, "name": text, "state": text, "result": [:],
      "question": ["anyOf": [reference("Question"), ["type": "null"]]],
      "error": ["type": ["object", "null"]],
    ]),
    "Answer": [
      "type": "object", "required": ["number"],
      "properties": ["number": ["type": "integer"], "answer": [:], "cancel": ["type": "boolean"]],
    ],
    "Share": [
      "type": "object", "additionalProperties": false,
      "properties": [
        "url": text, "text": text, "title": text, "to": text, "note": text, "reading": text,
        "sender": text, "conversation": text, "tags": ["type": "array", "items": text],
      ],
    ],
  ]

  private static let fixedPaths: [String: JSONValue] = [
    "/health": [
      "get": .object([
        "summary": "Says that the server runs.", "security": [],
        "responses": ["200": response("It runs.", object(["status": ["const": "ok"]]))],
      ])
    ],
    "/actions": [
      "get": operation(
        "Lists intents and shortcuts.",
        [
          "200": response(
            "The list.",
            list("actions", object(["name": text, "kind": text, "description": text])))
        ])
    ],
    "/do": [
      "post": operation(
        "Understands a sentence, and does it if `run` is true.",
        body: body([
          "application/json": .object([
            "type": "object", "required": ["text"],
            "properties": .object([
              "text": .object(["type": "string", "maxLength": 2000]),
              "language": .object(["type": "string", "maxLength": 32]),
              "run": .object(["type": "boolean"]),
            ]),
          ])
        ]), calls(result: [:]))
    ],
    "/runs": [
      "get": operation(
        "Lists the runs of this token.",
        ["200": response("The list.", list("runs", reference("Run")))])
    ],
    "/runs/{run}": [
      "parameters": [run],
      "get": operation("Shows a run.", ["200": response("The run.", reference("Run"))]),
      "delete": operation("Ends a run.", ["200": response("The run.", reference("Run"))]),
    ],
    "/runs/{run}/events": [
      "parameters": [run],
      "get": operation(
        "Follows a run by server-sent events.",
        parameters: [parameter("Last-Event-ID", in: "header", text, "The last event received.")],
        ["200": response("The events.", [:], type: "text/event-stream")]),
    ],
    "/runs/{run}/answers": [
      "parameters": [run],
      "post": operation(
        "Answers a question.", body: body(["application/json": reference("Answer")]),
        calls(result: [:])),
    ],
    "/shares": [
      "post": operation(
        "Puts something into the inbox.",
        parameters: [
          parameter("Idempotency-Key", in: "header", text, "A name, so that it is stored once.")
        ],
        body: body([
          "application/json": reference("Share"), "text/plain": text,
          "multipart/form-data": ["type": "object"],
        ]),
        ["202": response("It is on the disk.", object(["share": text]))])
    ],
    "/widgets/{name}": [
      "parameters": [parameter("name", in: "path", text, "The name of the widget.")],
      "get": operation(
        "Shows a widget.",
        parameters: [
          parameter("as", in: "query", text, "json, html or svg."),
          parameter("family", in: "query", text, "The size."),
        ],
        ["200": response("What it shows.", ["type": "object"])]),
    ],
    "/activities": [
      "get": operation(
        "Lists what runs now.",
        ["200": response("The list.", list("activities", ["type": "object"]))])
    ],
    "/jobs": [
      "get": operation(
        "Lists jobs.", ["200": response("The list.", list("jobs", ["type": "object"]))])
    ],
    "/metrics": [
      "get": operation(
        "Counts requests and runs.",
        ["200": response("Counters in the format of Prometheus.", text, type: "text/plain")])
    ],
    "/openapi.json": [
      "get": operation(
        "Describes the API.", ["200": response("This document.", ["type": "object"])])
    ],
  ]
}
