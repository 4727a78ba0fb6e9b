import Catalog
import Items
import Program
import Source
import YAML

/// What a call comes to that can't be part of a transaction.
struct AtomicObstacle {
  /// The intent or shortcut in which it is.
  let holder: String
  let words: String
  let span: Span?
}

extension Workspace {
  /// The mistakes in `atomic` blocks of an intent or a shortcut: calls of what asks, waits or reaches
  /// outside, itself or in what it calls.
  ///
  /// - Complexity: O(steps of all that the blocks call and that no block came to before).
  func atomicMistakes(in action: CompiledAction) -> [Diagnostic] {
    if action.atomicBlocks.isEmpty { return [] }
    refreshCallMemory()
    return action.atomicBlocks.flatMap { calls(in: $0) }.compactMap { call in
      guard let obstacle = missingValue(of: call) ?? obstacle(in: call.name) else { return nil }
      let way = obstacle.holder == call.name ? "" : " by way of `\(obstacle.holder)`"
      return Diagnostic(
        "not-in-atomic",
        "`\(call.name)` can't be called in `atomic`, which holds the store for itself until it is "
          + "done: \(obstacle.words)\(way)",
        at: call.span, help: "put the call before the `atomic`, or after it",
        related: obstacle.span.map { [.init("the step is here", at: $0)] } ?? [])
    }
  }

  /// A value that a call does not give, so that it is asked for.
  private func missingValue(of call: KnownCall) -> AtomicObstacle? {
    // What has a mistake of its own is reported for itself.
    guard let callee = try? action(call.name), let parameter = call.missingParameter(of: callee)
    else { return nil }
    return AtomicObstacle(
      holder: call.name, words: "it asks for `\(parameter.name.text)`, which is not given",
      span: Self.place(parameter.name.span))
  }

  private enum Event {
    case obstacle(AtomicObstacle)
    case call(KnownCall)
  }

  /// The first thing in the way in an intent or a shortcut, in the order of the steps; nil where
  /// there is none. Chains of calls may be long, so it does not recurse.
  private func obstacle(in start: String) -> AtomicObstacle? {
    var callers: [String: String] = [:]
    var seen: Set<String> = []
    var pending: [(event: Event, holder: String)] = []
    func enter(_ name: String) {
      guard seen.insert(name).inserted, callMemory.obstacles[name] == nil else { return }
      let events = events(in: (try? action(name))?.steps ?? [], of: name)
      pending += events.reversed().map { ($0, name) }
    }
    if let known = callMemory.obstacles[start] { return known }
    enter(start)
    while let (event, holder) = pending.popLast() {
      let found: AtomicObstacle?
      switch event {
      case .obstacle(let obstacle): found = obstacle
      case .call(let call):
        found = missingValue(of: call) ?? callMemory.obstacles[call.name] ?? nil
        if found == nil, !seen.contains(call.name) {
          callers[call.name] = holder
          enter(call.name)
        }
      }
      guard let found else { continue }
      for name in sequence(first: holder, next: { callers[$0] }) {
        callMemory.obstacles[name] = found
      }
      return found
    }
    for name in seen { callMemory.obstacles[name] = .some(nil) }
    return nil
  }

  /// What the steps do that is or may be in the way, up to the first thing that is.
  private func events(in steps: [CompiledStep], of name: String) -> [Event] {
    var events: [Event] = []
    for step in steps {
      if let hindrance = AtomicHindrance(step) {
        let words = "its step `\(step.id)` (`\(step.displayName)`) \(hindrance.words)"
        events.append(
          .obstacle(AtomicObstacle(holder: name, words: words, span: Self.place(step.span))))
        return events
      }
      if let call = KnownCall(step) { events.append(.call(call)) }
      for block in step.kind.blocks {
        events += self.events(in: block, of: name)
        if case .obstacle? = events.last { return events }
      }
    }
    return events
  }

  /// A place that a person can look at; nil for one in what came with the program.
  private static func place(_ span: Span) -> Span? { span.file.isBuiltIn ? nil : span }

  private func calls(in steps: [CompiledStep]) -> [KnownCall] {
    steps.flatMap { step in
      (KnownCall(step).map { [$0] } ?? []) + step.kind.blocks.flatMap(calls)
    }
  }
}
