import Program

/// Numbers with a decimal comma, as many languages write them.
enum DecimalComma {
  /// The number that a text such as `3,50` writes; nil for anything else, and for one with separators of
  /// thousands, which look the same in other languages.
  static func number(_ text: String) -> Double? {
    let parts = text.trimmingSpaces.split(separator: ",", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].allSatisfy({ $0.isASCII && $0.isNumber }), !parts[1].isEmpty,
      Int(parts[0]) != nil
    else { return nil }
    return Double("\(parts[0]).\(parts[1])")
  }

  /// Whether a text such as `1.500` could have its point between thousands.
  static func mayBeThousands(_ text: String) -> Bool {
    let parts = text.trimmingSpaces.split(separator: ".", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[1].count == 3, (1...3).contains(parts[0].count) else {
      return false
    }
    return parts.joined().allSatisfy { $0.isASCII && $0.isNumber } && parts[0] != "0"
  }

  /// The two numbers that such a text may mean, written without doubt.
  static func readings(of text: String) -> (whole: String, part: String) {
    let text = text.trimmingSpaces
    return (text.replacing(".", with: ""), text.replacing(".", with: ","))
  }

  /// Whether the locale of a process writes numbers so (POSIX.1-2017 §8.2).
  static func isUsual(in environment: (String) -> String?) -> Bool {
    let variables = ["LC_ALL", "LC_NUMERIC", "LANG"]
    guard let locale = variables.lazy.compactMap(environment).first(where: { !$0.isEmpty }) else {
      return false
    }
    let name = locale.prefix { $0 != "." && $0 != "@" }
    let parts = name.split(separator: "_", maxSplits: 1)
    guard let language = parts.first, languages.contains(String(language)) else { return false }
    return parts.count < 2 || !territories.contains(String(parts[1]))
  }

  /// Languages with a decimal comma (CLDR, `numbers/symbols/decimal`).
  private static let languages: Set<String> = [
    "af", "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "es", "et", "eu", "fi", "fo", "fr",
    "fy", "gl", "hr", "hu", "hy", "id", "is", "it", "ka", "kk", "ky", "lb", "lt", "lv", "mk", "nb",
    "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr", "sv", "tr", "uk", "uz", "vi",
  ]

  /// Territories that write a point in these languages, too.
  private static let territories: Set<String> = [
    "CH", "DO", "GT", "HN", "LI", "MX", "NI", "PA", "PE", "PR", "SV", "US",
  ]
}
