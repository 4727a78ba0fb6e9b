import Catalog
import Items
package import Program
package import Source
import YAML

extension Workspace {
  /// Compiles an intent or a shortcut with all of its callees and entities before anything runs.
  ///
  /// - Throws: `Diagnostics` with every error in any of them, once each.
  package func check(action name: String) throws {
    if sound.contains(name) { return }
    // Built-in definitions have no errors and call nothing else.
    if catalog.isBuiltIn(name), !catalog.replacesBuiltIns, !context.checksBuiltIns {
      _ = try action(name)
      return
    }
    var problems = DistinctDiagnostics()
    var reached = Reached()
    try checkGraph(from: name, &reached, into: &problems)
    if !problems.all.isEmpty { throw Diagnostics(problems.sorted) }
    sound.formUnion(reached.actions)
  }

  /// The definitions checked so far, so that none is checked twice.
  package struct Reached {
    fileprivate var actions: Set<String> = []
    fileprivate var entities: Set<String> = []

    /// An empty set.
    package init() {}
  }

  /// The errors in an intent or a shortcut and in its callees and entities, without those reached
  /// before.
  ///
  /// - Complexity: O(definitions reached for the first time).
  package func mistakes(reachedFrom name: String, beyond reached: inout Reached) -> [Diagnostic] {
    var problems = DistinctDiagnostics()
    // The thrown error is among the findings of the definition itself.
    try? checkGraph(from: name, &reached, into: &problems)
    return problems.sorted
  }

  /// Compiles an entity to find its errors.
  ///
  /// - Throws: `Diagnostics` with every error in it.
  package func check(entity name: String) throws {
    _ = try entity(name)
    _ = try schema(of: name)
  }

  /// The errors and warnings of an intent or a shortcut itself, without those of its callees.
  package func findings(inAction name: String) -> [Diagnostic] {
    let found =
      known(inAction: name)
      ?? findings { collector in _ = try compile(action: name, collector) }
    guard let action = try? action(name) else { return found }
    return found + atomicMistakes(in: action) + widgetMistakes(in: name)
      + (context.reportsWarnings ? recursion(in: name) + doubts(in: action) : [])
  }

  /// The mistakes in a widget's actions and source: actions that do not exist or take no item, and
  /// a source that has side effects.
  private func widgetMistakes(in name: String) -> [Diagnostic] {
    guard let action = try? catalog.action(name), let widget = action.widget else { return [] }
    var mistakes: [Diagnostic] = []
    var entity: String?
    if case .entity(let name, _) = widget.source { entity = name }
    /// The names of actions that take an item of the widget, for advice.
    func fitting() -> String? {
      guard let entity else { return nil }
      let names = catalog.actionNames.filter {
        (try? catalog.action($0))?.itemEntities.contains(entity) == true
      }
      return names.isEmpty
        ? nil : "those that take a \(entity) are " + names.prefix(8).joined(separator: ", ")
    }
    func expectAction(_ scalar: Scalar, takesItem: Bool) {
      guard let called = try? catalog.action(scalar.text) else {
        mistakes.append(
          Diagnostic(
            "unknown-action", "there is no intent or shortcut `\(scalar.text)`", at: scalar.span,
            help: Suggestion.didYouMean(scalar.text, in: catalog.actionNames)
              ?? (takesItem ? fitting() : nil)
              ?? Suggestion.help(for: scalar.text, in: catalog.actionNames)))
        return
      }
      let taken = called.itemEntities
      if takesItem, let entity, let other = taken.first, !taken.contains(entity),
        !called.allParameters.contains(where: { $0.type.unwrapped == .any })
      {
        mistakes.append(
          Diagnostic(
            "invalid-value", "`\(scalar.text)` takes a \(other), and the items are \(entity) items",
            at: scalar.span, help: fitting() ?? "name one that takes a \(entity)"))
        return
      }
      if takesItem, called.allParameters.isEmpty {
        mistakes.append(
          Diagnostic(
            "unknown-parameter", "`\(scalar.text)` takes no item", at: scalar.span,
            help: "name one with an input or a parameter"))
      }
    }
    for scalar in (widget.tap.map { [$0] } ?? []) + widget.actions {
      expectAction(scalar, takesItem: true)
    }
    for button in widget.buttons {
      if let scalar = button.action { expectAction(scalar, takesItem: false) }
    }
    if case .action = widget.source,
      (try? mayChange(name)) == true
        || (try? capabilities(of: name))?.isEmpty == false
    {
      mistakes.append(
        Diagnostic(
          "not-allowed", "a widget can only run what reads, and touches nothing outside",
          at: widget.span, help: "use an intent or a shortcut that only finds"))
    }
    return mistakes
  }

  /// The errors and warnings of an entity itself.
  package func findings(inEntity name: String) -> [Diagnostic] {
    findings { collector in
      _ = try compile(entity: name, collector)
      if !collector.hasErrors { _ = try schema(of: name) }
    }
  }

  /// The compiled steps of an intent or a shortcut.
  ///
  /// - Throws: `Diagnostics` with all of its errors.
  package func steps(of name: String) throws -> [CompiledStep] { try action(name).steps }

  /// A condition over an item, a share or a value in slot 0.
  ///
  /// - Throws: `Diagnostics`.
  func condition(
    _ source: ExpressionSource, over subject: ExpressionCompiler.Subject
  ) throws -> CompiledExpression {
    try expectSound { Self.condition(source, over: subject, context, $0) }
  }

