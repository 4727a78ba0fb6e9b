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
}
