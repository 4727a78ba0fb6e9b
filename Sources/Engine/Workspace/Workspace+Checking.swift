import Catalog
package import Program
package import Source

extension Workspace {
  /// Compiles an intent or a shortcut with all that it calls and deals with, before anything runs.
  ///
  /// - Throws: `Diagnostics` with every mistake in any of them, each once.
  package func check(action name: String) throws {
    if isSound(name) { return }
    // What came with the program has no mistakes, and calls nothing else.
    if library.isBuiltIn(action: name), !library.replacesBuiltIns, !context.checksBuiltIns {
      _ = try action(name)
      return
    }
    var problems = DistinctDiagnostics()
    var reached = Reached()
    try checkGraph(from: name, &reached, into: &problems)
    if !problems.all.isEmpty { throw Diagnostics(problems.sorted) }
    addSound(reached.actions)
  }

  /// The definitions that were checked, so that none is twice.
  package struct Reached {
    fileprivate var actions: Set<String> = []
    fileprivate var entities: Set<String> = []

    /// None yet.
    package init() {}
  }

  /// The mistakes in an intent or a shortcut and in all that it calls and deals with, leaving out
  /// what was reached before.
  ///
  /// - Complexity: O(what is reached for the first time).
  package func mistakes(reachedFrom name: String, beyond reached: inout Reached) -> [Diagnostic] {
    var problems = DistinctDiagnostics()
    do {
      try checkGraph(from: name, &reached, into: &problems)
    } catch {
      // It is told among the findings in the definition itself.
    }
    return problems.sorted
  }

  /// Compiles an entity, to find what is wrong with it.
  ///
  /// - Throws: `Diagnostics` with every mistake in it.
  package func check(entity name: String) throws {
    _ = try entity(name)
    _ = try schema(of: name)
  }

  /// What is wrong with an intent or a shortcut itself and doubtful in it, leaving out what it calls.
  package func findings(inAction name: String) -> [Diagnostic] {
    let found =
      known(inAction: name)
      ?? findings { collector in _ = try compile(action: name, collector) }
    guard let action = try? action(name) else { return found }
    return found + atomicMistakes(in: action)
      + (context.findsDoubts ? recursion(in: name) + doubts(in: action) : [])
  }

  /// What is wrong with an entity itself and doubtful in it.
  package func findings(inEntity name: String) -> [Diagnostic] {
    findings { collector in
      _ = try compile(entity: name, collector)
      if !collector.hasErrors { _ = try schema(of: name) }
    }
  }

  /// The steps of an intent or a shortcut, compiled.
  ///
  /// - Throws: `Diagnostics` with all that is wrong with it.
  package func steps(of name: String) throws -> [CompiledStep] { try action(name).steps }

  /// A condition over an item, a share or a value, which stands in slot 0.
  ///
  /// - Throws: `Diagnostics`.
  func condition(
    _ source: ExpressionSource, over subject: ExpressionCompiler.Subject
  ) throws -> CompiledExpression {
    var scopes = Scopes()
    _ = scopes.makeSlot()
    return try expectSound {
      ExpressionCompiler(context, $0).compile(condition: source, scopes, subject: subject)
    }
  }

  private func findings(_ body: (DiagnosticCollector) throws -> Void) -> [Diagnostic] {
    let collector = DiagnosticCollector()
    do {
      try body(collector)
      return collector.all
    } catch let error as Diagnostics {
      // What the rest of a broken form gives reason to doubt, may come from what is missing.
      return error.all
    } catch {
      let failure = error as? RunError
      return [Diagnostic(failure?.code.name ?? "internal", failure?.message ?? "\(error)")]
    }
  }

  /// Compiles a definition with all that it calls.
  private func checkGraph(
    from name: String, _ reached: inout Reached, into problems: inout DistinctDiagnostics
  ) throws {
    guard reached.actions.insert(name).inserted else { return }
    var pending = [name]
    while let name = pending.popLast() {
      do {
        let compiled = try action(name)
        problems.add(atomicMistakes(in: compiled))
        // What came with the program goes on without a job whose handler has mistakes.
        let goesOn = library.isBuiltIn(action: name) && !context.checksBuiltIns
        let called = goesOn ? compiled.callees : compiled.callees.union(compiled.enqueued)
        for callee in called.sorted()
        where reached.actions.insert(callee).inserted {
          if isWorthChecking(action: callee), !isSound(callee) { pending.append(callee) }
        }
        for entity in compiled.entities.sorted() where reached.entities.insert(entity).inserted {
          guard isWorthChecking(entity: entity) else { continue }
          do {
            try check(entity: entity)
          } catch let error as Diagnostics {
            problems.add(error.all)
          }
        }
      } catch let error as Diagnostics {
        problems.add(error.all)
      }
    }
  }

  /// Built-in definitions are sound by themselves, but may call what a person replaced.
  private func isWorthChecking(action name: String) -> Bool {
    !library.isBuiltIn(action: name) || library.replacesBuiltIns || context.checksBuiltIns
  }

