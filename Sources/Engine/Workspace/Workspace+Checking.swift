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
  /// for one that is in none.
  ///
  /// - Complexity: O(certain calls) for all that is reached for the first time, then O(1).
  package func circle(of name: String) -> Int? {
    callCircles.circle(of: name, among: library.files.count) { name in
      (try? action(name))?.certainCalls.map(\.name) ?? []
    }
  }
}

/// The strongly connected parts of the graph of calls, found as they are asked for (R. Tarjan,
/// “Depth-First Search and Linear Graph Algorithms”, 1972); without recursion, as chains of calls
/// may be long.
struct CallCircles {
  private struct Visit {
    let name: String
    let callees: [String]
    var next = 0
    let index: Int
    var low: Int
  }

  /// For each name that was reached its circle; nil where it is in none.
  private var circles: [String: Int?] = [:]
  private var count = 0
  /// How many files were in reach.
  private var fileCount = 0

  mutating func circle(
    of name: String, among fileCount: Int, callees: (String) -> [String]
  ) -> Int? {
    if fileCount != self.fileCount {
      self = CallCircles()
      self.fileCount = fileCount
    }
    if let known = circles[name] { return known }
    find(from: name, callees)
    return circles[name] ?? nil
  }

  private mutating func find(from start: String, _ callees: (String) -> [String]) {
    var indices: [String: Int] = [:]
    // Those whose part is not closed yet, in the order in which they were reached.
    var open: [String] = []
    var visits: [Visit] = []
    func visit(_ name: String) {
      let index = indices.count
      indices[name] = index
      open.append(name)
      visits.append(Visit(name: name, callees: callees(name), index: index, low: index))
    }
    visit(start)
    while var top = visits.popLast() {
      if top.next < top.callees.count {
        let callee = top.callees[top.next]
        top.next += 1
        // What belongs to a part that is closed leads nowhere back.
        let isNew = circles[callee] == nil && indices[callee] == nil
        if circles[callee] == nil, let index = indices[callee] { top.low = min(top.low, index) }
        visits.append(top)
        if isNew { visit(callee) }
        continue
      }
      if let last = visits.indices.last { visits[last].low = min(visits[last].low, top.low) }
      guard top.low == top.index else { continue }
      var part: [String] = []
      repeat { part.append(open.removeLast()) } while part.last != top.name
      let isCircle = part.count > 1 || top.callees.contains(top.name)
      if isCircle { count += 1 }
      for name in part { circles[name] = .some(isCircle ? count : nil) }
    }
  }
}

/// Which intents and shortcuts come to something by what they call, found as it is asked for; what is
/// known of one is not looked for again.
struct CallReach {
  /// What is looked for.
  enum Goal: Hashable {
    /// A step that tells or changes something.
    case noise
    /// A question that every run asks.
    case question
    /// A step that raises an error of a code.
    case code(String)
  }

  private var known: [Goal: [String: Bool]] = [:]
  /// How many files were in reach.
  private var fileCount = 0

  /// Whether one comes to the goal: it meets the condition itself, or something that it calls does.
  ///
  /// - Complexity: O(what is reached for the first time).
  mutating func comes(
    _ name: String, to goal: Goal, among fileCount: Int, _ meets: (String) -> Bool,
    callees: (String) -> [String]
  ) -> Bool {
    if fileCount != self.fileCount {
      self = CallReach()
      self.fileCount = fileCount
    }
    var callers: [String: String] = [:]
    var seen: Set<String> = [name]
    var pending = [name]
    while let next = pending.popLast() {
      let answer = known[goal]?[next]
      if answer == true || answer == nil && meets(next) {
        var way: String? = next
        while let name = way {
          known[goal, default: [:]][name] = true
          way = callers[name]
        }
        return true
      }
      if answer == false { continue }
      for callee in callees(next) where seen.insert(callee).inserted {
        callers[callee] = next
        pending.append(callee)
      }
    }
    for name in seen { known[goal, default: [:]][name] = false }
    return false
  }
}
