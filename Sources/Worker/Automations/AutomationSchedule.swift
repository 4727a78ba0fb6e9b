package import CEL
package import Items
import POSIX
package import Program

/// The schedule of a trigger that depends on the clock or the sun.
package struct AutomationSchedule {
  /// The result of a check.
  package struct Look: Equatable {
    /// The time that is due; nil if there is none.
    package let due: Timestamp?
    /// The last due time, to be remembered.
    package let last: Timestamp
    /// The time of the next check.
    package let next: Timestamp
  }

  /// A last time further in the future than this came from a wrong clock.
  private static let maxClockError = Duration.seconds(2 * 86_400)

  private let event: CompiledTrigger.Event
  private let clock: LocalClock
  private let home: Coordinates?
  private let holidays: Holidays?

  /// Creates the schedule of an event; nil if it does not depend on time.
  ///
  /// - Parameters:
  ///   - home: The person's location, for sunrise and sunset.
  ///   - holidays: The person's holidays.
  package init?(
    _ event: CompiledTrigger.Event, _ clock: LocalClock, home: Coordinates? = nil,
    holidays: Holidays? = nil
  ) {
    switch event {
    case .every, .days, .cron: break
    case .created, .changed, .due, .file, .share, .machine, .webhook: return nil
    }
    self.event = event
    self.clock = clock
    self.home = home
    self.holidays = holidays
  }

  /// The setting that the schedule requires and that is not set, and how to set it; nil if there is
  /// none.
  package var lack: String? {
    guard case .days(let schedule) = event else { return nil }
    if schedule.needsPlace, home == nil {
      return "a location: errand settings set location '52.52, 13.40'"
    }
    return schedule.needsHolidays && holidays == nil ? "holidays: \(Holidays.help)" : nil
  }

  /// Checks which time is due.
  ///
  /// However many times were missed, one is due.
  ///
  /// - Parameter last: The last due time; nil at the first check.
  package func look(at now: Timestamp, last: Timestamp?) -> Look {
    switch event {
    case .every(let interval): return look(every: interval, now, last)
    case .days, .cron: return lookAtTimes(now, last)
    default: return Look(due: nil, last: now, next: .latest)
    }
  }

  /// The name of a due time that is the same on all machines.
  package func occasion(of due: Timestamp) -> String {
    // Each machine counts its intervals from a different time.
    if case .every(let interval) = event { return "\(due.microseconds / interval)" }
    return "\(due.microseconds)"
  }

  private func look(every interval: Int64, _ now: Timestamp, _ last: Timestamp?) -> Look {
    let now = now.microseconds
    // The first run is immediate; setting the clock back does not delay later ones.
    guard let last = last?.microseconds, last <= now else {
      let isFirst = last == nil
      return Look(
        due: isFirst ? Timestamp(microseconds: now) : nil, last: Timestamp(microseconds: now),
        next: Timestamp(microseconds: now + interval))
    }
    let latest = last + (now - last) / interval * interval
    return Look(
      due: latest > last ? Timestamp(microseconds: latest) : nil,
      last: Timestamp(microseconds: latest), next: Timestamp(microseconds: latest + interval))
  }

  private func lookAtTimes(_ now: Timestamp, _ given: Timestamp?) -> Look {
    var last = given ?? now
    if last.microseconds > now.microseconds + Self.maxClockError.microseconds { last = now }
    let due = latest(after: last, upTo: now)
    return Look(due: due, last: due ?? last, next: next(after: now) ?? .latest)
  }

  /// The first due time after a moment; nil if there is none.
  ///
  /// - Parameter last: The last due time, from which intervals are counted.
  package func next(after moment: Timestamp, last: Timestamp?) -> Timestamp? {
    guard case .every(let interval) = event else { return next(after: moment) }
    let steps = last.map { (moment.microseconds - $0.microseconds) / interval + 1 } ?? 0
    return Timestamp(microseconds: (last ?? moment).microseconds + steps * interval)
  }

  private func next(after moment: Timestamp) -> Timestamp? {
    switch event {
    case .days(let schedule):
      schedule.next(after: moment, in: clock.zone, home: home, holidays ?? .none)
    case .cron(let pattern): pattern.next(after: moment, in: clock.zone)
    default: nil
    }
  }

  /// Periods to search, from short to long: the last hour contains few times even with one a
  /// minute, and a schedule without any in the last month has few at all.
  private static let spans: [Int64] = [3_600, 86_400, 32 * 86_400, 400 * 86_400, .max]

  /// The latest time in an interval, excluding its start.
  private func latest(after last: Timestamp, upTo now: Timestamp) -> Timestamp? {
    for span in Self.spans {
      let start = span == .max ? last : max(last, Timestamp(seconds: now.seconds - span))
      var from = start
      while let time = next(after: from), time <= now { from = time }
      if from > start { return from }
      if start == last { return nil }
    }
    return nil
  }
}
