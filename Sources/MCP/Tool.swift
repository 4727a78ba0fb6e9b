import ErrandKit

/// A tool: an intent or a shortcut as assistants see it.
struct Tool {
  let definition: Errand.Definition

  /// The property of items that holds the text of a page.
  static let pageText = "pageText"
  /// The parameter that names where a value came from, which the server sets itself.
  private static let source = "source"

  var name: String { definition.summary.name }

  /// Whether a call sets the source of the items it saves.
  var hasSource: Bool {
    definition.mayChange && definition.parameters.contains { $0.name == Self.source }
  }

  /// Whether the texts of pages are a choice of the caller.
  var offersText: Bool {
    !definition.parameters.contains { $0.name == "text" }
      && definition.resultSchema?.mentions(Self.pageText) ?? true
  }

  /// Whether a call may have effects that undo cannot revert.
  var isIrreversible: Bool { definition.mayChange && !definition.capabilities.isEmpty }

  /// The tool in the answer to `tools/list`.
  var listing: JSONValue {
    let description = definition.summary.description
    return [
      "name": .string(name), "title": .string(definition.title),
      "description": .string(description.isEmpty ? definition.title : description),
      "inputSchema": inputSchema, "outputSchema": outputSchema,
      "annotations": [
        "title": .string(definition.title), "readOnlyHint": .bool(!definition.mayChange),
        "destructiveHint": .bool(definition.mayChange),
        "idempotentHint": .bool(!definition.mayChange),
        "openWorldHint": .bool(!definition.capabilities.isEmpty),
      ],
    ]
  }

  private var inputSchema: JSONValue {
    guard case .object(var schema) = definition.parameterSchema else { return [:] }
    var properties = schema["properties"]?.members ?? [:]
    if hasSource { properties[Self.source] = nil }
    if offersText {
      properties["text"] = [
        "type": "boolean", "default": false,
        "description": "Whether to include the texts of pages, which can be long.",
      ]
    }
    schema["properties"] = .object(properties)
    return JSONValue.object(schema).withoutUnions
  }

  private var outputSchema: JSONValue {
    [
      "type": "object",
      "properties": [
        "result": definition.resultSchema ?? [:],
        "dialog": ["type": "array", "items": ["type": "string"]],
      ],
      "required": ["result", "dialog"],
    ]
  }

  /// The values of a call, and the input of a shortcut.
  func values(
    _ arguments: [String: JSONValue], client: String
  ) -> (parameters: [String: JSONValue], input: JSONValue?) {
    var values = arguments
    if offersText { values["text"] = nil }
    if hasSource { values[Self.source] = .string(client) }
    guard definition.summary.kind == "shortcut", let input = values["input"] else {
      return (values, nil)
    }
    values["input"] = nil
    return (values, input)
  }
}
