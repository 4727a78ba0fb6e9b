/// The standard library and the extensions, looked up by name.
enum FunctionLibrary {
  private static let parts: [[LibraryFunction]] = [
    StandardFunctions.all, TimeFunctions.all, StringFunctions.all, ListFunctions.all,
    OptionalFunctions.all, MathFunctions.all, EncodingFunctions.all, RegexFunctions.all,
    NetworkFunctions.all,
  ]

  /// Returns the overloads of a name; nil if there is no such function.
  static func overloads(of name: String) -> [Function]? {
    parts.lazy.compactMap { part in part.first { $0.name == name } }.first?.overloads(name)
  }

  /// The names of all functions, for “did you mean”.
  static var functionNames: [String] { parts.joined().map(\.name) }

  /// `list.sortBy(x, key)`.
  static var sortBy: Iteration { ListFunctions.sortBy }

  /// Returns a matcher with a precompiled pattern; nil for other functions and for an invalid pattern, which then fails
  /// at evaluation.
  static func matcher(_ name: String, pattern: Value?) -> (@Sendable (String) -> Bool)? {
    guard name == "matches", case .string(let text)? = pattern, let regex = try? Regex(text) else {
      return nil
    }
    return regex.matches
  }

  /// Returns the type of a name.
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
}
