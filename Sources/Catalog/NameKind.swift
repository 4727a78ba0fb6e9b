import CEL
import Items

/// The kinds of names that a document chooses.
package enum NameKind: Sendable {
  case entity, action, definition, property, parameter, result, variable, branch

  /// The form of its names.
  package var form: NameForm {
    switch self {
    case .entity: .upperCamel
    case .action: .kebab
    case .definition: .definition
    default: .lowerCamel
    }
  }

  /// Whether a word of the language cannot be such a name; verbs cannot name an action either.
  package func reserves(_ word: String) -> Bool {
    let isGiven = NameForm.givenVariables.contains(word)
    return switch self {
    case .entity, .branch, .definition: false
    case .action: ReservedWord.isBlockWord(word)
    case .property: SystemField.named(word) != nil || isGiven && word != "run"
    case .parameter, .result: isGiven || Environment.isType(named: word)
    case .variable: Environment.isType(named: word)
    }
  }
}
