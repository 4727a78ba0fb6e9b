import CEL
import Catalog
import Items
import Program
import YAML

extension DocumentSchema {
  /// Text with an embedded expression.
  private static let computed: Value = ["type": "string", "pattern": "\\{\\{"]

  /// A literal of a type, or an expression that gives one.
  private func value(of type: DataType, isNullable: Bool) -> Value {
    func types(_ names: String...) -> Value {
      ["type": Self.words(isNullable ? names + ["null"] : names)]
    }
    switch type.unwrapped {
    case .any, .share, .optional: return [:]
    case .string, .file, .entity: return types("string", "number", "boolean")
    case .date, .when, .timestamp, .duration, .refined: return types("string", "number")
    case .url: return types("string")
    case .int: return types("integer", "string")
    case .double: return types("number", "string")
    case .bool: return types("boolean", "string", "integer")
    case .enumeration(let values):
      // YAML reads other words as numbers and Booleans.
      let areWords = values.allSatisfy {
        $0.first?.isLetter == true && $0 != "true" && $0 != "false"
      }
      guard areWords else { return types("string", "number", "boolean") }
      let forms: [Value] = [["enum": Self.words(values)], Self.computed]
      return ["anyOf": .list(isNullable ? forms + [["type": "null"]] : forms)]
    case .list(let element):
      return types("array", "string").with("items", value(of: element, isNullable: true))
    case .map(let element):
      return types("object", "string")
        .with("additionalProperties", value(of: element, isNullable: true))
    case .record: return types("object", "string")
    }
  }

  /// A literal in a range.
  private func value(
    of type: DataType, isNullable: Bool, from least: Double?, to most: Double?
  ) -> Value {
    let schema = value(of: type, isNullable: isNullable)
    guard [.int, .double].contains(type.unwrapped) else { return schema }
    func limit(_ number: Double?) -> Value? {
      guard let number, number.isFinite else { return nil }
      return Int64(exactly: number).map(Value.int) ?? .double(number)
    }
    return schema.with("minimum", limit(least)).with("maximum", limit(most))
  }

  /// The value of a parameter.
  func value(of parameter: ParameterDefinition) -> Value {
    if isOpen { return [:] }
    let limits = parameter.constraints
    return value(of: parameter.type, isNullable: true, from: limits.min, to: limits.max)
  }

  /// The value of an argument of a verb.
  func value(of argument: ArgumentDeclaration) -> Value {
    switch argument.kind {
    case .value(let type):
      value(
        of: type, isNullable: type.isOptional, from: argument.range?.lowerBound,
        to: argument.range?.upperBound)
    case .literal: ["type": Self.scalarTypes, "pattern": "^(?![\\s\\S]*\\{\\{)"]
    case .filter: Self.reference("expression")
    case .itemTemplate: Self.reference("text")
    case .entityName: oneOf(context.catalog.entityNames, or: name(.entity))
    case .typeName: Self.reference("type")
    case .actionName:
      ["anyOf": [oneOf(context.catalog.actionNames, or: name(.action)), Self.computed]]
    case .choice(let words): ["enum": Self.words(words)]
    case .fields(.parameters): ["type": "object"]
    case .fields: ["type": ["object", "string"], "pattern": "\\{\\{"]
    case .sortKeys: ["type": ["string", "array"], "items": ["type": "string"]]
    }
  }

  /// One of the names in the catalog; an open schema also accepts `other`.
  private func oneOf(_ names: [String], or other: Value) -> Value {
    let known: Value = ["enum": Self.words(names)]
    return isOpen ? ["anyOf": [known, other]] : known
  }

  /// The properties of new items of an entity.
  func items(of name: String) -> Value {
    let entity = (try? context.catalog.entity(name)) ?? context.catalog.partialEntity(name)
    let properties = (entity?.properties ?? []).map { property in
      (
        property.name.text,
        described(
          isOpen ? [:] : value(of: property.type, isNullable: true),
          by: explainer.text(of: property))
      )
    }
    let schema: Value = [
      "type": ["object", "string"], "properties": .map(MapValue(properties)),
    ]
    return isOpen || entity == nil ? schema : schema.with("additionalProperties", false)
  }
}
