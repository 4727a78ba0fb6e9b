import Engine

/// A front that hears everything and says nothing.
final class QuietFront: Front {
  let canAnswer = false
  let observesSteps = false

  func say(_ text: String) {}
  func show(_ presentation: Presentation) {}
  func step(_ path: [String]) {}

  func ask(_ question: Question) throws -> Reply {
    throw RunError(.cancelled, "nobody is here to answer")
  }
}
