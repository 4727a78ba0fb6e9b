package import Catalog
import Program
package import Store

extension Workspace {
  /// A workspace with the verbs of the language.
  package convenience init(
    library: Library, host: Host, checksBuiltIns: Bool = false,
    findsDoubts: Bool = false,
    makeStore: @escaping (StoreContext) throws -> EntityStore
  ) {
    var world = FunctionContext(
      now: host.now, clock: host.clock, randomBytes: host.randomBytes,
      environment: host.environment)
    world.secrets = host.secrets
    world.isOnline = host.isOnline
    if let readSecret = host.readSecret { world.readSecret = readSecret }
    self.init(
      library: library, world: world,
      verbs: .errand, checksBuiltIns: checksBuiltIns, findsDoubts: findsDoubts,
      makeStore: makeStore)
  }
}
