package import Catalog
package import Engine
import Program
package import Store

/// The definitions and the store that a worker works with, until one of them is another.
package final class WorkerSession {
  package let library: Library
  package let workspace: Workspace
  package let store: EntityStore
  /// Makes a run in a workspace, which asks nobody.
  package let makeRun: (Workspace, RecordedCall?) -> Run

  /// A session of a workspace with its store.
  package init(
    _ workspace: Workspace, makeRun: @escaping (Workspace, RecordedCall?) -> Run
  ) throws {
    self.workspace = workspace
    library = workspace.library
    store = try workspace.store()
    self.makeRun = makeRun
  }

  /// A workspace with the definitions that a recorded run began with.
  func workspace(of record: RecordedRun) throws -> Workspace {
    let recorded = RecordedLibrary(
      ofRun: record.number, try store.runs.definitions(ofRun: record), in: library)
    let workspace = Workspace(
      library: recorded.library, world: self.workspace.world, verbs: self.workspace.context.verbs
    ) { [store] _ in store }
    workspace.foreignNames = recorded.foreignNames
    return workspace
  }
}