  /// Compiles a condition over a value in slot 0; reports its errors and returns nil.
  static func condition(
    _ source: ExpressionSource, over subject: ExpressionCompiler.Subject,
    _ context: CompilationContext, _ collector: DiagnosticCollector
  ) -> CompiledExpression? {
    var scopes = Scopes()
    _ = scopes.makeSlot()
    return ExpressionCompiler(context, collector).compile(
      condition: source, scopes, subject: subject)
  }

  private func findings(_ body: (DiagnosticCollector) throws -> Void) -> [Diagnostic] {
    let collector = DiagnosticCollector()
    do {
      try body(collector)
      return collector.all
    } catch let error as Diagnostics {
      // Warnings in the rest of a malformed definition may be caused by its errors.
      return error.all
    } catch {
      let failure = error as? RunError
      return [Diagnostic(failure?.code.name ?? "internal", failure?.message ?? "\(error)")]
    }
  }

  /// Compiles a definition with all of its callees.
  private func checkGraph(
    from name: String, _ reached: inout Reached, into problems: inout DistinctDiagnostics
  ) throws {
    guard reached.actions.insert(name).inserted else { return }
    var pending = [name]
    while let name = pending.popLast() {
      do {
        let compiled = try action(name)
        problems.add(atomicMistakes(in: compiled))
        // A built-in definition continues without a job whose handler has errors.
        let skipsJobs = catalog.isBuiltIn(name) && !context.checksBuiltIns
        let called = skipsJobs ? compiled.callees : compiled.callees.union(compiled.enqueued)
        for callee in called.sorted()
        where reached.actions.insert(callee).inserted {
          if isWorthChecking(action: callee), !sound.contains(callee) { pending.append(callee) }
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

  /// Built-in definitions have no errors themselves, but may call user replacements.
  private func isWorthChecking(action name: String) -> Bool {
    !catalog.isBuiltIn(name) || catalog.replacesBuiltIns || context.checksBuiltIns
  }

  private func isWorthChecking(entity name: String) -> Bool {
    !catalog.isBuiltIn(name) || context.checksBuiltIns
  }

  /// A warning when every run of an intent or a shortcut runs it again.
  func recursion(in name: String) -> [Diagnostic] {
    guard let circle = circle(of: name), let start = try? action(name) else { return [] }
    return start.certainCalls.filter { self.circle(of: $0.name) == circle }.prefix(1).map { call in
      let way = call.name == name ? "runs itself" : "runs itself again by way of `\(call.name)`"
      return Diagnostic(
        "W206", "`\(name)` \(way), without end", at: call.span,
        help: "give the step a `when:` that becomes false", severity: .warning)
    }
  }

  /// The cycle of intents and shortcuts that a name belongs to by unconditional calls; nil for
  /// none. Tarjan's strongly connected components (“Depth-First Search and Linear Graph
  /// Algorithms”, 1972), iterative because call chains may be long.
  ///
  /// - Complexity: O(unconditional calls) for names reached for the first time, then O(1).
  package func circle(of name: String) -> Int? {
    refreshCallMemory()
    if callMemory.circles[name] == nil { findCircles(from: name) }
    return callMemory.circles[name] ?? nil
  }

  /// The state of a name in the depth-first search.
  private struct Visit {
    let name: String
    let callees: [String]
    var next = 0
    let index: Int
    var low: Int
  }

  private func findCircles(from start: String) {
    var indices: [String: Int] = [:]
    // Names whose component is not closed yet, in the order of discovery.
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
        // A closed component does not lead back here.
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
      for name in part { callMemory.circles[name] = .some(isCircle ? callMemory.circleCount : nil) }
    }
  }

  /// Whether an intent or a shortcut reaches a goal: the condition holds for it or for any of its
  /// callees.
  ///
  /// - Complexity: O(definitions reached for the first time).
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

  /// Clears the call memory when files were added.
  func refreshCallMemory() {
    if callMemory.fileCount != catalog.files.count {
      callMemory = CallMemory(fileCount: catalog.files.count)
    }
  }
}

/// Cached facts about the transitive calls of intents and shortcuts.
struct CallMemory {
  /// A property that is propagated along calls.
  enum Goal: Hashable {
    /// A step that shows or changes something.
    case noise
    /// A question that every run asks.
    case question
    /// A step that raises an error with this code.
    case code(String)
    /// A step that changes the store or the outside world.
    case change
  }

  /// The number of files when the facts were computed.
  let fileCount: Int
  /// The cycle of each visited name; nil when it is in none.
  var circles: [String: Int?] = [:]
  var circleCount = 0
  /// Whether each visited name reaches a goal.
  var comes: [Goal: [String: Bool]] = [:]
  /// The first violation for `atomic` in the steps of each visited name; nil for none.
  var obstacles: [String: NestedAtomicViolation?] = [:]
}

extension ActionDefinition {
  /// The entities of whose items a parameter takes one or a list.
  fileprivate var itemEntities: Set<String> {
    Set(
      allParameters.compactMap { parameter in
        var type = parameter.type.unwrapped
        if case .list(let element) = type { type = element.unwrapped }
        if case .entity(let name) = type { return name }
        return nil
      })
  }
}
