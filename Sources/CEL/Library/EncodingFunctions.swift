/// The encoders and sets extensions.
enum EncodingFunctions: FunctionLibrary {
  static let names = [
    "base64.encode", "base64.decode", "sets.contains", "sets.equivalent", "sets.intersects",
  ]

  static func overloads(of name: String) -> [Function]? {
    switch name {
    case "base64.encode":
      [
        Function(name, .global, [.bytes], returns: .string) { (value: Value) in
          guard case .bytes(let bytes) = value else { return value }
          return .string(Base64.encode(bytes))
        }
      ]
    case "base64.decode":
      [
        Function(name, .global, [.string], returns: .bytes) {
          (text: String) throws(EvaluationError) in
          guard let bytes = Base64.decode(text) else {
            throw EvaluationError("the text is not base64")
          }
          return Value.bytes(bytes)
        }
      ]
    case "sets.contains": sets(name) { a, b in b.isSubset(of: a) }
    case "sets.equivalent": sets(name) { a, b in a == b }
    case "sets.intersects": sets(name) { a, b in !a.isDisjoint(with: b) }
    default: nil
    }
  }

  private static func sets(
    _ name: String, _ holds: @escaping @Sendable (Set<Value>, Set<Value>) -> Bool
  ) -> [Function] {
    let list = CELType.list(.parameter("T"))
    return [
      Function(name, .global, [list, list]) { (a: [Value], b: [Value]) in
        holds(Set(a), Set(b))
      }
    ]
  }
}
