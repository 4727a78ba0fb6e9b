/// The names that other languages give to methods of CEL.
enum ForeignSpelling {
  /// Returns the case that a method of another language gives to letters: `upper` or `lower`; nil for
  /// other methods.
  static func letterCase(_ name: String) -> String? {
    switch name.lowercased() {
    case "upper", "uppercase", "touppercase", "uppercased", "upcase", "ucase": "upper"
    case "lower", "lowercase", "tolowercase", "lowercased", "downcase", "lcase": "lower"
    default: nil
    }
  }

  /// Returns the equivalent method under its CEL name.
  static func method(_ name: String) -> String? {
    switch name.lowercased() {
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
