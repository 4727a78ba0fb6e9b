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

/// What is known of the intents and shortcuts that `atomic` blocks come to: the first obstacle in
/// the steps of each, nil for one without any.
struct ObstacleMemory {
  fileprivate var known: [String: AtomicObstacle?] = [:]
  fileprivate var fileCount = 0
}

extension Workspace {
  /// The mistakes in `atomic` blocks of an intent or a shortcut: calls of what asks, waits or reaches
  /// outside, itself or in what it calls.
  ///
  /// - Complexity: O(steps of all that the blocks call and that no block came to before).
  func atomicMistakes(in action: CompiledAction) -> [Diagnostic] {
    if action.atomicBlocks.isEmpty { return [] }
    if obstacles.fileCount != library.files.count {
      obstacles = ObstacleMemory(fileCount: library.files.count)
    }
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

  /// One intent or shortcut on the way to an obstacle, with what its steps do.
  private struct Visit {
    let name: String
    let events: [Event]
    var next = 0
    /// The lowest one on the way that it calls again; its own place where it calls none.
    var low: Int
  }

  private enum Event {
    case obstacle(AtomicObstacle)
    case call(KnownCall)
  }

  /// The first thing in the way in an intent or a shortcut, in the order of the steps; nil where
  /// there is none. Chains of calls may be long, so it does not recurse.
  private func obstacle(in name: String) -> AtomicObstacle? {
    if let known = obstacles.known[name] { return known }
    var seen: Set<String> = []
    var places: [String: Int] = [:]
    var way: [Visit] = []
    func enter(_ name: String) {
      seen.insert(name)
      places[name] = way.count
      let steps = (try? action(name))?.steps ?? []
      way.append(Visit(name: name, events: events(in: steps, of: name), low: way.count))
    }
    enter(name)
    while var visit = way.popLast() {
      guard visit.next < visit.events.count else {
        places[visit.name] = nil
        // What calls one further up again is known only when that one is.
        if visit.low >= way.count { obstacles.known[visit.name] = .some(nil) }
        if let last = way.indices.last { way[last].low = min(way[last].low, visit.low) }
        continue
      }
      let event = visit.events[visit.next]
      visit.next += 1
      var found: AtomicObstacle?
      switch event {
      case .obstacle(let obstacle): found = obstacle
      case .call(let call): found = missingValue(of: call) ?? obstacles.known[call.name] ?? nil
      }
      way.append(visit)
      if let found {
        for visit in way { obstacles.known[visit.name] = found }
        return found
      }
      guard case .call(let call) = event, obstacles.known[call.name] == nil else { continue }
      if let place = places[call.name] {
        way[way.count - 1].low = min(visit.low, place)
      } else if !seen.contains(call.name) {
        enter(call.name)
      } else {
        // It was left without an answer, which depends on one that is still on the way.
        way[way.count - 1].low = 0
      }
    }
    for name in seen { obstacles.known[name] = .some(nil) }
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