  private func isWorthChecking(entity name: String) -> Bool {
    !library.isBuiltIn(entity: name) || context.checksBuiltIns
  }

  /// A warning where every run of an intent or a shortcut comes to run it again.
  func recursion(in name: String) -> [Diagnostic] {
    guard let circle = circle(of: name), let start = try? action(name) else { return [] }
    for call in start.certainCalls where self.circle(of: call.name) == circle {
      let way = call.name == name ? "runs itself" : "runs itself again by way of `\(call.name)`"
      return [
        Diagnostic(
          "W206", "`\(name)` \(way), and nothing ends that", at: call.span,
          help: "give the step a `when:` that comes to be false", severity: .warning)
      ]
    }
    return []
  }

  /// The circle of intents and shortcuts that certainly run one another to which one belongs; nil
  /// for one that is in none: the strongly connected parts of the graph of calls (R. Tarjan,
  /// “Depth-First Search and Linear Graph Algorithms”, 1972), without recursion, as chains of calls
  /// may be long.
  ///
  /// - Complexity: O(certain calls) for all that is reached for the first time, then O(1).
  package func circle(of name: String) -> Int? {
    refreshCallMemory()
    if callMemory.circles[name] == nil { findCircles(from: name) }
    return callMemory.circles[name] ?? nil
  }

  private struct Visit {
    let name: String
    let callees: [String]
    var next = 0
    let index: Int
    var low: Int
  }

  private func findCircles(from start: String) {
    var indices: [String: Int] = [:]
    // Those whose part is not closed yet, in the order in which they were reached.
    var open: [String] = []
    var visits: [Visit] = []
    func visit(_ name: String) {
      let index = indices.count
      indices[name] = index
      open.append(name)
      let callees = (try? action(name))?.certainCalls.map(\.name) ?? []
      visits.append(Visit(name: name, callees: callees, index: index, low: index))
    }
    visit(start)
    while var top = visits.popLast() {
      if top.next < top.callees.count {
        let callee = top.callees[top.next]
        top.next += 1
        // What belongs to a part that is closed leads nowhere back.
        let isOpen = callMemory.circles[callee] == nil
        if isOpen, let index = indices[callee] { top.low = min(top.low, index) }
        visits.append(top)
        if isOpen, indices[callee] == nil { visit(callee) }
        continue
      }
      if let last = visits.indices.last { visits[last].low = min(visits[last].low, top.low) }
      guard top.low == top.index else { continue }
      var part: [String] = []
      repeat { part.append(open.removeLast()) } while part.last != top.name
      let isCircle = part.count > 1 || top.callees.contains(top.name)
      if isCircle { callMemory.circleCount += 1 }
      for name in part {
        callMemory.circles[name] = .some(isCircle ? callMemory.circleCount : nil)
      }
    }
  }

  /// Whether an intent or a shortcut comes to a goal: it meets the condition itself, or something that
  /// it calls does.
  ///
  /// - Complexity: O(what is reached for the first time).
  func comes(
    _ name: String, to goal: CallMemory.Goal, _ meets: (CompiledAction?) -> Bool,
    callees: (CompiledAction) -> [String]
  ) -> Bool {
    refreshCallMemory()
    var callers: [String: String] = [:]
    var seen: Set<String> = [name]
    var pending = [name]
    while let next = pending.popLast() {
      let answer = callMemory.comes[goal]?[next]
      if answer == false { continue }
      let action = try? action(next)
      if answer == true || meets(action) {
        for name in sequence(first: next, next: { callers[$0] }) {
          callMemory.comes[goal, default: [:]][name] = true
        }
        return true
      }
      for callee in action.map(callees) ?? [] where seen.insert(callee).inserted {
        callers[callee] = next
        pending.append(callee)
      }
    }
    for name in seen { callMemory.comes[goal, default: [:]][name] = false }
    return false
  }

  /// Forgets what is known of calls where another file has come into reach.
  func refreshCallMemory() {
    if callMemory.fileCount != library.files.count {
      callMemory = CallMemory(fileCount: library.files.count)
    }
  }
}

/// What is known of what intents and shortcuts come to by their calls, so that nothing is looked for
/// twice.
struct CallMemory {
  /// What is looked for.
  enum Goal: Hashable {
    /// A step that tells or changes something.
    case noise
    /// A question that every run asks.
    case question
    /// A step that raises an error of a code.
    case code(String)
  }

  /// How many files were in reach.
  let fileCount: Int
  /// For each name that was reached its circle; nil where it is in none.
  var circles: [String: Int?] = [:]
  var circleCount = 0
  /// The names that come to a goal, and those that don't.
  var comes: [Goal: [String: Bool]] = [:]
  /// What `atomic` blocks come to: the first obstacle in the steps of each name, nil for none.
  var obstacles: [String: AtomicObstacle?] = [:]
}
