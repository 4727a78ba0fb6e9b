/// The encoders and sets extensions.
enum EncodingFunctions {
  static let all: [LibraryFunction] = [
    .init("base64.encode") {
      Function($0, .global, [.bytes], returns: .string) { (value: Value) in
        guard case .bytes(let bytes) = value else { return value }
        return .string(Base64.encode(bytes))
      }
    },
    .init("base64.decode") {
      Function($0, .global, [.string], returns: .bytes) { (text: String) throws(EvaluationError) in
        guard let bytes = Base64.decode(text) else {
          throw EvaluationError("invalid base64 text")
        }
        return Value.bytes(bytes)
      }
    },
    .init("sets.contains") { sets($0) { a, b in b.isSubset(of: a) } },
    .init("sets.equivalent") { sets($0) { a, b in a == b } },
    .init("sets.intersects") { sets($0) { a, b in !a.isDisjoint(with: b) } },
  ]

  private static func sets(
    _ name: String, _ holds: @escaping @Sendable (Set<Value>, Set<Value>) -> Bool
  ) -> Function {
    let list = CELType.list(.parameter("T"))
    return Function(name, .global, [list, list]) { (a: [Value], b: [Value]) in holds(Set(a), Set(b))
    }
  }
}
