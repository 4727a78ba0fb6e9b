package import Program

/// What stands around a step in a run: calls, passes and attempts, the outermost first.
package final class StepScope: Sendable {
  /// One thing that stands around a step.
  package enum Kind: Sendable {
    /// The run itself.
    case run
    /// A call of the intent or shortcut of a name.
    case call(String)
    /// A pass of a loop, from 0.
    case pass(Int)
    /// An attempt after the first one, from 1.
    case attempt(Int)
    /// The `finally` of a block that fails.
    case cleanup
  }

  /// What stands around this.
  package let parent: StepScope?
  package let kind: Kind
  /// The call, the loop or the step that is tried again; nil for the run.
  package let step: StepID?
  /// Tells it from every other one of the run, in few characters.
  package let text: String

  /// The outermost.
  package static let root = StepScope()

  private init(_ text: String = "") {
    parent = nil
    step = nil
    kind = .run
    self.text = text
  }

  /// The outermost of one of the calls that a run was asked for.
  package static func root(ofCall index: Int) -> StepScope {
    index == 0 ? root : StepScope("\(index)@/")
  }

  /// What a step makes of its surroundings.
  package init(_ kind: Kind, of step: CompiledStep, in parent: StepScope) {
    self.parent = parent
    self.kind = kind
    self.step = step.id
    text =
      switch kind {
      case .run: parent.text
      case .call: "\(parent.text)\(step.index)>"
      case .pass(let pass): "\(parent.text)\(step.index)#\(pass)/"
      case .attempt(let attempt): "\(parent.text)\(step.index)!\(attempt)/"
      case .cleanup: "\(parent.text)\(step.index)~/"
      }
  }

  /// How many calls it is within.
  package var depth: Int {
    let outer = parent?.depth ?? 0
    if case .call = kind { return outer + 1 }
    return outer
  }
}
