package import CEL
import Synchronization

/// The local clock: converts between timestamps and local times.
///
/// The rules of its time zone are read on first use, as most runs do not need them.
package final class LocalClock: Sendable {
  private let readZone: @Sendable () -> TimeZoneRules
  private let knownZone = Mutex<TimeZoneRules?>(nil)

  /// Whether the month precedes the day in `3/12` where the person lives; nil if that is not known.
  package let isMonthFirst: Bool?

  /// Creates a clock whose zone is read on first use.
  package init(
    isMonthFirst: Bool? = nil, _ zone: @escaping @Sendable () -> TimeZoneRules
  ) {
    self.isMonthFirst = isMonthFirst
    readZone = zone
  }

  /// A clock in UTC.
  package static let utc = LocalClock { .utc }

  /// The rules of the time zone.
  package var zone: TimeZoneRules {
    knownZone.withLock { known in
      if let known { return known }
      let zone = readZone()
      known = zone
      return zone
    }
  }

  /// Returns the local time at a timestamp.
  package func time(at moment: Timestamp) -> CivilTime { zone.civilTime(at: moment) }

  /// Returns the timestamp of a local time.
  ///
  /// A time that occurs twice, when clocks go back, is the first of the two; one that is skipped,
  /// when they go forward, is shifted by the jump.
  package func moment(of time: CivilTime) -> Timestamp { zone.timestamp(of: time) }

  /// Returns the moment with the same local time on another day.
  ///
  /// A time that the clocks skip there is as much later, and is remembered for the next day.
  package func sameTime(as moment: Timestamp, on day: Timestamp) -> Timestamp {
    let now = time(at: moment)
    var second = now.secondOfDay
    // Elsewhere the moment that was put off is one like any other.
    let meant = CivilTime(date: now.date, secondOfDay: max(0, second - moment.skipped))
    if moment.skipped > 0, self.moment(of: meant) == moment { second = meant.secondOfDay }
    let time = CivilTime(date: self.time(at: day).date, secondOfDay: second)
    let found = self.moment(of: time)
    let there = self.time(at: found)
    let jump = there.date == time.date ? there.secondOfDay - time.secondOfDay : 0
    return Timestamp(seconds: found.seconds, skipped: max(0, jump))
  }

  /// Returns the start of the day of a moment, which stands for that day.
  package func startOfDay(at moment: Timestamp) -> Timestamp { start(of: time(at: moment).date) }

  /// Returns the start of a day, which stands for that day.
  package func start(of date: CivilDate) -> Timestamp { moment(of: CivilTime(date: date)).asDay }
}
