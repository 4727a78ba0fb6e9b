import Engine
import ErrandKit
import Source

/// Full-screen choice: type to narrow the list, arrow keys to move.
struct ChoiceScreen {
  private let choices: [Question.Choice]
  private let takesMany: Bool
  private let front: TerminalFront
  private let descriptor: Int32

  /// Maximum number of visible choices.
  private static let mostRows = 15
  /// Minimum terminal height; smaller terminals get the numbered prompt.
  private static let leastHeight = 6
  private static let leastWidth = 24

  /// Creates a list on the terminal of a front; nil if the terminal cannot move its cursor.
  init?(_ choices: [Question.Choice], many: Bool, front: TerminalFront) {
    guard let descriptor = front.screenInput, front.console.height >= Self.leastHeight,
      front.console.width >= Self.leastWidth
    else { return nil }
    self.choices = choices
    takesMany = many
    self.front = front
    self.descriptor = descriptor
  }

  /// Returns the indices of the chosen entries; nil if the terminal cannot be put into raw mode.
  ///
  /// - Throws: `cancelled` if the person leaves, `Cancellation` on an interrupt.
  func ask(_ prompt: String, highlighted: Int = 0) throws -> [Int]? {
    guard let terminal = RawTerminal(descriptor) else { return nil }
    defer { terminal.restore() }
    let head = front.prose(prompt).map(front.style.bold)
    var state = ChoiceState(
      choices.map { [$0.title, $0.subtitle ?? "", $0.reference ?? ""].joined(separator: " ") },
      many: takesMany, highlighted: highlighted)
    var keys = KeyReader(descriptor, Interruption.run)
    var offset = 0
    var step = ChoiceState.Step.goesOn
    front.tell(head)
    draw(state, &offset)
    while step == .goesOn {
      step = state.take(keys.next(), page: rows)
      // Keys typed ahead are drawn together.
      if step == .goesOn, !keys.hasMore { redraw(state, &offset) }
    }
    front.write("\r\u{1B}[J")
    terminal.restore()
    switch step {
    case .taken(let positions):
      let titles = positions.map { choices[$0].title.harmless() }.joined(separator: ", ")
      let line = ("> " + titles).cut(to: front.console.width - 1)
      front.tell([front.style.accent("\(line)")])
      return positions
    case .interrupted:
      Interruption.interrupt()
      throw Cancellation(.interrupted)
    case .left, .goesOn:
      throw RunError.left(prompt)
    }
  }

  private var rows: Int { max(1, min(Self.mostRows, front.console.height - 4)) }

  /// Draws from the query line down and leaves the cursor there.
  private func draw(_ state: ChoiceState, _ offset: inout Int) {
    let width = front.console.width - 1
    if state.highlighted < offset { offset = state.highlighted }
    if state.highlighted >= offset + rows { offset = state.highlighted - rows + 1 }
    offset = max(0, min(offset, state.shown.count - rows))
    let visible = Array(state.shown.enumerated().dropFirst(offset).prefix(rows))
    let digits = String(choices.count).count
    var text: TerminalText = ""
    for (index, position) in visible {
      text +=
        "\r\n"
        + row(position, state, isHighlighted: index == state.highlighted, digits, width: width)
    }
    let tally = "\(state.shown.count) of \(choices.count)"
    var parts = [state.marked.isEmpty ? tally : "\(state.marked.count) marked"]
    if takesMany { parts.append("Tab to mark") }
    parts += ["Enter to choose", "Esc to cancel"]
    while parts.count > 1, parts.joined(separator: " · ").displayWidth > width {
      parts.removeLast()
    }
    let last = parts.joined(separator: " · ").cut(to: width)
    text += "\r\n" + front.style.dim("\(last)")
    let query = tail(of: state.query.harmless(), width - 2)
    text += "\u{1B}[\(visible.count + 1)A\r" + front.style.accent("> ") + "\(query)"
    front.write(text)
  }

  private func redraw(_ state: ChoiceState, _ offset: inout Int) {
    front.write("\r\u{1B}[J")
    draw(state, &offset)
  }

  private func row(
    _ position: Int, _ state: ChoiceState, isHighlighted: Bool, _ digits: Int, width: Int
  ) -> TerminalText {
    let choice = choices[position]
    let number = String(position + 1)
    let mark = state.marked.contains(position) ? "*" : " "
    let lead =
      (isHighlighted ? ">" : " ") + mark + " "
      + String(repeating: " ", count: digits - number.count) + number + "  "
    let room = width - lead.count
    let title = choice.title.harmless().shortened(to: room)
    let left = room - title.displayWidth - 2
    let subtitle = left > 8 ? choice.subtitle?.harmless().cut(to: left) : nil
    var line =
      front.style.accent("\(lead)") + (isHighlighted ? front.style.bold("\(title)") : "\(title)")
    if let subtitle, !subtitle.isEmpty { line += "  " + front.style.dim("\(subtitle)") }
    return line
  }

  /// Returns the end of the query that fits.
  private func tail(of text: String, _ width: Int) -> String {
    var text = text[...]
    while String(text).displayWidth > width { text.removeFirst() }
    return String(text)
  }
}
