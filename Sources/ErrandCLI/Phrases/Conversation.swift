import CEL
import Engine
import ErrandKit
import Exchange
import Glibc
import JSON
import Source
import Store

/// A conversation: each line is a sentence that is understood and done, until the person leaves.
final class Conversation {
  private let invocation: Invocation
  private let errand: Errand
  private let run: Run
  private let phrases: SpokenPhrases
  private var memory = SpokenMemory()
  private let speaks: Bool
  private let options: Errand.RunOptions
  /// Whether the person has left.
  private var isOver = false

  init(_ arguments: Arguments, _ invocation: Invocation) throws {
    self.invocation = invocation
    var options = Errand.Options()
    options.store = arguments.last("store")
    options.catalog = arguments.last("catalog")
    errand = try Errand.open(options)
    run = try invocation.openRun()
    phrases = SpokenPhrases(invocation, run)
    speaks = arguments.isOn("speak")
    var runs = Errand.RunOptions()
    runs.answers = try arguments.pairs("answer")
    runs.accepts = arguments.isOn("yes")
    runs.isDryRun = arguments.isOn(Flag.dryRun.name)
    runs.language = invocation.languages.first
    self.options = runs
  }

  /// Does sentences: those given, else those that it reads until the end of the input.
  func hold(_ sentences: [String]? = nil) throws {
    var given = (sentences ?? []).makeIterator()
    while !isOver, let line = given.next() ?? (sentences == nil ? nextLine(prompt: "> ") : nil) {
      let sentence = line.trimmedLine
      if sentence.isEmpty { continue }
      if SpokenMemory.isGoodbye(sentence, phrases.languages) { break }
      do {
        try answer(sentence)
      } catch let end as Cancellation {
        throw end
      } catch {
        invocation.console.flush()
        let report = ErrorReport(error)
        invocation.console.err(
          invocation.mode.isPlain
            ? report.text(style: invocation.console.diagnosticStyle)
            : "\(try JSONWriter().text(of: .record(["error": report.json.value])))\n")
        invocation.status = report.status
      }
    }
  }

  private func nextLine(prompt: TerminalText) -> String? {
    if invocation.console.stdinIsTerminal { invocation.console.out(prompt) }
    invocation.console.flush()
    return readLine()
  }

  private func answer(_ sentence: String) throws {
    let found = SpokenChoice(run).fitting(phrases.understand(sentence))
    guard let first = found.first else { throw DoCommand.nothingFits(sentence, phrases) }
    var chosen = first
    let isTold = DoCommand.onlyTells(invocation)
    if found.count > 1 {
      if isTold { throw DoCommand.severalFit(found) }
      let number = try pick(
        found.map { "\($0.action)  “\($0.phrase)”" }, invocation.words.whatMeant)
      chosen = found[number]
    }
    let understood = memory.resolved(chosen)
    if isTold { return try DoCommand.tell(understood, sentence, invocation) }
    DoCommand.warn(of: understood, invocation)
    if try DoCommand.mustConfirm(understood, run), !options.accepts {
      let call = DoCommand.text(of: understood)
      guard try confirm(invocation.words.doThis(call)) else { return }
    }
    try perform(understood)
  }

  private func perform(_ understood: Understanding) throws {
    let parameters = Dictionary(
      understood.arguments.map { ($0.name, JSONValue.string($0.text)) }
    ) { $1 }
    let handle = try errand.start(understood.action, parameters, options: options)
    while let event = try handle.next() {
      if Interruption.run.isSet { handle.cancel() }
      switch event.name {
      case "say": tell(event["text"]?.string ?? "")
      case "show": show(event)
      case "ask", "choose", "confirm": try reply(to: event, handle)
      default: break
      }
    }
    let value = try handle.result()
    memory.remember(value)
    if case .array(let items) = value, !items.isEmpty { show(items) }
  }

  // MARK: Output

  private func tell(_ text: String) {
    invocation.front.say(text)
    if speaks { Self.speak(text) }
  }

