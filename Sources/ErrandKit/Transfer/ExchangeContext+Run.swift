import CEL
import Catalog
package import Engine
package import Exchange
import Program

extension ExchangeContext {
  /// What a run knows and has.
  package init(_ session: Run) {
    let reader = DateReader(clock: session.host.clock)
    self.init(
      entityNames: { session.library.entityNames }, schema: session.workspace.schema(of:),
      store: session.store, preparedStore: session.store(for:),
      day: session.host.clock.day(at:), moment: reader.timestamp)
  }
}
