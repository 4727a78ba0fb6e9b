import CEL
import Catalog
package import Engine
package import Exchange
import Program

extension ExchangeContext {
  /// Creates the context of a run.
  package init(_ run: Run) {
    let reader = DateReader(clock: run.host.clock)
    self.init(
      entityNames: { run.catalog.entityNames }, schema: run.workspace.schema(of:),
      store: run.store, preparedStore: run.store(for:),
      day: run.host.clock.day(at:), moment: reader.timestamp,
      zone: { run.host.clock.zone }, holidays: run.workspace.world.holidays,
      keepFile: { _ = try run.keep($0, at: $1) })
  }
}
