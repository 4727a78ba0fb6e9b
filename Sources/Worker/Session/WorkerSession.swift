package import Catalog
package import Engine
import Source
package import Store
import YAML

/// The definitions and the store that a worker works with, until one of them is another.
package final class WorkerSession {
  package let library: Library
  package let workspace: Workspace
  package let store: EntityStore
  /// Makes a run in a workspace, which asks nobody.
  package let makeRun: (Workspace, RecordedCall?) -> Run
  private let makeWorkspace: (Library, EntityStore) -> Workspace

  /// A session of a workspace with its store.
  ///
  /// - Parameter makeWorkspace: makes a workspace of other definitions with the same store.
  package init(
    _ workspace: Workspace, makeRun: @escaping (Workspace, RecordedCall?) -> Run,
    makeWorkspace: @escaping (Library, EntityStore) -> Workspace
  ) throws {
    self.workspace = workspace
    library = workspace.library
    store = try workspace.store()
    self.makeRun = makeRun
    self.makeWorkspace = makeWorkspace
  }

  /// A workspace with the definitions that a recorded run began with.
  func workspace(of record: RecordedRun) throws -> Workspace {
    let recorded = Library()
    for name in library.entityNames where library.layer(ofEntity: name) != .builtIn {
      if let text = library.source(of: name) {
        recorded.add(SourceFile(name: "\(name) (now)", text: text), to: .user)
      }
    }
    var foreign: Set<String> = []
    for (index, text) in try store.definitions(ofRun: record).enumerated() {
      let file = SourceFile(name: "run \(record.number), definition \(index + 1)", text: text)
      for definition in recorded.add(file, to: .user) {
        switch library.place(ofAction: definition.name)?.layer {
        case .builtIn?, .user?, nil: break
        case .project?, .catalog?, .file?: foreign.insert(definition.name)
        }
      }
    }
    let workspace = makeWorkspace(recorded, store)
    workspace.foreignNames = foreign
    return workspace
  }
}
