@testable import Engine

/// Answers questions with plausible values, a limited number of times.
final class AgreeableFront: Front {
  private static let texts = ["1", "https://swift.org", "swift", "today", "", "yes", "Swift"]
  private var asked = 0

  var canAnswer: Bool { true }

  func ask(_ question: Question) throws -> Reply {
    asked += 1
    if asked > 200 { throw RunError(.cancelled, "enough was asked") }
    return switch question.kind {
    case .text: .text(Self.texts[asked % Self.texts.count])
    case .choice(let choices, let many):
      .chosen(many ? Array(choices.indices) : [asked % choices.count])
    case .confirmation: .confirmed(asked % 3 != 0)
    }
  }
}
