import CEL

/// The form required of a kind of name (language §1).
package enum NameForm: Sendable {
  /// `Link`: entities.
  case upperCamel
  /// `search-and-share`: intents, shortcuts and verbs.
  case kebab
  /// `createdAt`: properties, parameters and variables.
  case lowerCamel
  /// `save`, `Link` or `widget:tasks`: a definition of any kind.
  case definition

  package func accepts(_ name: String) -> Bool {
    let scalars = name.unicodeScalars
    guard let first = scalars.first, scalars.count <= 64 else { return false }
    func isLower(_ scalar: Unicode.Scalar) -> Bool { ("a"..."z").contains(scalar) }
    func isUpper(_ scalar: Unicode.Scalar) -> Bool { ("A"..."Z").contains(scalar) }
    func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
    let rest = scalars.dropFirst()
    switch self {
    case .definition:
      if name.hasPrefix(WidgetDefinition.prefix) {
        return NameForm.kebab.accepts(String(name.dropFirst(WidgetDefinition.prefix.count)))
      }
      return NameForm.upperCamel.accepts(name) || NameForm.kebab.accepts(name)
    case .upperCamel:
      return isUpper(first) && rest.allSatisfy { isLower($0) || isUpper($0) || isDigit($0) }
    case .lowerCamel:
      return isLower(first) && rest.allSatisfy { isLower($0) || isUpper($0) || isDigit($0) }
        && !Expression.isReserved(name)
    case .kebab:
      var isAfterDash = false
      for scalar in scalars {
        if scalar == "-", isAfterDash { return false }
        isAfterDash = scalar == "-"
        guard isAfterDash || isLower(scalar) || isDigit(scalar) else { return false }
      }
      return isLower(first) && !isAfterDash
    }
  }

  /// A regular expression (ECMA 262) that matches every name of the form.
  package var pattern: String {
    switch self {
    case .upperCamel: "^[A-Z][A-Za-z0-9]{0,63}$"
    case .kebab: "^(?=.{1,64}$)[a-z][a-z0-9]*(-[a-z0-9]+)*$"
    case .definition: "^(widget:)?[A-Za-z][A-Za-z0-9-]{0,63}$"
    case .lowerCamel: "^[a-z][A-Za-z0-9]{0,63}$"
    }
  }

  /// Returns a name without case and dashes.
  static func plain(_ name: String) -> String { name.lowercased().filter { $0 != "-" } }

  /// Whether two names are easily confused.
  static func lookAlike(_ one: String, _ other: String) -> Bool {
    var one = NameLook(one)
    var other = NameLook(other)
    while let letter = one.next() {
      if other.next() != letter { return false }
    }
    return other.next() == nil
  }

  /// The first non-ASCII letter of a name; nil if there is none.
  package static func strangeLetter(in name: String) -> Unicode.Scalar? {
    name.unicodeScalars.first { !$0.isASCII && $0.properties.isAlphabetic }
  }

  /// An example of the form, for messages.
  package var example: String {
    switch self {
    case .upperCamel: "UpperCamelCase, such as `ReadingList`"
    case .lowerCamel: "lowerCamelCase, such as `createdAt`"
    case .kebab: "kebab-case, such as `add-note`"
    case .definition: "that of a definition, such as `save`, `Link` or `widget:tasks`"
    }
  }

  /// Rewrites a name to the form; nil if nothing sensible results.
  package func corrected(_ name: String) -> String? {
    var words: [String] = []
    var word = ""
    for character in name {
      if character.isUppercase || !character.isLetter && !character.isNumber {
        if !word.isEmpty { words.append(word) }
        word = ""
      }
      if character.isLetter || character.isNumber { word += character.lowercased() }
    }
    if !word.isEmpty { words.append(word) }
    let capitalized = words.map { $0.prefix(1).uppercased() + $0.dropFirst() }
    let result =
      switch self {
      case .upperCamel: capitalized.joined()
      case .lowerCamel: (words.prefix(1) + capitalized.dropFirst()).joined()
      case .kebab, .definition: words.joined(separator: "-")
      }
    return accepts(result) ? result : nil
  }

  /// Variables defined by the language.
  package static let givenVariables = ["it", "input", "self", "vars", "error", "run"]
}
