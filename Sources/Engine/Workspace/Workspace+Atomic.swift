import Catalog
import Items
import Program
import Source
import YAML

extension Workspace {
  /// What a call comes to that can't be part of a transaction.
  private struct Obstacle {
    /// The intents and shortcuts on the way to it, the called one first.
    var way: [String]
    let words: String
    let span: Span?
  }

  /// The mistakes in `atomic` blocks of an intent or a shortcut: calls of what asks, waits or reaches
  /// outside, itself or in what it calls.
  ///
  /// - Complexity: O(steps of all that the blocks call).
  func atomicMistakes(in action: CompiledAction) -> [Diagnostic] {
    action.atomicBlocks.flatMap { calls(in: $0) }.compactMap { call in
      var seen: Set<String> = []
      guard let obstacle = obstacle(in: call, &seen) else { return nil }
      let way = obstacle.way.dropFirst().map { " by way of `\($0)`" }.last ?? ""
      return Diagnostic(
        "not-in-atomic",
        "`\(call.name)` can't be called in `atomic`, which holds the store for itself until it is "
          + "done: \(obstacle.words)\(way)",
        at: call.span, help: "put the call before the `atomic`, or after it",
        related: obstacle.span.map { [.init("the step is here", at: $0)] } ?? [])
    }
  }

  /// The first thing in the way of a call, in the order of the steps; nil where there is none.
  private func obstacle(in call: KnownCall, _ seen: inout Set<String>) -> Obstacle? {
    // What has a mistake of its own is reported for itself.
    guard let callee = try? action(call.name) else { return nil }
    for (index, parameter) in callee.parameters.enumerated() {
      let definition = parameter.definition
      let isPrimary = callee.definition.primaryParameter?.name.text == definition.name.text
      let isGiven =
        call.givesAny || call.positions.contains(index) || call.givesInput && isPrimary
        || call.names.contains(definition.name.text)
      if isGiven || parameter.defaultValue != nil || definition.type.isOptional { continue }
      return Obstacle(
        way: [call.name], words: "it asks for `\(definition.name.text)`, which is not given",
        span: Self.place(definition.name.span))
    }
    guard seen.insert(call.name).inserted else { return nil }
    return firstObstacle(callee.steps, of: call.name, &seen)
  }

  private func firstObstacle(
    _ steps: [CompiledStep], of name: String, _ seen: inout Set<String>
  ) -> Obstacle? {
    for step in steps {
      if let hindrance = AtomicHindrance(step) {
        return Obstacle(
          way: [name], words: "its step `\(step.id)` (`\(step.displayName)`) \(hindrance.words)",
          span: Self.place(step.span))
      }
      if let call = KnownCall(step), var obstacle = obstacle(in: call, &seen) {
        obstacle.way.insert(name, at: 0)
        return obstacle
      }
      for block in step.kind.blocks {
        if let obstacle = firstObstacle(block, of: name, &seen) { return obstacle }
      }
    }
    return nil
  }

  /// A place that a person can look at; nil for one in what came with the program.
  private static func place(_ span: Span) -> Span? { span.file.isBuiltIn ? nil : span }

  private func calls(in steps: [CompiledStep]) -> [KnownCall] {
    steps.flatMap { step in
      (KnownCall(step).map { [$0] } ?? []) + step.kind.blocks.flatMap(calls)
    }
  }
}

/// A call of an intent or a shortcut whose name is known before the run.
private struct KnownCall {
  let name: String
  let span: Span
  /// The positions of the parameters that it gives, and their names.
  var positions: Set<Int> = []
  var names: Set<String> = []
  /// Whether it gives the input by that word.
  var givesInput = false
  /// Whether which ones it gives is known only in the run.
  var givesAny = false

  init?(_ step: CompiledStep) {
    span = step.span
    switch step.kind {
    case .action(let call):
      name = call.name
      positions = Set(call.arguments.map(\.parameter))
    case .verb(let call) where call.verb.calls:
      guard case .name(let known)? = call.arguments.first ?? nil else { return nil }
      name = known
      for (declaration, argument) in zip(call.verb.arguments, call.arguments).dropFirst() {
        switch argument {
        case nil: break
        case .fields(let fields)?: names = Set(fields.map(\.name))
        case .fieldMap?: givesAny = true
        default: givesInput = givesInput || declaration.name == "input"
        }
      }
    default: return nil
    }
  }
}
