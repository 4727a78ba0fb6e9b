import CEL
import Catalog
import Items
import YAML

extension Errand {
  /// Returns the results of a type as JSON Schema: items are objects, as in ``ItemSnapshot/fields``.
  func resultSchema(of type: DataType) -> JSONValue {
    switch type {
    case .list(let element): ["type": "array", "items": resultSchema(of: element)]
    case .map(let element): ["type": "object", "additionalProperties": resultSchema(of: element)]
    case .optional(let type): ["anyOf": [resultSchema(of: type), ["type": "null"]]]
    case .entity(let name): itemSchema(of: name)
    default: type.schema
    }
  }

  /// Returns the items of an entity as JSON Schema.
  ///
  /// Only members common to all items are required, since an item may be older than its definition.
  private func itemSchema(of name: String) -> JSONValue {
    var properties: [String: JSONValue] = [
      "entity": ["const": .string(name)], "id": ["type": "integer"],
      "ref": ["type": "string"],
      "createdAt": ["type": "string", "format": "date-time"],
      "updatedAt": ["type": "string", "format": "date-time"],
    ]
    for property in (try? catalog.entity(name))?.properties ?? [] {
      var schema = property.type.schema
      if case .object(var members) = schema, let description = property.description {
        members["description"] = .string(description)
        schema = .object(members)
      }
      properties[property.name.text] = schema
    }
    return [
      "type": "object", "title": .string(name), "properties": .object(properties),
      "required": ["entity", "id", "ref"],
    ]
  }
}

extension DataType {
  /// The values of the type as JSON Schema.
  var schema: JSONValue {
    switch self {
    case .string, .file: ["type": "string"]
    case .refined(let refined): refined.base.schema
    case .int: ["type": "integer"]
    case .double: ["type": "number"]
    case .bool: ["type": "boolean"]
    case .url: ["type": "string", "format": "uri"]
    case .timestamp: ["type": "string", "format": "date-time"]
    case .date: ["type": "string", "format": "date"]
    case .when: ["type": "string", "examples": ["2026-11-20", "2026-11-20T14:00:00Z"]]
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

  /// Returns a literal of this type as the matching JSON type.
  func jsonValue(ofText text: String) -> JSONValue {
    switch unwrapped {
    case .int: Int64(text).map(JSONValue.int) ?? .string(text)
    case .double: Double(text).map(JSONValue.double) ?? .string(text)
    case .refined(let type): type.value(of: .string(text)).map { JSONValue($0) } ?? .string(text)
    case .bool: text == "true" ? true : text == "false" ? false : .string(text)
    default: .string(text)
    }
  }
}
