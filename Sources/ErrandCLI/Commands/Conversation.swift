import CEL
import Catalog
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
  private let front: ConversationFront
  private let run: Run
  private let phrases: SpokenPhrases
  private let reader: SentenceReader
  private let history: SpokenHistory
  /// Whether the last sentence changed the library.
  private var hasChanged = false

  init(_ arguments: Arguments, _ invocation: Invocation) throws {
    self.invocation = invocation
    // Later sentences may need the network.
    try Reexec.goOnWithRecordedRun(invocation)
    let speaks = arguments.isOn("speak")
    front = ConversationFront(
      invocation.front, invocation.console, invocation.words,
      languages: invocation.spokenLanguages + ["en"]
    ) { if speaks { Self.speak($0) } }
    invocation.use(front)
    run = try invocation.openRun()
    phrases = SpokenPhrases(invocation, run)
    reader = SentenceReader(phrases, run)
    history = SpokenHistory(invocation)
  }

  /// Does sentences: those given, else those that it reads until the end of the input.
  ///
  /// - Parameter goesOn: Whether it goes on after a sentence that failed.
  func hold(_ sentences: [String]? = nil, goesOn: Bool = true) throws {
    var given = (sentences ?? []).makeIterator()
    while !front.isOver,
      let line = given.next() ?? (sentences == nil ? front.next(prompt: "> ") : nil)
    {
      let sentence = line.trimmedLine
      if sentence.isEmpty { continue }
      if front.isGoodbye(sentence) { break }
      do {
        try answer(sentence)
      } catch let end as Cancellation {
        throw end
      } catch  where goesOn {
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

  private func answer(_ sentence: String) throws {
    let reading = reader.read(sentence)
    switch reading {
    case .calls: break
    case .command(let command): return try perform(command, sentence)
    case .steps(let sentences): return try sentences.forEach(answer)
    }
    let found = reading.calls
    guard let first = found.first else {
      throw DoCommand.nothingFits(sentence, phrases, reader, run)
    }
    if found.count > 1, DoCommand.onlyTells(invocation) { throw DoCommand.severalFit(found) }
    if found.count == 1, first.isUnsure, !DoCommand.onlyTells(invocation),
      history.answer(to: first) == false
    {
      throw DoCommand.nothingFits(sentence, phrases, reader, run)
    }
    try perform(
      found.count > 1 ? try DoCommand.choose(among: found, run, phrases, history) : first, sentence)
  }

  private func perform(_ command: SpokenCommand, _ sentence: String) throws {
    if command.name == .nothing { return front.say(run.words.nothingIsDone) }
    guard let call = command.call else {
      let changes = try run.store().changes.last()
      try SpokenCommandCall(run: run, phrases: phrases, invocation: invocation).perform(command)
      hasChanged = try run.store().changes.last() > changes
      return
    }
    // A corrected call starts from the library as it was before the first try.
    if command.name == .correct, hasChanged, !DoCommand.onlyTells(invocation) {
      try SpokenCommandCall(run: run, phrases: phrases, invocation: invocation).undo()
    }
    invocation.say("\(invocation.words.readAs(phrases.sentence(for: call)))")
    try perform(call, sentence)
  }

  private func perform(_ chosen: Understanding, _ sentence: String) throws {
    let understood = reader.memory.resolved(chosen)
    reader.memory.call = understood
    if DoCommand.onlyTells(invocation) {
      reader.memory.expectResult()
      return try DoCommand.tell(understood, sentence, invocation)
    }
    DoCommand.warn(of: understood, phrases, invocation)
    try DoCommand.confirm(understood, run, history)
    let status = invocation.status
    let changes = try run.store().changes.last()
    try DoCommand.call(understood, invocation) { [self] outcomes in
      let value: Value = outcomes.count == 1 ? outcomes[0].value : .list(outcomes.map(\.value))
      let json = try ItemJSON(run.host.clock).text(of: value)
      reader.memory.remember(try JSONValue(parsing: json))
      if !invocation.mode.isPlain {
        invocation.console.result(json + "\n")
      } else if case .list(let values) = value, !values.isEmpty {
        front.show(run.renderer.presentation(of: value))
      }
    }
    hasChanged = try run.store().changes.last() > changes
    // A mistake before it counts, too.
    if status != ExitStatus.done { invocation.status = status }
  }

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
}
