package import Engine
import Program
package import Source

/// Test coverage of the steps and branches of an intent or a shortcut.
package struct Coverage: Sendable {
  /// A step or a branch.
  package struct Part: Sendable {
    /// The name for display, such as `steps.2` or `steps.2, else`.
    package let name: String
    package let span: Span
    package let count: Int
  }

  package let action: String
  package private(set) var steps: [Part] = []
  /// The branches of `if`, `menu`, `try`, loops and conditions, each counted separately.
  package private(set) var branches: [Part] = []

  /// The coverage of an action.
  ///
  /// - Throws: `Diagnostics` when it has errors.
  package init(of action: String, _ counts: StepCounts, in workspace: Workspace) throws {
    self.action = action
    for step in try workspace.steps(of: action) { add(step, counts) }
  }

  private mutating func add(_ step: CompiledStep, _ counts: StepCounts) {
    let id = step.id.description
    let key = StepCounts.Key(action: action, id: id)
    let done = counts.done[key] ?? 0
    steps.append(Part(name: "\(id) (\(step.displayName))", span: step.span, count: done))
    if step.guardCondition != nil {
      let skipped = counts.skipped[key] ?? 0
      branches.append(Part(name: "\(id), when it holds", span: step.span, count: done))
      branches.append(Part(name: "\(id), when it does not", span: step.span, count: skipped))
    }
    let ways = step.kind.ways
    var taken = 0
    for way in ways {
      // A branch is identified by its first step; an empty one cannot be counted.
      guard let first = way.body.first else { continue }
      let key = StepCounts.Key(action: action, id: first.id.description)
      let count = (counts.done[key] ?? 0) + (counts.skipped[key] ?? 0)
      taken += count
      if way.isBranch {
        branches.append(Part(name: "\(id), \(way.name)", span: first.span, count: count))
      }
    }
    if step.kind.mayTakeNone {
      branches.append(
        Part(name: "\(id), no branch taken", span: step.span, count: max(done - taken, 0)))
    }
    for way in ways { for step in way.body { add(step, counts) } }
  }
}

extension CompiledStep.Kind {
  /// A path through a block.
  fileprivate struct Way {
    let name: String
    let body: [CompiledStep]
    /// Whether a run may bypass it.
    var isBranch = true
  }

  fileprivate var ways: [Way] {
    switch self {
    case .verb, .action: return []
    case .conditional(let branches, let otherwise):
      return branches.enumerated().map { Way(name: $0 == 0 ? "then" : "elif \($0)", body: $1.body) }
        + (otherwise.map { [Way(name: "else", body: $0)] } ?? [])
    case .forEach(let loop): return [Way(name: "a pass", body: loop.body.steps)]
    case .repeatCount(_, _, let body), .whileLoop(_, let body):
      return [Way(name: "a pass", body: body.steps)]
    case .menu(let menu):
      return menu.options.enumerated().map { Way(name: "option \($0 + 1)", body: $1.body) }
    case .attempt(let block):
      return [Way(name: "try", body: block.body, isBranch: false)]
        + block.handlers.enumerated().map { Way(name: "catch \($0 + 1)", body: $1.body) }
        + [Way(name: "finally", body: block.finally, isBranch: false)]
    case .parallel(let block):
      return block.branches.map { Way(name: $0.name, body: $0.body, isBranch: false) }
    case .atomic(let body): return [Way(name: "atomic", body: body, isBranch: false)]
    }
  }

  /// Whether it has no `else`, so that no branch may be taken.
  fileprivate var mayTakeNone: Bool {
    if case .conditional(_, nil) = self { true } else { false }
  }
}

/// Numbers of executions and skips by step.
package struct StepCounts: Sendable {
  /// The path of a step in an intent or a shortcut.
  struct Key: Hashable {
    let action: String
    let id: String
  }

  private(set) var done: [Key: Int] = [:]
  private(set) var skipped: [Key: Int] = [:]

  /// Creates empty counts.
  package init() {}

  /// Counts a step as executed or skipped.
  mutating func count(_ id: String, in action: String, isSkipped: Bool) {
    let key = Key(action: action, id: id)
    if isSkipped { skipped[key, default: 0] += 1 } else { done[key, default: 0] += 1 }
  }

  /// Adds the counts of another test.
  package mutating func add(_ other: StepCounts) {
    done.merge(other.done, uniquingKeysWith: +)
    skipped.merge(other.skipped, uniquingKeysWith: +)
  }
}
