import CEL
import Engine
import ErrandKit
import Items
import Source
import Store

/// Front for a terminal, or for plain lines without one.
///
/// Dialog goes to standard output when that is a terminal, else to standard error, so that the
/// next program gets nothing but results (language §8).
final class TerminalFront: Front {
  let console: Console
  /// Whether only questions are shown.
  private let isQuiet: Bool
  /// Path of the prompt history; nil for none.
  private let historyPath: String?
  /// Pager for long results; nil to write them directly.
  var pager: Pager?
  /// The program's own questions in the person's language.
  var words = ProgramWords()
  private lazy var input = TerminalInput(stdinIsTerminal: console.stdinIsTerminal)

  init(console: Console, isQuiet: Bool = false, historyPath: String? = nil) {
    self.historyPath = historyPath
    self.console = console
    self.isQuiet = isQuiet
  }

  /// Maximum width of prose.
  private static let proseWidth = 100

  /// Whether the dialog is shown on a terminal.
  private var isOnTerminal: Bool { console.stdoutIsTerminal || console.stderrIsTerminal }

  /// Style of dialog text.
  var style: Style { console.stdoutIsTerminal ? console.style : console.errorStyle }

  /// Width of the dialog; nil for unlimited.
  var width: Int? { isOnTerminal ? console.width : nil }

  var canAnswer: Bool { isOnTerminal && input != nil }

  private lazy var progressLine = ProgressLine(console: console, label: "")

  /// Called on progress, in addition to the progress line.
  var progressed: ((Progress) -> Void)?

  func progress(_ progress: Progress) {
    progressed?(progress)
    if !isQuiet { progressLine.show(progress) }
  }

  func activity(_ activity: Activity) {
    guard !isQuiet, activity.done != nil || activity.state != .active else { return }
    let label = [activity.title, activity.detail ?? ""].filter { !$0.isEmpty }
    progressLine.show(
      Progress(
        label.joined(separator: ": "), done: ((activity.fraction ?? 0) * 100).rounded(),
        total: 100, isOver: activity.state != .active))
  }

  func result(_ presentation: Presentation) {
    if lastShown != presentation.value { show(presentation) }
  }

  // MARK: Output

  func say(_ text: String) {
    if !isQuiet { tell(prose(text)) }
  }

  /// The value shown last; a result is not shown twice.
  private var lastShown: Value?

  func show(_ presentation: Presentation) {
    lastShown = presentation.value
    switch presentation.layout {
    case .text(let text): tell(prose(text))
    case .cards(let cards):
      let layout = RowLayout(style: style, width: width)
      // The first screen is written before the last card is laid out.
      let starts = stride(from: 0, to: cards.count, by: Self.chunk)
      writePages(
        starts.lazy.map { start in
          layout.lines(
            cards[start..<Swift.min(cards.count, start + Self.chunk)].map {
              RowLayout.Row(
                lead: $0.reference ?? "", title: $0.markedTitle ?? MarkedText($0.title),
                subtitle: $0.details, snippet: $0.snippet)
            })
        })
    case .table(let columns, let rows):
      writePages([TableLayout(style: style, width: width).lines(columns: columns, rows: rows)])
    case .fields(let fields): show(fields)
    }
  }

  /// Number of rows laid out at once; more than a screenful.
  private static let chunk = 200

  /// Writes dialog lines, through the pager if they do not fit the terminal.
  private func writePages(_ chunks: some Sequence<[TerminalText]>) {
    guard console.stdoutIsTerminal, let pager else {
      for lines in chunks { tell(lines) }
      return
    }
    progressLine.clear()
    pager.write(chunks)
  }

  /// Lists names with values; long values wrap under their start.
  private func show(_ fields: [(name: String, text: String)]) {
    let nameWidth = fields.map(\.name.displayWidth).max() ?? 0
    let indentation = nameWidth + 4
    for field in fields {
      let text = field.text.harmless(keepsLines: true)
      let room = width.map { max(16, min($0, Self.proseWidth) - indentation) }
      let lines = room.map { text.wrapped(to: $0) } ?? [text]
      tell(
        lines.enumerated().map { index, line in
          index == 0
            ? "  " + style.dim("\(field.name.padded(to: nameWidth))") + "  "
              + TerminalText(line, keepsLines: true)
            : "\(String(repeating: " ", count: indentation))" + TerminalText(line, keepsLines: true)
        })
    }
  }

  /// Wraps dialog text into lines.
  func prose(_ text: String) -> [TerminalText] {
    plainProse(text).map { TerminalText($0, keepsLines: true) }
  }

  private func plainProse(_ text: String) -> [String] {
    let text = text.harmless(keepsLines: true)
    guard let width else { return [text] }
    return text.wrapped(to: min(width, Self.proseWidth))
  }

  /// Writes dialog lines.
  func tell(_ lines: [TerminalText]) {
    var text: TerminalText = ""
    for line in lines { text += line + "\n" }
    put(text)
  }

  private func put(_ text: TerminalText) {
    progressLine.clear()
    if console.stdoutIsTerminal { console.out(text) } else { console.err(text) }
  }

