import Source
import YAML

/// Says how a step is written that a person began as in another language.
enum StepAdvice {
  /// A word of other languages in the place of a step's name; nil when it is none.
  static func foreignWord(_ key: Scalar) -> Diagnostic? {
    let help: String
    switch key.text.lowercased() {
    case "foreach", "for-each", "for_each", "each":
      let line = key.span.line(with: "for") ?? "- for: item"
      help = "write `\(line)`, with `in:` and `do:` below it"
    case "loop": help = "write `- repeat: 3`, `- while: …` or `- for: item`, with `do:` below it"
    case "until": help = "write `- while: '!(…)'` with `do:` below it"
    case "unless": help = "write `- if: '!(…)'` with `then:` below it"
    case "switch", "case", "match": help = "write `- if: …` with `then:`, `elif:` and `else:`"
    case "let", "var", "assign": help = "write `- set: {name: value}`"
    case "print", "echo", "puts": help = "write `- say: …`"
    case "call", "invoke": help = "write the name itself, as `- save: …`, or `- run: name`"
    case "throw", "raise", "error": help = "write `- fail: …`"
    case "sleep", "delay": help = "write `- wait: 5s`"
    case "shell", "bash", "command": help = "write `- exec: …`"
    default: return nil
    }
    return Diagnostic(
      "unknown-step", "there is no verb, intent or shortcut `\(key.text)`", at: key.span, help: help
    )
  }

  /// A mistyped `when` or `as` beside a call; nil when no key is near to one.
  static func mistypedModifier(among keys: [Scalar]) -> Diagnostic? {
    for key in keys.dropFirst() {
      guard !ReservedWord.isVerb(key.text), !ReservedWord.isBlockWord(key.text),
        let near = Suggestion.nearest(to: key.text, in: ReservedWord.modifiers)
      else { continue }
      return Diagnostic(
        "unknown-key", "a step has no key `\(key.text)`", at: key.span,
        help: "did you mean `\(near)`?")
    }
    return nil
  }
}
