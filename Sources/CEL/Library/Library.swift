/// The standard library and the extensions, found by name.
enum Library {
  private static let parts: [[LibraryFunction]] = [
    StandardFunctions.all, TimeFunctions.all, StringFunctions.all, ListFunctions.all,
    OptionalFunctions.all, MathFunctions.all, EncodingFunctions.all, RegexFunctions.all,
    NetworkFunctions.all,
  ]

  /// The overloads of a name; nil when there is no such function.
  static func overloads(of name: String) -> [Function]? {
    var text = name
    let row = text.withUTF8 { text in
      parts.lazy.compactMap { part in part.first { $0.isNamed(text) } }.first
    }
    return row?.overloads(name)
  }

  /// The names of all functions, for "did you mean".
  static var functionNames: [String] { parts.joined().map { "\($0.name)" } }

  /// The macro of the extensions that goes through values.
  static func iteration(named name: String, argumentCount: Int) -> Iteration? {
    argumentCount == 2 && name == "sortBy" ? ListFunctions.sortBy : nil
  }

  /// The type that a name means.
  static func type(named name: String) -> CELType? {
    switch name {
    case "null_type": .null
    case "bool": .bool
    case "int": .int
    case "uint": .uint
    case "double": .double
    case "string": .string
    case "bytes": .bytes
    case "list": .list(.dyn)
    case "map": .map(.dyn, .dyn)
    case "optional_type": .optional(.dyn)
    case "google.protobuf.Timestamp": .timestamp
    case "google.protobuf.Duration": .duration
    case "type": .type(nil)
    case "net.IP", "net.CIDR": .opaque(name)
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
