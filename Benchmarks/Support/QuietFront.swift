package import Engine

/// A front that hears everything and says nothing.
package final class QuietFront: Front {
  package let canAnswer = false
  package let observesSteps = false

  package init() {}

  package func say(_ text: String) {}
  package func show(_ presentation: Presentation) {}
  package func step(_ path: [String]) {}
  package func progress(_ progress: Progress) {}
  package func result(_ presentation: Presentation) {}

  package func ask(_ question: Question) throws -> Reply {
    throw RunError(.cancelled, "nobody is here to answer")
  }
}
