/// The names that other languages give to methods of CEL.
enum ForeignSpelling {
  /// Returns the equivalent method under its CEL name.
  static func method(_ name: String) -> String? {
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
}
