package import Program

/// Where a step stands in a run: what is around it, and its own place in the document.
package struct StepPlace {
  package let scope: StepScope
  package let id: StepID
  private let index: Int

  /// The place of a step.
  package init(_ step: CompiledStep, in scope: StepScope) {
    self.scope = scope
    id = step.id
    index = step.index
  }

  /// Tells it from every other place of the run, in few characters.
  package var text: String { scope.text + String(index) }
}

extension StepPlace: CustomStringConvertible {
  /// The place as a person reads it: `steps.page` in `save`, with passes and attempts.
  package var description: String {
    var parts = [id.description]
    var outer: StepScope? = scope
    while let scope = outer {
      switch scope.kind {
      case .run, .cleanup: break
      case .call(let name): parts.append("\(scope.step?.description ?? "") (\(name))")
      case .pass(let pass): parts.append("\(scope.step?.description ?? "")[\(pass)]")
      case .attempt(let attempt): parts.append("attempt \(attempt + 1)")
      }
      outer = scope.parent
    }
    return parts.reversed().joined(separator: " > ")
  }
}
