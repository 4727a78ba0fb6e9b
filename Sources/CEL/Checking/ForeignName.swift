/// Suggestions for names that other languages use.
enum ForeignName {
  /// Suggests the CEL form of another language's method; nil if unknown.
  static func method(
    _ name: String, on receiver: Expression, type: CELType, arguments: [Expression]
  ) -> String? {
    let text = receiver.description
    let first = arguments.first.map(\.description) ?? "…"
    let rest = arguments.map(\.description).joined(separator: ", ")
    if let here = plain(name) { return "write `\(text).\(here)(\(rest))`" }
    switch name.lowercased() {
    case "length", "len", "count": return "write `size(\(text))`"
    case "isempty", "empty": return "write `size(\(text)) == 0`"
    case "isnull", "isnil", "isnone": return "write `\(text) == null`"
    case "includes", "contains", "has":
      if case .list = type { return "write `\(first) in \(text)`" }
      if case .map = type { return "write `\(first) in \(text)`" }
      return "write `\(text).contains(\(first))`"
    case "tostring", "string", "str": return "write `string(\(text))`"
    case "toint", "int": return "write `int(\(text))`"
    case "tofloat", "todouble", "double": return "write `double(\(text))`"
    case "push", "append", "add": return "write `\(text) + [\(first)]`"
    case "concat": return "write `\(text) + \(first)`"
    case "keys": return "write `\(text).map(k, k)`"
    case "values": return "write `\(text).transformList(k, v, v)`"
    case "foreach", "select", "collect", "each":
      return "write `\(text).map(x, …)`, which returns a list of the results"
    case "any", "some": return "write `\(text).exists(\(predicate(arguments)))`"
    case "every": return "write `\(text).all(\(predicate(arguments)))`"
    case "find", "detect": return "write `\(text).filter(\(predicate(arguments)))[0]`"
    case "where": return "write `\(text).filter(\(predicate(arguments)))`"
    case "orderby", "sorted": return "write `\(text).sortBy(\(predicate(arguments)))`"
    default: return nil
    }
  }

  /// Suggests the CEL form of another language's function; nil if unknown.
  static func function(_ name: String, _ arguments: [Expression]) -> String? {
    let first = arguments.first.map(\.description) ?? "…"
    let rest = arguments.dropFirst().map(\.description).joined(separator: ", ")
    if let here = plain(name) { return "write `\(first).\(here)(\(rest))`" }
    switch name.lowercased() {
    case "len", "length", "count": return "write `size(\(first))`"
    case "str", "tostring", "text": return "write `string(\(first))`"
    case "float", "number": return "write `double(\(first))`"
    case "integer": return "write `int(\(first))`"
    case "boolean": return "write `bool(\(first))`"
    case "isnull", "is_null": return "write `\(first) == null`"
    case "empty", "isempty": return "write `size(\(first)) == 0`"
    case "exists", "defined", "isset": return "write `\(first) != null`"
    case "not": return "write `!(\(first))`"
    case "concat":
      return "write `\(arguments.map(\.description).joined(separator: " + "))`"
    case "ifnull", "default", "nvl", "ifempty":
      return "write `coalesce(\(first), \(rest.isEmpty ? "…" : rest))`"
    case "max", "min":
      return "write `math.\(name.lowercased() == "max" ? "greatest" : "least")"
        + "(\(arguments.map(\.description).joined(separator: ", ")))`"
    case "abs", "round", "floor", "ceil": return "write `math.\(name.lowercased())(\(first))`"
    case "date", "datetime", "time": return "write `timestamp(\(first))`"
    default: return nil
    }
  }

  /// Suggests the CEL form of another language's value; nil if unknown.
  static func value(_ name: String) -> String? {
    switch name {
    case "None", "nil", "undefined", "NULL", "Null", "none": "write `null`"
    case "True", "TRUE": "write `true`"
    case "False", "FALSE": "write `false`"
    default: nil
    }
  }

  /// Returns the equivalent method under its CEL name.
  private static func plain(_ name: String) -> String? {
    switch name.lowercased() {
    case "upper", "uppercase", "touppercase", "uppercased", "upcase": "upperAscii"
    case "lower", "lowercase", "tolowercase", "lowercased", "downcase": "lowerAscii"
    case "strip", "trimmed": "trim"
    case "hasprefix", "beginswith", "startswith": "startsWith"
    case "hassuffix", "endswith": "endsWith"
    case "substr", "substringfrom": "substring"
    case "match", "regex", "test": "matches"
    case "replaceall", "gsub": "replace"
    case "reversed": "reverse"
    case "unique", "uniq": "distinct"
    case "flat": "flatten"
    default: nil
    }
  }

  /// Returns the arguments in a macro's form: a variable and a predicate.
  private static func predicate(_ arguments: [Expression]) -> String {
    arguments.count == 2 ? "\(arguments[0]), \(arguments[1])" : "x, …"
  }
}
