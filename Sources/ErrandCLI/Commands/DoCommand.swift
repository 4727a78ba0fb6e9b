import CEL
import Catalog
import Engine
import ErrandKit
import Program
import Source

/// `errand do`: runs the intent or the shortcut that a sentence asks for.
enum DoCommand {
  static let command = Command(
    "do", "do what a sentence asks for", usage: "[WORDS…]",
    discussion: """
      Finds the phrase of an intent or a shortcut that fits the words, and runs it with the values \
      in them; what is missing is asked. `errand phrases` lists what can be said.

      Without words, or with `-`, it reads a sentence from each line and remembers the last result: \
      “share it”, “open the second one”. “bye” or the end of the input ends it.
      """,
    flags: [
      Flag("explain", .toggle, "show which words were taken for what, and run nothing"),
      Flag("speak", .toggle, "speak what is said, by espeak-ng or spd-say"),
      .dryRun, .now,
    ],
    serves: Flag.Service.allCases
  ) { invocation, arguments in
    if arguments.words.isEmpty || arguments.words == ["-"] {
      return try Conversation(arguments, invocation).hold()
    }
    let sentence = arguments.words.joined(separator: " ")
    if arguments.isOn("speak"), !onlyTells(invocation) {
      return try Conversation(arguments, invocation).hold([sentence])
    }
    let run = try invocation.openRun()
    let phrases = SpokenPhrases(invocation, run)
    let reader = SentenceReader(phrases, run)
    let reading = reader.read(sentence)
    switch reading {
    case .calls: break
    case .command(let command):
      return try SpokenCommandCall(run: run, phrases: phrases, invocation: invocation)
        .perform(command)
    case .steps(let sentences):
      return try Conversation(arguments, invocation).hold(sentences, goesOn: false)
    }
    let found = reading.calls
    guard let first = found.first else { throw nothingFits(sentence, phrases, reader, run) }
    let history = SpokenHistory(invocation)
    let chosen = found.count == 1 ? first : try choose(among: found, run, phrases, history)
    if onlyTells(invocation) { return try tell(chosen, sentence, invocation) }
    if chosen.isUnsure, history.answer(to: chosen) == false {
      throw nothingFits(sentence, phrases, reader, run)
    }
    warn(of: chosen, phrases, invocation)
    try confirm(chosen, run, history)
    try call(chosen, invocation)
  }

  /// Asks before a guess is done that cannot be undone, and before a reading with words that were not understood.
  ///
  /// - Throws: `declined`.
  static func confirm(
    _ understood: Understanding, _ run: Run, _ history: SpokenHistory
  ) throws {
    let isRisky = try isRisky(understood, run)
    let isNew =
      try understood.isUnsure && run.workspace.mayChange(understood.action)
      && history.answer(to: understood) != true
    guard isRisky || isNew else { return }
    let isRight = try run.confirm(run.words.doThis(text(of: understood)), key: confirmation)
    if understood.isUnsure { history.remember(isRight, understood) }
    guard isRight else { throw RunError(.declined, "nothing was done") }
  }

  /// The key for preset answers to the questions of the command itself.
  static let confirmation = "do"

  /// Whether a sentence is only explained, not run.
  static func onlyTells(_ invocation: Invocation) -> Bool {
    invocation.arguments.isOn("explain")
  }

  /// Reports how a sentence was understood.
  static func tell(
    _ understood: Understanding, _ sentence: String, _ invocation: Invocation
  ) throws {
    if invocation.mode.isPlain {
      explain(understood, sentence, invocation)
    } else {
      try invocation.resultWriter.write(understood.unchanged == nil ? understood.value : .null)
    }
  }

