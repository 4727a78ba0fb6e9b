import Engine
import ErrandKit
import Source

/// Asks for a choice from a numbered list, which typing narrows.
struct ChoicePrompt {
  let choices: [Question.Choice]
  let takesMany: Bool
  private let front: TerminalFront
  /// Choice taken for an empty answer; nil for none.
  var defaultText: String?
  /// Prompt shown below the list.
  var hint: String

  init(_ choices: [Question.Choice], many: Bool, front: TerminalFront) {
    self.choices = choices
    takesMany = many
    self.front = front
    hint = many ? front.words.numbersOrAll : front.words.numberOrTitle
  }

  /// Number of invalid answers after which the prompt gives up.
  private static let attempts = 50

  /// Returns the indices of the chosen entries; empty for the default.
  ///
  /// - Throws: `cancelled` if the person leaves.
  func ask(_ prompt: String) throws -> [Int] {
    let matcher = ChoiceMatcher(choices, many: takesMany)
    front.tell(front.prose(prompt).map(front.style.bold))
    list(Array(choices.indices))
    for _ in 0..<Self.attempts {
      let answer = try front.readLine(hint, defaultText: defaultText, for: prompt)
      if answer.isEmpty, defaultText != nil { return [] }
      switch matcher.match(answer) {
      case .chosen(let positions): return positions
      case .narrowed(let positions): list(positions)
      case .problem(let problem): front.tell(front.prose(problem).map(front.style.warning))
      }
    }
    throw RunError(.cancelled, "nothing was chosen for “\(prompt)”")
  }

  /// Prints numbered choices, as many as fit the screen.
  private func list(_ positions: [Int]) {
    let layout = RowLayout(style: front.style, width: front.width, alignsLeadsRight: true)
    // Leaves room for the prompt and the “more” line.
    let room = max(5, front.console.height - 4)
    func lines(_ count: Int) -> [TerminalText] {
      layout.lines(
        positions.prefix(count).map {
          RowLayout.Row(
            lead: " \($0 + 1)", title: choices[$0].title, subtitle: choices[$0].subtitle)
        })
    }
    var shown = min(positions.count, room)
    while shown > 5, lines(shown).count > room { shown -= 1 }
    front.tell(lines(shown))
    if shown < positions.count {
      let rest = front.words.more(positions.count - shown)
      front.tell(front.prose("  " + rest).map(front.style.dim))
    }
  }
}
