import Engine
import ErrandKit
import Source

/// Lets a person choose from a numbered list, narrowing it by typing.
struct ChoicePrompt {
  let choices: [Question.Choice]
  let takesMany: Bool
  private let front: TerminalFront
  /// What an empty answer stands for, when it stands for something.
  var defaultText: String?
  /// What is asked for beside the list.
  var hint: String

  init(_ choices: [Question.Choice], many: Bool, front: TerminalFront) {
    self.choices = choices
    takesMany = many
    self.front = front
    hint = many ? "Numbers such as 1,3-5, or all:" : "Number or part of a title:"
  }

  /// How many answers that mean nothing are taken before the person is thought to be gone.
  private static let attempts = 50

  /// The positions of the choices taken; empty when the default is.
  ///
  /// - Throws: `cancelled` when the person leaves.
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

  /// Shows choices under their numbers, as many as fit the screen.
  private func list(_ positions: [Int]) {
    let layout = RowLayout(style: front.style, width: front.width, alignsLeadsRight: true)
    // The prompt and the line about the rest must fit, too.
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
      let rest = "… and \(positions.count - shown) more: type part of a title to narrow"
      front.tell(front.prose("  " + rest).map(front.style.dim))
    }
  }
}