  /// Says before a sentence is done which of its words have no place in it, and how it was read if that
  /// was loosely.
  static func warn(of understood: Understanding, _ phrases: SpokenPhrases, _ invocation: Invocation)
  {
    if understood.isLoose {
      let sentence = phrases.sentence(for: understood)
      invocation.say("\(invocation.words.readAs(sentence))")
    }
    if !understood.leftOut.isEmpty {
      invocation.console.err("\(invocation.words.leftOut(understood.leftOut))\n")
    }
    invocation.console.flush()
  }

  /// The error for a sentence that fits several phrases when no one can choose between them.
  static func severalFit(_ found: [Understanding]) -> UsageError {
    UsageError(
      "the words fit \(found.map(\.action).joined(separator: " and ")) equally well",
      help: "say it in other words")
  }

  /// The error for a sentence that fits no phrase, with the nearest that would.
  static func nothingFits(
    _ sentence: String, _ phrases: SpokenPhrases, _ reader: SentenceReader, _ run: Run
  ) -> UsageError {
    let near = phrases.nearest(to: sentence, limit: 3, title: run.newestTitle).map {
      "“\($0.sentence)” (\($0.action))"
    }
    let first =
      reader.missing.map { ["no \($0.entity.lowercased()) is named “\($0.words)”"] } ?? near
    return UsageError(
      "nothing that can be said fits “\(sentence.prefix(80))”",
      help: (first + ["`errand phrases` lists what can be said"]).joined(separator: "\n"))
  }

  /// Whether a guess has an effect that cannot be undone, so that it is shown before.
  private static func isRisky(_ understood: Understanding, _ run: Run) throws -> Bool {
    guard understood.hasGuess || understood.isLoose else { return false }
    return try understood.isForeign || !run.workspace.capabilities(of: understood.action).isEmpty
  }

  /// The understanding of a sentence, on one line.
  private static func text(of understood: Understanding) -> String {
    ([understood.action] + understood.arguments.map { "\($0.name): \($0.text)" })
      .joined(separator: ", ")
  }

  /// The number of readings among which a person chooses.
  private static let mostReadings = 3

  /// Asks the person to choose among several understandings.
  static func choose(
    among found: [Understanding], _ run: Run, _ phrases: SpokenPhrases, _ history: SpokenHistory
  ) throws -> Understanding {
    let answers = found.map { history.answer(to: $0) }
    // One that was right before is it; one that was refused comes last.
    let right = answers.indices.filter { answers[$0] == true }
    if right.count == 1 { return found[right[0]] }
    let ordered =
      found.indices.filter { answers[$0] != false }
      + found.indices.filter { answers[$0] == false }
    let found = ordered.prefix(mostReadings).map { found[$0] }
    let choices = found.map {
      Question.Choice(title: phrases.sentence(for: $0), subtitle: $0.action)
    }
    do {
      let chosen = try run.choose(choices, prompt: run.words.whatMeant, key: confirmation)
      guard let position = chosen else { throw RunError(.declined, "nothing was done") }
      history.remember(true, found[position])
      return found[position]
    } catch let error as RunError where error.code == .needsValue {
      throw severalFit(found)
    }
  }

  private static func explain(
    _ understood: Understanding, _ sentence: String, _ invocation: Invocation
  ) {
    let console = invocation.console
    console.out("\(understood.action)  “\(understood.phrase)”\n")
    for argument in understood.arguments {
      let words =
        argument.words.isEmpty || argument.words == argument.text ? "" : "  (\(argument.words))"
      console.out("  \(argument.name): \(argument.text)\(words)\n")
    }
    for name in understood.missing { console.out("  \(name): is asked\n") }
    for words in understood.leftOut { console.out("  left out: \(words)\n") }
    if let title = understood.unchanged { console.out("  nothing changes: \(title)\n") }
    for (word, use) in understood.uses { console.out("  “\(word)”: \(use)\n") }
    if understood.isLoose {
      console.out("  score: \(String((understood.score * 10).rounded() / 10))\n")
    }
    guard console.stdoutIsTerminal else { return }
    let drawing = understood.drawing(of: sentence)
    // On wrapped lines, the marks would be below the wrong words.
    guard drawing.allSatisfy({ $0.displayWidth + 2 <= console.width }) else { return }
    for line in drawing { console.out("  \(line)\n") }
  }

