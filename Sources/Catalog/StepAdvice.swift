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
    case "else if", "elseif", "elsif", "elif", "else":
      help = "beside the `if` and its `then`, write `elif: [{if: …, then: …}]`, and `else:` last"
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

  /// A problem with a key that stands twice in a step, with what was most likely meant.
  static func onRepeatedKey(_ problem: Diagnostic) -> Diagnostic {
    guard problem.id == "duplicate-key", let key = problem.span?.text else { return problem }
    var problem = problem
    if key == "then" || key == "if" {
      problem.help = "another condition is `elif: [{if: …, then: …}]`, beside the first `then`"
    } else if ReservedWord.isVerb(key) {
      problem.help = "begin a step of its own with `- \(key):`, or take one of them out"
    }
    return problem
  }

  /// A key beside an `if` by which other languages go on with another condition; nil when it is none.
  static func otherCondition(_ key: Scalar) -> String? {
    switch key.text.lowercased().filter(\.isLetter) {
    case "elseif", "elsif", "elif", "elseiff", "orif":
      "write `elif: [{if: …, then: …}]`, with one pair of `if` and `then` for each"
    default: nil
    }
  }

  /// The step that was meant by a sentence such as `say Hello`; nil when none is clear.
  static func step(meantBy sentence: Scalar) -> String? {
    let end = sentence.text.firstIndex { $0 == " " || $0 == ":" }
    guard let end else { return nil }
    let verb = sentence.text[..<end].lowercased()
    guard ReservedWord.isVerb(verb) else { return nil }
    let rest = sentence.text[end...].drop { $0 == " " || $0 == ":" }
    guard !rest.isEmpty, rest.utf8.count <= 100, !rest.contains("\n") else { return nil }
    let needsQuotes =
      rest.contains(": ") || rest.contains(" #") || "'\"[{*&!%@`|>".contains(rest.first ?? "x")
    let value = needsQuotes ? "'\(rest.replacing("'", with: "''"))'" : String(rest)
    return "- \(verb): \(value)"
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
