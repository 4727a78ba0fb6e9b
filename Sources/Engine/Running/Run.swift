import CEL
package import Catalog
package import Items
import Program
package import Store

/// One run of what a person or a program asked for: who hears it, who answers, what it may use.
///
/// Used from one thread.
package final class Run {
  package let workspace: Workspace
  package let host: Host
  package let front: any Front
  package let answers: Answers
  /// What the change log names as the cause of changes: the intent or the command asked for.
  package var cause: String
  /// Hears of each query before it is made, such as to explain it.
  package var queryObserver: ((Query) throws -> Void)?
  /// What the run may still use.
  var budget: Budget

  /// A run in a workspace; nothing is done before something is asked of it.
  package init(
    _ workspace: Workspace, host: Host, front: any Front, answers: Answers = Answers(),
    cause: String = "", limits: RunLimits = RunLimits()
  ) {
    self.workspace = workspace
    self.host = host
    self.front = front
    self.answers = answers
    self.cause = cause
    budget = Budget(limits)
  }

  /// The definitions in reach.
  package var library: Library { workspace.library }

  /// Makes text of values.
  package var renderer: Renderer { Renderer(workspace, clock: host.clock) }

  /// Gets answers from those given ahead of time, then from the person.
  var asker: Asker { Asker(front, answers) }

  /// Takes values over a boundary; a text that stands for an item is looked up.
  var converter: Converter {
    Converter(now: host.now, clock: host.clock) { [unowned self] text, entity, name, keys in
      try ItemResolver(self, keys: keys).item(text, of: entity, named: name)
    }
  }

  /// The store, which names the cause of this run for what is changed.
  ///
  /// - Throws: `RunError` with the code `store` or `io`.
  package func store() throws -> EntityStore {
    let store = try workspace.store()
    store.cause = cause
    return store
  }

  /// The store with the table of an entity ready.
  package func store(for entity: String) throws -> EntityStore {
    let store = try workspace.store(for: entity)
    store.cause = cause
    return store
  }

  /// What is done between two steps: the budget, and faults of the store that the last one met.
  func checkpoint() throws {
    try budget.spend(1)
    try workspace.throwStoreFault()
  }
}
