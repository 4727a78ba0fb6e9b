import CEL
import Engine
import ErrandKit
import Source
import Store

/// The front of a conversation: questions are answered by its next lines, results have numbers by
/// which they can be named, and all may be spoken.
final class ConversationFront: Front {
  private let terminal: any Front
  private let console: Console
  private let words: ProgramWords
  private let languages: [String]
  private let speak: (String) -> Void
  /// Whether the person has left.
  private(set) var isOver = false

  init(
    _ terminal: any Front, _ console: Console, _ words: ProgramWords, languages: [String],
    speak: @escaping (String) -> Void
  ) {
    self.terminal = terminal
    self.console = console
    self.words = words
    self.languages = languages
    self.speak = speak
  }

  // MARK: Output

  func say(_ text: String) {
    terminal.say(text)
    speak(text)
  }

  func show(_ presentation: Presentation) {
    switch presentation.layout {
    case .cards(let cards): list(cards.prefix(Self.mostShown).map { ($0.title, $0.details?.text) })
    case .text(let text):
      terminal.show(presentation)
      speak(text)
    case .table, .fields: terminal.show(presentation)
    }
  }

  func progress(_ progress: Progress) { terminal.progress(progress) }

  func activity(_ activity: Activity) { terminal.activity(activity) }

  func notify(_ notification: DesktopNotification) { terminal.notify(notification) }

  /// The number of items of a result that are shown.
  private static let mostShown = 20

  /// Lists items with numbers for later reference.
  private func list(_ rows: some Sequence<(title: String, details: String?)>) {
    for (number, row) in rows.enumerated() {
      let details = row.details.map { "  \($0)" } ?? ""
      console.out("  \(number + 1)  \(row.title)\(details)\n")
      speak(row.title)
    }
  }

  // MARK: Questions

  var canAnswer: Bool { true }

  func ask(_ question: Question) throws -> Reply {
    if terminal.canAnswer {
      speak(question.prompt)
      let reply = try terminal.ask(question)
      if case .text(let text) = reply, isGoodbye(text) { throw leave(question) }
      return reply
    }
    var problem = question.problem
    while true {
      if let problem { console.err("\(problem)\n") }
      switch question.kind {
      case .text: return .text(try line(question))
      case .confirmation:
        return .confirmed(words.isYes(try line(question).lowercased()) ?? false)
      case .choice(let choices, let many):
        let answer = try line(question, choices.map(\.title))
        switch ChoiceMatcher(choices, many: many).match(answer) {
        case .chosen(let positions): return .chosen(positions)
        case .narrowed(let positions):
          problem = positions.map { choices[$0].title }.joined(separator: ", ")
        case .problem(let text): problem = text
        }
      }
    }
  }

  /// Asks for a line.
  ///
  /// - Throws: `cancelled` at the end of the input and for a farewell, which end the conversation.
  private func line(_ question: Question, _ choices: [String] = []) throws -> String {
    let lines = [question.prompt] + choices.enumerated().map { "  \($0 + 1)  \($1)" }
    console.err("\(lines.joined(separator: "\n"))\n")
    speak(question.prompt)
    guard let line = next(prompt: "? ")?.trimmedLine,
      choices.contains(line) || !isGoodbye(line)
    else { throw leave(question) }
    return line
  }

  private func leave(_ question: Question) -> RunError {
    isOver = true
    return RunError.left(question.prompt)
  }

  // MARK: Lines

  /// The next line of the input; nil at its end.
  func next(prompt: TerminalText) -> String? {
    if console.stdinIsTerminal { console.out(prompt) }
    console.flush()
    return readLine()
  }

  /// Whether a line ends the conversation.
  func isGoodbye(_ line: String) -> Bool { SpokenMemory.isGoodbye(line, languages) }
}

extension String {
  /// The line without white space around it.
  var trimmedLine: String {
    var line = Substring(self)
    while line.first?.isWhitespace == true { line.removeFirst() }
    while line.last?.isWhitespace == true { line.removeLast() }
    return String(line)
  }
}
