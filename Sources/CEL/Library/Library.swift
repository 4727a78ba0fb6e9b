/// The standard library and the extensions, found by name.
///
/// Overloads are made when an expression names them: a table of all of them would cost every
/// start what few expressions use.
enum Library {
  private static let parts: [any FunctionLibrary.Type] = [
    StandardFunctions.self, TimeFunctions.self, StringFunctions.self, ListFunctions.self,
    OptionalFunctions.self, MathFunctions.self, EncodingFunctions.self, RegexFunctions.self,
    NetworkFunctions.self,
  ]

  /// The overloads of a name; nil when there is no such function.
  static func overloads(of name: String) -> [Function]? {
    for part in parts {
      if let overloads = part.overloads(of: name) { return overloads }
    }
    return nil
  }

  /// The names of all functions, for "did you mean".
  static var functionNames: [String] { parts.flatMap { $0.names } }

  /// The macro of the extensions that goes through values.
  static func iteration(named name: String, argumentCount: Int) -> Iteration? {
    argumentCount == 2 && name == "sortBy" ? ListFunctions.sortBy : nil
  }

  /// The type that a name means.
  static func type(named name: String) -> TypeName? {
    switch name {
    case "null_type", "bool", "int", "uint", "double", "string", "bytes", "list", "map", "type",
      "optional_type", "net.IP", "net.CIDR", "google.protobuf.Timestamp",
      "google.protobuf.Duration":
      TypeName(name)
    default: nil
    }
  }

  /// A node that does a call better than the general one can, knowing some arguments.
  static func specialised(
    _ name: String, _ arguments: [any Node], _ site: CallSite
  ) -> (any Node)? {
    if name == "matches", arguments.count == 2, case .string(let text)? = arguments[1].constant {
      return MatchNode.make(arguments[0], pattern: text, site)
    }
    return nil
  }
}
