import ErrandKit

extension JSONValue {
  /// A JSON Schema of inputs without unions, which many clients cannot read.
  ///
  /// Null is left out, since a value that is not required can be omitted; of several types, text
  /// remains.
  var withoutUnions: JSONValue {
    guard case .object(var schema) = self else { return self }
    if let types = schema["type"]?.array {
      schema["type"] = types.first { $0 == "string" } ?? types.first { $0 != "null" }
    }
    for word in ["anyOf", "oneOf"] {
      guard let options = schema[word]?.array else { continue }
      let others = options.filter { $0["type"] != "null" }.map(\.withoutUnions)
      schema[word] = .array(others)
      if others.count == 1, case .object(let members)? = others.first {
        schema[word] = nil
        schema.merge(members) { own, _ in own }
      }
    }
    for word in ["items", "additionalProperties"] {
      schema[word] = schema[word]?.withoutUnions
    }
    if case .object(let properties)? = schema["properties"] {
      schema["properties"] = .object(properties.mapValues(\.withoutUnions))
    }
    return .object(schema)
  }
}
