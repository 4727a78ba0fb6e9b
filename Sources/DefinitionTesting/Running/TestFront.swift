import CEL
import Engine
import Synchronization

/// Records the output of a run; only preset answers are available.
final class TestFront: Front {
  private(set) var said: [Value] = []
  private(set) var shown: [Value] = []

  func say(_ text: String) { said.append(.string(text)) }

  func show(_ presentation: Presentation) {
    if case .text(let text) = presentation.layout {
      shown.append(.string(text))
    } else {
      shown.append(presentation.value)
    }
  }
}
