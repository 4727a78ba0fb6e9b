import CEL
import Engine
import JSON

/// Parses another program's answer to a question (`docs/events.md`).
struct AnswerReader {
  /// The outcome of parsing a line.
  enum Outcome {
    case reply(Reply)
    /// The problem with the answer; the question is repeated.
    case problem(String)
    case cancelled
  }

  private let question: Question

  init(_ question: Question) { self.question = question }

  /// Parses a line; nil means the end of the input.
  func read(_ line: Result<Value, JSONError>?) -> Outcome {
    switch line {
    case nil: return .cancelled
    case .failure(let error): return .problem("the answer is not JSON: \(error.message)")
    case .success(.map(let fields)):
      if fields["cancel"] == true { return .cancelled }
      guard let answer = fields["answer"] else {
        return .problem("the answer has no `answer`: write {\"answer\": …}")
      }
      return reply(answer)
    case .success: return .problem("the answer is not an object: write {\"answer\": …}")
    }
  }

  private func reply(_ answer: Value) -> Outcome {
    switch question.kind {
    case .text:
      guard let text = text(answer) else {
        return .problem("the answer must be text, a number, true or false, or a list of them")
      }
      return .reply(.text(text))
    case .choice(let choices, let many): return choose(answer, choices, many)
    case .confirmation:
      switch answer {
      case .bool(let isYes): return .reply(.confirmed(isYes))
      case "yes": return .reply(.confirmed(true))
      case "no": return .reply(.confirmed(false))
      default: return .problem("the answer must be true or false")
      }
    }
  }

  /// The text that a person would have typed; an empty text takes the default.
  private func text(_ answer: Value) -> String? {
    switch answer {
    case .null: return ""
    case .string(let text): return text
    case .int, .double, .bool: return answer.text
    case .list(let values):
      let texts = values.compactMap { value -> String? in
        if case .list = value { nil } else { text(value) }
      }
      return texts.count == values.count ? texts.joined(separator: ",") : nil
    default: return nil
    }
  }

  private func choose(_ answer: Value, _ choices: [Question.Choice], _ many: Bool) -> Outcome {
    let answers: [Value]
    if case .list(let values) = answer { answers = values } else { answers = [answer] }
    guard many || answers.count == 1 else {
      return .problem("choose one, not \(answers.count)")
    }
    let matcher = ChoiceMatcher(choices, many: false)
    var chosen: [Int] = []
    for answer in answers {
      guard let text = text(answer), !text.isEmpty else {
        return .problem("answer with the number, title or ref of a choice")
      }
      switch matcher.match(text) {
      case .chosen(let positions): chosen += positions.filter { !chosen.contains($0) }
      case .narrowed(let positions):
        return .problem("“\(text)” matches \(positions.count) choices: give a number or a ref")
      case .problem(let problem): return .problem(problem)
      }
    }
    return .reply(.chosen(chosen))
  }
}