  // MARK: Questions

  func ask(_ question: Question) throws -> Reply {
    if let problem = question.problem { tell(prose(problem).map(style.warning)) }
    switch question.kind {
    case .text(let type): return .text(try askText(question, type))
    case .choice(let choices, let many):
      return .chosen(try choose(ChoicePrompt(choices, many: many, front: self), question.prompt))
    case .confirmation(let danger): return .confirmed(try confirm(question.prompt, danger))
    }
  }

  /// Asks for a choice on the screen, or by number on simple terminals.
  private func choose(
    _ numbers: ChoicePrompt, _ prompt: String, highlighted: Int = 0
  ) throws -> [Int] {
    let screen = ChoiceScreen(numbers.choices, many: numbers.takesMany, front: self)
    return try screen?.ask(prompt, highlighted: highlighted) ?? numbers.ask(prompt)
  }

  private func askText(_ question: Question, _ type: DataType) throws -> String {
    // The suggestions of an enum are its only values, so they become a choice.
    if case .enumeration = type.unwrapped, !question.suggestions.isEmpty {
      let choices = question.suggestions.map { Question.Choice(title: $0) }
      var prompt = ChoicePrompt(choices, many: false, front: self)
      prompt.defaultText = question.defaultText
      prompt.hint = words.numberOrName
      let defaultIndex = question.suggestions.firstIndex { $0 == question.defaultText }
      let chosen = try choose(prompt, question.prompt, highlighted: defaultIndex ?? 0)
      return chosen.first.map { choices[$0].title } ?? ""
    }
    if question.problem == nil, !question.suggestions.isEmpty {
      let listed = words.suggestions + question.suggestions.joined(separator: ", ")
      tell(prose("  " + listed).map(style.dim))
    }
    let line = try readLine(
      question.prompt, defaultText: question.defaultText, escapeEnds: false)
    if let editor {
      editor.remember(line)
      history?.add(line)
    }
    return line
  }

  // MARK: Screen

  /// Descriptor of the terminal if it can move its cursor; nil otherwise.
  var screenInput: Int32? {
    guard canAnswer, LineEditor.fits(ProcessEnvironment.value("TERM")) else { return nil }
    return input?.descriptor
  }

  /// Writes dialog text unchanged.
  func write(_ text: TerminalText) { put(text) }

  private var history: PromptHistory? { historyPath.map { PromptHistory(path: $0) } }

  /// Line editor, created on the first prompt; nil if the terminal cannot.
  private lazy var editor: LineEditor? = {
    guard let screenInput,
      let editor = LineEditor(
        input: screenInput, output: console.stdoutIsTerminal ? 1 : 2,
        interrupt: Interruption.run.pollDescriptor)
    else { return nil }
    for line in history?.latest ?? [] { editor.remember(line) }
    return editor
  }()

  private func confirm(_ prompt: String, _ isDanger: Bool) throws -> Bool {
    if isDanger {
      tell(prose(prompt).map(style.warning))
      return try readLine(words.typeYes, for: prompt).lowercased() == words.yes
    }
    while true {
      let answer = try readLine(prompt, defaultText: words.yesOrNo).lowercased()
      if let isYes = words.isYes(answer) { return isYes }
      tell([style.warning("\(words.typeYesOrNo)")])
    }
  }

  /// Shows a prompt with its default in brackets and waits for a line.
  ///
  /// - Parameters:
  ///   - question: The question the prompt belongs to, if it is not the question itself.
  ///   - escapeEnds: Whether Esc leaves the prompt.
  /// - Throws: `cancelled` if the person leaves.
  func readLine(
    _ prompt: String, defaultText: String? = nil, for question: String? = nil,
    escapeEnds: Bool = true
  ) throws -> String {
    let room = width ?? console.width
    var lines = plainProse(prompt)
    var last = lines.popLast() ?? ""
    var ending = ""
    if let defaultText = defaultText?.harmless(), !defaultText.isEmpty {
      ending = "[\(defaultText.cut(to: max(8, room - 4)))] "
    }
    if !last.isEmpty, last.displayWidth + 1 + ending.displayWidth > room * 5 / 6 {
      // Too little room to type is left beside the question.
      lines.append(last)
      last = ""
      if ending.isEmpty { ending = "> " }
    }
    tell(lines.map { style.bold(TerminalText($0, keepsLines: true)) })
    let start = style.bold("\(last)") + (last.isEmpty ? "" : " ") + style.dim("\(ending)")
    while true {
      Interruption.note(.prompt, on: console.stdoutIsTerminal ? 1 : 2)
      let line: TerminalInput.Line
      if let editor {
        progressLine.clear()
        console.flush()
        line = try editor.readLine(start, escapeEnds: escapeEnds, Interruption.run)
      } else {
        put(start)
        line = try input?.readLine(Interruption.run) ?? .end
      }
      Interruption.note(.empty)
      switch line {
      case .text(let text): return text
      case .unreadable:
        tell([style.warning("invalid UTF-8; please type it again")])
      case .end:
        put("\n")
        throw RunError.left(question ?? prompt)
      }
    }
  }
}
