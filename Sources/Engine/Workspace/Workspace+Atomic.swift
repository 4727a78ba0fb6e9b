import Catalog
import Items
import Program
import Source
import YAML

/// An operation that is not allowed in a transaction.
struct NestedAtomicViolation {
  /// The intent or shortcut that contains it.
  let holder: String
  let words: String
  let span: Span?
}

extension Workspace {
  /// The errors in `atomic` blocks of an intent or a shortcut: operations, direct or in callees,
  /// that ask, wait or have outside effects.
  ///
  /// - Complexity: O(steps of the callees that were not analyzed before).
  func atomicMistakes(in action: CompiledAction) -> [Diagnostic] {
    if action.atomicBlocks.isEmpty { return [] }
    refreshCallMemory()
    return action.atomicBlocks.flatMap { calls(in: $0) }.compactMap { call in
      guard let nestedViolation = missingValue(of: call) ?? nestedViolation(in: call.name) else {
        return nil
      }
      let way = nestedViolation.holder == call.name ? "" : " by way of `\(nestedViolation.holder)`"
      return Diagnostic(
        "not-in-atomic",
        "`\(call.name)` cannot be called in `atomic`, which locks the store until it is "
          + "done: \(nestedViolation.words)\(way)",
        at: call.span, help: "put the call before the `atomic`, or after it",
        related: nestedViolation.span.map { [.init("the step is here", at: $0)] } ?? [])
    }
  }

  /// The required argument that a call omits, which would be asked for.
  private func missingValue(of call: KnownCall) -> NestedAtomicViolation? {
    // A callee with errors is reported on its own.
    guard let callee = try? action(call.name), let parameter = call.missingParameter(of: callee)
    else { return nil }
    return NestedAtomicViolation(
      holder: call.name, words: "it asks for `\(parameter.name.text)`, which is not given",
      span: Self.place(parameter.name.span))
  }

  /// A violation or a call, in the order of the steps.
  private enum Event {
    case nestedViolation(NestedAtomicViolation)
    case call(KnownCall)
  }

  /// The first violation in an intent or a shortcut, in the order of its steps; nil for none.
  /// Iterative, because call chains may be long.
  private func nestedViolation(in start: String) -> NestedAtomicViolation? {
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
      let found: NestedAtomicViolation?
      switch event {
      case .nestedViolation(let nestedViolation): found = nestedViolation
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

  /// The violations and calls of the steps, up to the first violation.
  private func events(in steps: [CompiledStep], of name: String) -> [Event] {
    var events: [Event] = []
    for step in steps {
      if let violation = AtomicViolation(step) {
        let words = "its step `\(step.id)` (`\(step.displayName)`) \(violation.words)"
        let nestedViolation = NestedAtomicViolation(
          holder: name, words: words, span: Self.place(step.span))
        return events + [.nestedViolation(nestedViolation)]
      }
      if let call = KnownCall(step) { events.append(.call(call)) }
      for block in step.kind.blocks {
        events += self.events(in: block, of: name)
        if case .nestedViolation? = events.last { return events }
      }
    }
    return events
  }

  /// A place that the person can look at; nil in built-in definitions.
  private static func place(_ span: Span) -> Span? { span.file.isBuiltIn ? nil : span }

  private func calls(in steps: [CompiledStep]) -> [KnownCall] {
    steps.flatMap { step in
      (KnownCall(step).map { [$0] } ?? []) + step.kind.blocks.flatMap(calls)
    }
  }
}