  private func show(_ event: RunHandle.Event) {
    if let text = event["text"]?.string { return tell(text) }
    for (number, card) in (event["cards"]?.array ?? []).enumerated() {
      let details = card["subtitle"]?.string.map { "  \($0)" } ?? ""
      invocation.console.out("  \(number + 1)  \(card["title"]?.string ?? "")\(details)\n")
    }
  }

  /// Shows the items of a result with numbers, by which they can be named.
  private func show(_ items: [JSONValue]) {
    let found = items.prefix(Self.mostShown).map { item -> Presentation.Card? in
      guard let reference = item["ref"]?.string,
        let stored = try? run.item(reference, of: nil)
      else { return nil }
      return run.renderer.card(of: stored)
    }
    for (number, card) in found.enumerated() {
      let details = card?.details.map { "  \($0.text)" } ?? ""
      let title = card?.title ?? items[number].string ?? ""
      invocation.console.out("  \(number + 1)  \(title)\(details)\n")
      if speaks { Self.speak(title) }
    }
  }

  /// The number of items of a result that are shown.
  private static let mostShown = 20

  /// The programs that speak, the first that is there.
  private static let speakers = [["espeak-ng", "--"], ["spd-say", "--wait", "--"]]

  private static func speak(_ text: String) {
    for words in speakers {
      var pointers = (words + [text]).map { strdup($0) } + [nil]
      defer { for pointer in pointers { free(pointer) } }
      var process = pid_t()
      guard posix_spawnp(&process, words[0], nil, nil, &pointers, environ) == 0 else { continue }
      var status: Int32 = 0
      while waitpid(process, &status, 0) < 0, errno == EINTR {}
      return
    }
  }

  // MARK: Questions

  private func reply(to event: RunHandle.Event, _ handle: RunHandle) throws {
    if let problem = event["problem"]?.string { tell(problem) }
    let titles = (event["choices"]?.array ?? []).map { $0["title"]?.string ?? "" }
    guard let text = nextAnswer(event["prompt"]?.string ?? "", titles) else {
      return try handle.leave()
    }
    switch event.name {
    case "confirm": try handle.answer(.bool(invocation.words.isYes(text.lowercased()) ?? false))
    case "choose":
      let number = Int64(text)
      try handle.answer(number.map(JSONValue.int) ?? .string(text))
    default: try handle.answer(text.isEmpty ? .null : .string(text))
    }
  }

  /// Asks a question; nil at the end of the input and for a farewell, which end the conversation.
  private func nextAnswer(_ prompt: String, _ choices: [String] = []) -> String? {
    let lines = [prompt] + choices.enumerated().map { "  \($0 + 1)  \($1)" }
    invocation.console.err("\(lines.joined(separator: "\n"))\n")
    if speaks { Self.speak(prompt) }
    if let line = nextLine(prompt: "? ")?.trimmedLine,
      choices.contains(line) || !SpokenMemory.isGoodbye(line, phrases.languages)
    {
      return line
    }
    isOver = true
    return nil
  }

  /// The answer to a question of the conversation itself, perhaps given ahead of time.
  private func ownAnswer(_ prompt: String, _ choices: [String] = []) -> String? {
    options.answers.first { $0.key == DoCommand.confirmation }?.value
      ?? nextAnswer(prompt, choices)
  }

  private func confirm(_ prompt: String) throws -> Bool {
    ownAnswer(prompt).flatMap { invocation.words.isYes($0.lowercased()) } ?? false
  }

  private func pick(_ choices: [String], _ prompt: String) throws -> Int {
    guard let number = ownAnswer(prompt, choices).flatMap({ Int($0) }),
      choices.indices.contains(number - 1)
    else { throw RunError(.declined, "nothing was done") }
    return number - 1
  }
}

extension String {
  /// The line without white space around it.
  fileprivate var trimmedLine: String {
    var line = Substring(self)
    while line.first?.isWhitespace == true { line.removeFirst() }
    while line.last?.isWhitespace == true { line.removeLast() }
    return String(line)
  }
}
