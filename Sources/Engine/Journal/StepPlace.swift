package import Program

/// The place of a step in a run: its scope, and its path in the document.
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

  /// A short key, unique within the run.
  package var text: String { scope.text + String(index) }
}

extension StepPlace: CustomStringConvertible {
  /// The place for display: `steps.page` in `save`, with passes and attempts.
  package var description: String {
    var parts = [id.description]
    for scope in scope.outwards {
      switch scope.kind {
      case .run, .cleanup: break
      case .call(let name): parts.append("\(scope.step?.description ?? "") (\(name))")
      case .pass(let pass): parts.append("\(scope.step?.description ?? "")[\(pass)]")
      case .attempt(let attempt): parts.append("attempt \(attempt + 1)")
      }
    }
    return parts.reversed().joined(separator: " > ")
  }
}

extension StepPlace {
  /// Number of blocks and calls around the step.
  package var nesting: Int {
    scope.outwards.reduce(Self.nesting(of: id)) { sum, scope in
      guard case .call = scope.kind else { return sum }
      return sum + 1 + (scope.step.map(Self.nesting) ?? 0)
    }
  }

  /// The number of block keywords in a path.
  private static func nesting(of id: StepID) -> Int {
    let words = ["then", "else", "do", "options", "try", "catch", "finally", "parallel", "atomic"]
    // The last component is the step's own.
    return id.description.split(separator: ".").dropLast().count { words.contains(String($0)) }
  }
}
