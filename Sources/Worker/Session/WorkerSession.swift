package import Catalog
package import Engine
import Program
package import Store

/// The definitions and the open store of a worker, until either of them changes.
package final class WorkerSession {
  package let catalog: DefinitionCatalog
  package let workspace: Workspace
  package let store: Database
  /// Makes a non-interactive run in a workspace.
  package let makeRun: (Workspace, RecordedCall?) -> Run

  /// Creates a session for a workspace and opens its store.
  package init(
    _ workspace: Workspace, makeRun: @escaping (Workspace, RecordedCall?) -> Run
  ) throws {
    self.workspace = workspace
    catalog = workspace.catalog
    store = try workspace.store()
    self.makeRun = makeRun
  }

  /// Makes a workspace with the definitions that a recorded run started with.
  func workspace(of record: RecordedRun) throws -> Workspace {
    let recorded = RecordedCatalog(
      ofRun: record.number, try store.runs.definitions(ofRun: record), in: catalog)
    let workspace = Workspace(
      catalog: recorded.catalog, world: self.workspace.world, verbs: self.workspace.context.verbs
    ) { [store] _ in store }
    workspace.foreignNames = recorded.foreignNames
    return workspace
  }
}