  /// Runs the call as a nested command, with its questions, output and status.
  ///
  /// - Parameter taking: Receives the outcomes instead of the person; nil to write them.
  static func call(
    _ understood: Understanding, _ invocation: Invocation,
    taking: (([Outcome]) throws -> Void)? = nil
  ) throws {
    let flags = invocation.arguments.words(of: Flag.common + [.dryRun, .now])
    let words = [understood.action] + flags + understood.arguments.map { "--\($0.name)=\($0.text)" }
    let inner = try invocation.calling(RunCommand.call, words)
    inner.takesOutcomes = taking
    defer { inner.finish() }
    try RunCommand.call.run(inner, inner.arguments)
    try inner.expectSoundStore()
    invocation.status = inner.finalStatus
  }
}

extension SpokenPhrases {
  /// The phrases in reach of a call, in the person's languages.
  convenience init(_ invocation: Invocation, _ run: Run) {
    self.init(
      run.catalog, languages: invocation.spokenLanguages, now: run.host.now(),
      clock: run.host.clock, cache: invocation.places?.state)
  }
}

extension SpokenHistory {
  /// The answers of the person of a call; none if the setting is off.
  init(_ invocation: Invocation) {
    let isOn = invocation.settings.value(of: .learning) == "on"
    self.init(isOn ? invocation.places?.state : nil)
  }
}

/// `errand phrases`: lists the phrases that `errand do` understands.
enum PhrasesCommand {
  static let command = Command(
    "phrases", "list what can be said to `errand do`", usage: "[NAME… | suggest NAME]",
    discussion: """
      `suggest` writes phrases for an intent or a shortcut, from its title and from how it was called.
      """,
    serves: [.json, .format], reads: .always
  ) { invocation, arguments in
    let run = try invocation.openRun()
    if arguments.words.first == "suggest" { return try suggest(arguments, run, invocation) }
    let phrases = SpokenPhrases(invocation, run)
    let names = Set(arguments.words)
    let all = phrases.phrases
    let shown = all.filter { names.isEmpty || names.contains($0.action) }
    if shown.isEmpty, let name = arguments.words.first {
      throw UsageError(
        "there is no intent or shortcut “\(name)” with phrases",
        help: Suggestion.help(for: name, in: Array(Set(all.map(\.action)))))
    }
    let examples = SpokenExamples(phrases, run)
    let report = Report<SpokenPhrases.Phrase>(
      columns: ["name": \.action, "phrase": \.text, "example": { examples.example(of: $0) }],
      value: {
        .record([
          "name": $0.action, "phrase": $0.text, "language": $0.language,
          "example": examples.example(of: $0),
        ])
      })
    try report.write(shown, to: invocation)
    for (phrase, reason) in phrases.problems() where names.isEmpty || names.contains(phrase.action)
    {
      invocation.say("left out: \(phrase.action): “\(phrase.text)”: \(reason)")
    }
  }

  /// Prints phrases that a definition could have.
  private static func suggest(
    _ arguments: Arguments, _ run: Run, _ invocation: Invocation
  ) throws {
    let name = try arguments.words.dropFirst().first.expected(
      "missing name", help: "errand phrases suggest NAME")
    guard let definition = try invocation.catalog().action(name) else {
      throw UsageError(
        "there is no intent or shortcut “\(name)”",
        help: Suggestion.help(for: name, in: run.catalog.actionNames))
    }
    let templates = try PhraseSuggestions.templates(for: definition, run)
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(.list(templates.map(Value.string)))
    }
    invocation.console.out("phrases:\n")
    for template in templates {
      invocation.console.out("  - '\(template.replacing("'", with: "''"))'\n")
    }
  }
}
