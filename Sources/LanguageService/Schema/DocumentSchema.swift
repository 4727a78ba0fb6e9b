package import CEL
import Catalog
import Items
package import Program
import YAML

/// A JSON Schema (draft-07) of documents, generated from the declarations that the parser uses.
///
/// It accepts every valid document. It cannot see into expressions, nor compare one document or one
/// part with another.
package struct DocumentSchema {
  let context: CompilationContext
  /// Whether documents may name definitions that are not in the catalog; those in it are then
  /// described, but may be replaced by others with other parameters.
  let isOpen: Bool
  let explainer: Explainer

  /// Creates the schema of documents beside the definitions of a catalog.
  package init(_ context: CompilationContext, isOpen: Bool) {
    self.context = context
    self.isOpen = isOpen
    explainer = Explainer(context)
  }

  /// The schema as JSON.
  package var value: Value {
    let parts: [(String, Value)] = [
      ("text", ["type": Self.scalarTypes]),
      ("expression", ["type": ["string", "number", "boolean"]]),
      ("type", type), ("steps", steps), ("step", step),
    ]
    var definitions = MapValue(parts)
    for name in context.catalog.entityNames { definitions["items." + name] = items(of: name) }
    for action in actions { definitions["call." + action.name.text] = call(of: action) }
    let kinds = Definition.Kind.allCases
    for kind in kinds {
      definitions[kind.rawValue] = object(kind.keys) { key in
        let schema = schema(of: key.form)
        guard key.form.isCollection, schema != Self.reference("steps") else { return schema }
        // Kinds share most of their keys.
        if definitions[key.name] == nil { definitions[key.name] = schema }
        return definitions[key.name] == schema ? Self.reference(key.name) : schema
      }
    }
    return [
      "$schema": "http://json-schema.org/draft-07/schema#",
      "title": "A definition of Errand", "type": "object",
      "properties": .map(
        MapValue(kinds.map { ($0.rawValue, described([:], by: "The name of \($0.phrase).")) })),
      "oneOf": .list(kinds.map { ["required": [.string($0.rawValue)]] }),
      "allOf": .list(
        kinds.map { kind in
          [
            "if": ["required": [.string(kind.rawValue)]],
            "then": Self.reference(kind.rawValue),
          ]
        }),
      "definitions": .map(definitions),
    ]
  }

  // MARK: Parts

  /// JSON types of YAML's scalars.
  static let scalarTypes: Value = ["string", "number", "boolean", "null"]

  static func reference(_ definition: String) -> Value {
    ["$ref": .string("#/definitions/" + definition)]
  }

  static func words(_ words: some Sequence<String>) -> Value { .list(words.map(Value.string)) }

  /// A name that the document chooses.
  func name(_ kind: NameKind) -> Value {
    let verbs = context.verbs.names()
    let names = context.environment.functionNames + SystemField.allCases.map(\.rawValue)
    let words = Set(names + ["list", "map"] + NameForm.givenVariables + Self.stepWords)
    let reserved = (kind == .action ? verbs : []) + words.filter(kind.reserves).sorted()
    let name: Value = ["type": "string", "pattern": .string(kind.form.pattern)]
    return reserved.isEmpty ? name : name.with("not", ["enum": Self.words(reserved)])
  }

  /// Adds the text that editors show; its Markdown, too, if it has paragraphs.
  func described(_ schema: Value, by text: String) -> Value {
    let plain = text.replacing("**", with: "").replacing("`", with: "")
    let described = schema.with("description", .string(plain))
    return text.contains("\n") ? described.with("markdownDescription", .string(text)) : described
  }

  /// A mapping with some keys and no others.
  func object(
    _ keys: [KeyDeclaration], _ schema: (KeyDeclaration) -> Value
  ) -> Value {
    let properties = keys.map { ($0.name, described(schema($0), by: explainer.text(of: $0))) }
    let required = keys.filter(\.isRequired).map(\.name)
    var object: Value = [
      "type": "object", "properties": .map(MapValue(properties)), "additionalProperties": false,
    ]
    if !required.isEmpty { object = object.with("required", Self.words(required)) }
    guard ["type", "values"].allSatisfy({ name in keys.contains { $0.name == name } }) else {
      return object
    }
    let isEnum: Value = ["properties": ["type": ["pattern": "^ *enum *[?]? *$"]]]
    return object.with("if", isEnum.with("required", ["type"]))
      .with("then", ["required": ["values"]])
  }

  /// The value of a key.
  func schema(of form: ValueForm) -> Value {
    switch form {
    case .text, .template: Self.reference("text")
    case .name(let kind): name(kind)
    case .bool: ["type": "boolean"]
    case .int: ["type": ["integer", "string"], "pattern": "^[+-]?[0-9]+$"]
    case .double:
      ["type": ["number", "string"], "pattern": "^[+-]?[0-9.]+([eE][+-]?[0-9]+)?$"]
    case .expression: Self.reference("expression")
    case .value: [:]
    case .type: Self.reference("type")
    case .steps: Self.reference("steps")
    case .choice(let words): ["enum": Self.words(words)]
    case .list(let form):
      [
        "if": ["type": "array"], "then": ["items": schema(of: form)], "else": schema(of: form),
      ]
    case .names(let name, let form):
      (["type": ["object", "null"], "additionalProperties": schema(of: form)] as Value)
        .with("propertyNames", name.map { self.name($0) })
    case .mapping(let keys): object(keys()) { schema(of: $0.form) }
    case .either(let forms):
      if forms.count == 2, case .mapping = forms[1] {
        [
          "if": ["type": "object"], "then": schema(of: forms[1]), "else": schema(of: forms[0]),
        ]
      } else {
        ["anyOf": .list(forms.map { schema(of: $0) })]
      }
    }
  }

  /// The notation of a type.
  private var type: Value {
    let simple = DataType.simple.map(\.description) + ["enum"]
    let entities = isOpen ? ["[A-Z][A-Za-z0-9]*"] : context.catalog.entityNames
    let names = (simple + entities).joined(separator: "|")
    return [
      "type": "string",
      "anyOf": [
        ["enum": Self.words(simple + context.catalog.entityNames)],
        ["pattern": .string("^ *(?:(?:list|map)< *)*(?:\(names))(?: *[?>])* *$")],
      ],
    ]
  }
}

extension Value {
  /// Returns a map with one more member; the same for nil.
  func with(_ key: String, _ value: Value?) -> Value {
    guard case .map(var map) = self, let value else { return self }
    map[key] = value
    return .map(map)
  }
}
