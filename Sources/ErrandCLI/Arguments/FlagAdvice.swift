/// The words that a command has for flags that it does not take.
struct FlagAdvice {
  /// The name of the command, which may refuse common flags.
  let command: String
  /// The advice about a flag of a name; nil for none.
  let help: (_ flag: String) -> String?
}
