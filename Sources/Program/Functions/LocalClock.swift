package import CEL
import Synchronization

/// The clock on the user's wall: moments as days and times of day there, and back.
///
/// The rules of its zone are read when they are first needed, since most runs need none.
package final class LocalClock: Sendable {
  private let readZone: @Sendable () -> TimeZoneRules
  private let knownZone = Mutex<TimeZoneRules?>(nil)

  /// A clock in the zone that a function reads.
  package init(_ zone: @escaping @Sendable () -> TimeZoneRules) {
    readZone = zone
  }

  /// A clock that shows UTC.
  package static let utc = LocalClock { .utc }

  /// The rules of the clock's zone.
  package var zone: TimeZoneRules {
    knownZone.withLock { known in
      if let known { return known }
      let zone = readZone()
      known = zone
      return zone
    }
  }

  /// What the wall shows at a moment.
  package func time(at moment: Timestamp) -> CivilTime {
    zone.civilTime(at: moment)
  }

  /// The moment at which the wall shows a time.
  ///
  /// A time that the wall shows twice, when clocks go back, is the first of the two; one that it
  /// never shows, when they go forward, is as much later as they jump.
  package func moment(of time: CivilTime) -> Timestamp {
    zone.timestamp(of: time)
  }

  /// The first moment of a day.
  package func start(of date: CivilDate) -> Timestamp {
    moment(of: CivilTime(date: date))
  }
}
