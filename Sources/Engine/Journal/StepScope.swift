package import Program

/// The nesting of a step in a run: calls, passes and attempts.
package final class StepScope: Sendable {
  /// A level of nesting.
  package enum Kind: Sendable {
    /// The run itself.
    case run
    /// A call of an intent or a shortcut.
    case call(String)
    /// A pass of a loop, from 0.
    case pass(Int)
    /// A retry, from 1.
    case attempt(Int)
    /// The `finally` of a failed block.
    case cleanup
  }

  /// The enclosing scope.
  package let parent: StepScope?
  package let kind: Kind
  /// The call, loop or retried step; nil for the run.
  package let step: StepID?
  /// A short key, unique within the run.
  package let text: String

  /// The outermost scope.
  package static let root = StepScope()

  private init(_ text: String = "") {
    parent = nil
    step = nil
    kind = .run
    self.text = text
  }

  /// The outermost scope of one of the top-level calls of a run.
  package static func root(ofCall index: Int) -> StepScope {
    index == 0 ? root : StepScope("\(index)@/")
  }

  /// The scope inside a step.
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

  /// The scopes from the innermost outwards.
  package var outwards: some Sequence<StepScope> { sequence(first: self, next: \.parent) }

  /// Number of calls around it.
  package var depth: Int { outwards.count { if case .call = $0.kind { true } else { false } } }
}
