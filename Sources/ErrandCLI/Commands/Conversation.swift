import CEL
import Engine
import ErrandKit
import Exchange
import Glibc
import JSON
import Source

/// A conversation: each line is a sentence that is understood and done, until the person leaves.
final class Conversation {
  private let invocation: Invocation
  private let front: ConversationFront
  private let run: Run
  private let phrases: SpokenPhrases
  private let reader: SentenceReader

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
  }

  /// Does sentences: those given, else those that it reads until the end of the input.
  func hold(_ sentences: [String]? = nil) throws {
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

  private func answer(_ sentence: String) throws {
    let found = reader.understand(sentence)
    guard let first = found.first else { throw DoCommand.nothingFits(sentence, phrases, reader) }
    let isTold = DoCommand.onlyTells(invocation)
    if found.count > 1, isTold { throw DoCommand.severalFit(found) }
    let chosen = found.count > 1 ? try DoCommand.choose(among: found, run, phrases) : first
    let understood = reader.memory.resolved(chosen)
    if isTold { return try DoCommand.tell(understood, sentence, invocation) }
    DoCommand.warn(of: understood, phrases, invocation)
    try DoCommand.confirm(understood, run)
    let status = invocation.status
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
