import CEL
import Engine
import Synchronization

/// Hears what a run says in a test; answers come from the test, and from nobody else.
final class TestFront: Front {
  private(set) var said: [Value] = []
  private(set) var shown: [Value] = []

  var canAnswer: Bool { false }
  var observesSteps: Bool { false }

  func say(_ text: String) { said.append(.string(text)) }

  func show(_ presentation: Presentation) {
    if case .text(let text) = presentation.layout {
      shown.append(.string(text))
    } else {
      shown.append(presentation.value)
    }
  }

  func ask(_ question: Question) throws -> Reply {
    throw RunError(.needsValue, "nobody can answer “\(question.prompt)”")
  }

  func step(_ path: [String]) {}
  func progress(_ progress: Progress) {}
  func result(_ presentation: Presentation) {}
}
