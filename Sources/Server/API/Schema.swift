import ErrandKit

/// A type of the API as JSON Schema; that of an item or a call follows a definition.
struct Schema: Sendable {
  /// Makes the schema for a definition; nil if the definition has no use for it.
  let json: @Sendable (Errand.Definition?) -> JSONValue?

  /// Creates a schema that is the same for all definitions.
  init(_ json: JSONValue) { self.json = { _ in json } }

  private init(of json: @escaping @Sendable (Errand.Definition?) -> JSONValue?) {
    self.json = json
  }

  // MARK: Parts

  static let text: JSONValue = ["type": "string"]
  private static let optionalText: JSONValue = ["type": ["string", "null"]]
  private static let number: JSONValue = ["type": "integer"]
  private static let flag: JSONValue = ["type": "boolean"]
  private static let texts: JSONValue = ["type": "array", "items": text]
  private static let cards: JSONValue = ["type": "array", "items": ["type": "object"]]

  private static func component(_ name: String) -> JSONValue {
    ["$ref": .string("#/components/schemas/\(name)")]
  }

  private static func all(of properties: [String: JSONValue]) -> JSONValue {
    [
      "type": "object", "properties": .object(properties),
      "required": .array(properties.keys.sorted().map(JSONValue.string)),
    ]
  }

  static let any = Schema([:])
  static let jobNumber = Schema(number)
  static let object = Schema(["type": "object"])

  /// One of ``components``.
  static func reference(_ name: String) -> Schema { Schema(component(name)) }

  /// An object that has all of these members.
  static func members(_ properties: [String: JSONValue]) -> Schema { Schema(all(of: properties)) }

  /// An object with a list.
  static func list(_ name: String, _ element: Schema) -> Schema {
    members([name: ["type": "array", "items": element.json(nil) ?? [:]]])
  }

  // MARK: Items

  static let item = Schema { $0.map { component($0.summary.name) } }
  static let newItem = Schema { $0.map { component("New" + $0.summary.name) } }
  static let changedItem = Schema { $0.map { component("Changed" + $0.summary.name) } }
  static let items = Schema { entity in
    all(of: [
      "items": ["type": "array", "items": item.json(entity) ?? [:]], "next": optionalText,
    ])
  }

  /// The named schemas of an entity.
  static func components(of entity: Errand.Definition) -> [String: JSONValue] {
    let name = entity.summary.name
    var changed = entity.parameterSchema
    if case .object(var members) = changed {
      members["required"] = nil
      changed = .object(members)
    }
    return [name: stored(entity), "New" + name: entity.parameterSchema, "Changed" + name: changed]
  }

  /// The schema of a stored item, whose properties may all be null.
  private static func stored(_ entity: Errand.Definition) -> JSONValue {
    var properties: [String: JSONValue] = [
      "entity": ["const": .string(entity.summary.name)], "id": number, "ref": text,
      "createdAt": text, "updatedAt": text,
    ]
    let required = properties.keys.sorted().map(JSONValue.string)
    for property in entity.parameters {
      // Files and items are shown with their own members.
      let isPlain = !property.type.contains("file") && property.schema["description"] == nil
      let type = property.schema["type"].flatMap { isPlain ? $0.string : nil }
      properties[property.name] =
        type.map { ["anyOf": [["type": .string($0)], ["type": "null"]]] } ?? [:]
    }
    return ["type": "object", "properties": .object(properties), "required": .array(required)]
  }

  // MARK: Intents, shortcuts and their runs

  static let parameters = Schema { $0?.parameterSchema }
  static let files = Schema {
    $0?.parameters.contains { $0.type.contains("file") } == true ? ["type": "object"] : nil
  }
  static let fileAnswer = Schema(["type": "object", "required": ["number", "answer"]])
  static let action = members([
    "name": text, "kind": text, "title": text, "description": text,
    "parameters": ["type": "object"], "result": ["type": ["object", "null"]],
    "mayChange": flag, "isDurable": flag, "capabilities": texts,
  ])
  static let actions = list("actions", members(["name": text, "kind": text, "description": text]))
  static let sentence = Schema([
    "type": "object", "required": ["text"],
    "properties": [
      "text": ["type": "string", "maxLength": .int(Int64(Sentence.limit))],
      "language": ["type": "string", "maxLength": 32], "run": flag,
    ],
  ])
  static let called = Schema { definition in
    let result: JSONValue? = definition?.resultSchema.map { ["anyOf": [$0, ["type": "null"]]] }
    return all(of: [
      "run": optionalText, "result": result ?? [:], "dialog": texts, "cards": cards,
    ])
  }
  static let asked = members([
    "run": text, "question": component("Question"), "dialog": texts, "cards": cards,
  ])

  /// The named schemas that are the same for everybody.
  static let components: [String: JSONValue] = [
    "Problem": all(of: [
      "type": text, "title": text, "status": number, "code": text, "detail": text,
    ]),
    "Question": all(of: [
      "event": ["enum": ["ask", "choose", "confirm"]], "number": number, "key": text,
      "prompt": text, "problem": optionalText,
    ]),
    "Run": all(of: [
      "run": text, "name": text, "state": text, "result": [:],
      "question": ["anyOf": [component("Question"), ["type": "null"]]],
      "error": ["type": ["object", "null"]],
    ]),
    "Answer": [
      "type": "object", "required": ["number"],
      "properties": ["number": number, "answer": [:], "cancel": flag],
    ],
    "Share": [
      "type": "object", "additionalProperties": false,
      "properties": [
        "url": text, "text": text, "title": text, "to": text, "note": text, "reading": text,
        "sender": text, "conversation": text, "tags": texts,
      ],
    ],
  ]
}
