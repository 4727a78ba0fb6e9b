import CEL
import Catalog
import Engine
import Exchange
import Program

extension ExchangeContext {
  /// What a run knows and has.
  init(_ session: Run) {
    let reader = DateReader(clock: session.host.clock)
    self.init(
      entityNames: { session.library.entityNames }, schema: session.workspace.schema(of:),
      store: session.store, preparedStore: session.store(for:),
      day: session.host.clock.day(at:), moment: reader.timestamp)
  }
}

extension ItemJSON {
  /// Writes days as on this clock.
  init(_ clock: LocalClock) {
    self.init(day: clock.day(at:))
  }
}

extension LocalClock {
  /// The day at a moment, as `YYYY-MM-DD`.
  fileprivate func day(at moment: Timestamp) -> String { time(at: moment).date.iso8601 }
}
