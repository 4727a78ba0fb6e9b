import CEL
import Engine
import ErrandKit
import Glibc
import POSIX
import Source

/// `errand do`: runs the intent or the shortcut that a sentence asks for.
enum DoCommand {
  static let command = Command(
    "do", "do what a sentence asks for", usage: "WORDS…",
    discussion: """
      Finds the phrase of an intent or a shortcut that fits the words, and runs it with the values \
      in them; what is missing is asked. `errand phrases` lists what can be said.
      """,
    flags: [Flag("explain", .toggle, "show what was understood, and run nothing")],
    serves: [.json, .answers]
  ) { invocation, arguments in
    let sentence = arguments.words.joined(separator: " ")
    guard !sentence.isEmpty else {
      throw UsageError("`do` takes a sentence", help: "errand do remind me to call Ada")
    }
    let run = try invocation.openRun()
    let phrases = try SpokenPhrases(run)
    let found = phrases.understand(sentence)
    guard let first = found.first else {
      let near = phrases.nearest(to: sentence, limit: 3).map { "“\($0.text)” (\($0.action))" }
      throw UsageError(
        "nothing that can be said fits “\(sentence.prefix(80))”",
        help: near.isEmpty
          ? "`errand phrases` lists what can be said" : near.joined(separator: "\n"))
    }
    let chosen = found.count == 1 ? first : try choose(among: found, invocation)
    if arguments.isOn("explain") || !invocation.mode.isPlain {
      return try explain(chosen, invocation)
    }
    let values = chosen.values.map { "\($0.name): \($0.text)" }.joined(separator: ", ")
    let told = values.isEmpty ? chosen.action : "\(chosen.action), \(values)"
    let reachesOutside = try !run.workspace.capabilities(of: chosen.action).isEmpty
    if chosen.hasGuess, reachesOutside {
      guard try run.confirm("Do this: \(told)?", key: "do") else {
        throw RunError(.declined, "nothing was done")
      }
    }
    try becomeCall(of: chosen, arguments, invocation)
  }

  /// Asks which of several understandings was meant.
  private static func choose(
    among found: [SpokenPhrases.Understanding], _ invocation: Invocation
  ) throws -> SpokenPhrases.Understanding {
    let titles = found.map(\.action)
    guard invocation.front.canAnswer else {
      throw UsageError(
        "the words fit \(titles.joined(separator: " and ")) equally well",
        help: "say it in other words")
    }
    let choices = found.map { Question.Choice(title: $0.action, subtitle: $0.phrase) }
    let question = Question(
      .choice(choices, many: false), key: "do", prompt: "What did you mean?")
    guard case .chosen(let chosen) = try invocation.front.ask(question),
      let position = chosen.first, found.indices.contains(position)
    else { throw RunError(.declined, "nothing was done") }
    return found[position]
  }

  private static func explain(
    _ understood: SpokenPhrases.Understanding, _ invocation: Invocation
  ) throws {
    if invocation.mode.isPlain {
      invocation.console.out("\(understood.action)  “\(understood.phrase)”\n")
      for (name, text) in understood.values { invocation.console.out("  \(name): \(text)\n") }
      return
    }
    let entries = understood.values.map { ($0.name, Value.string($0.text)) }
    try invocation.resultWriter.write(
      .record(["intent": understood.action, "parameters": Value.map(MapValue(entries))]))
  }

  /// Becomes the call, so that its questions, output and status are the person's.
  private static func becomeCall(
    of understood: SpokenPhrases.Understanding, _ arguments: Arguments, _ invocation: Invocation
  ) throws {
    invocation.console.flush()
    let program = try Folder.resolved("/proc/self/exe").expected("cannot locate the program")
    var words = [program, "call", understood.action]
    for flag in ["store", "catalog"] {
      if let value = arguments.last(flag) { words += ["--\(flag)", value] }
    }
    for (key, value) in try arguments.pairs("answer") { words += ["--answer", "\(key)=\(value)"] }
    if arguments.isOn("yes") { words.append("--yes") }
    words += understood.values.map { "--\($0.name)=\($0.text)" }
    var pointers = words.map { strdup($0) } + [nil]
    defer { for pointer in pointers { free(pointer) } }
    execv(program, &pointers)
    throw RunError(.exec, "cannot start \(program): \(String(cString: strerror(errno)))")
  }
}

/// `errand phrases`: lists what can be said.
enum PhrasesCommand {
  static let command = Command(
    "phrases", "list what can be said to `errand do`", usage: "[NAME…]",
    serves: [.json, .format], reads: .always
  ) { invocation, arguments in
    var problems: [(String, String)] = []
    let phrases = try SpokenPhrases(invocation.openRun()) { phrase, reason in
      problems.append(("\(phrase.action): “\(phrase.text)”", reason))
    }
    let names = Set(arguments.words)
    let shown = phrases.phrases.filter { names.isEmpty || names.contains($0.action) }
    if shown.isEmpty, let name = arguments.words.first {
      throw UsageError(
        "there is no intent or shortcut “\(name)”",
        help: Suggestion.help(for: name, in: phrases.phrases.map(\.action)))
    }
    let report = Report<SpokenPhrases.Phrase>(
      columns: ["name": \.action, "phrase": \.text],
      value: { .record(["name": $0.action, "phrase": $0.text]) })
    try report.write(shown, to: invocation)
    for (phrase, reason) in problems { invocation.say("left out: \(phrase): \(reason)") }
  }
}
