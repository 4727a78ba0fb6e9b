package import CEL
package import Program

/// When an automation runs by the clock: again and again, or at a time of day.
package struct AutomationSchedule {
  /// A time that counts, and the next one after it.
  package struct Look: Equatable {
    /// The time that has come and was not counted yet; nil when there is none.
    package let due: Timestamp?
    /// What to remember as the last time that counted.
    package let last: Timestamp
    /// When to look again.
    package let next: Timestamp
  }

  /// A last time that is further ahead than this was told by a clock that was wrong, in microseconds.
  private static let disbelief: Int64 = 2 * 86_400_000_000

  private let event: CompiledTrigger.Event
  private let clock: LocalClock

  /// The schedule of an event; nil for one that no clock tells.
  package init?(_ event: CompiledTrigger.Event, _ clock: LocalClock) {
    switch event {
    case .every, .at: break
    case .created, .changed, .file, .share: return nil
    }
    self.event = event
    self.clock = clock
  }

  /// What has come at a moment.
  ///
  /// However often a time was missed, it counts once.
  /// - Parameter last: the last time that counted; nil when it was never looked at before.
  package func look(at now: Timestamp, last: Timestamp?) -> Look {
    switch event {
    case .every(let interval): return look(every: interval, now, last)
    case .at(let second, let days): return look(at: second, days, now, last)
    case .created, .changed, .file, .share: return Look(due: nil, last: now, next: .latest)
    }
  }

  private func look(every interval: Int64, _ now: Timestamp, _ last: Timestamp?) -> Look {
    let now = now.microseconds
    // The first time is at once; a clock that was set back makes nothing wait longer.
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

  private func look(
    at second: Int, _ days: Set<Int>, _ now: Timestamp, _ given: Timestamp?
  ) -> Look {
    var last = given ?? now
    if last.microseconds > now.microseconds + Self.disbelief { last = now }
    let today = clock.time(at: now).date.daysSinceEpoch
    var latest: Timestamp?
    var next: Timestamp?
    // A week back and a week ahead have every day of the week, whatever the clock shows there.
    for day in (today - 8)...(today + 9) {
      let date = CivilDate(daysSinceEpoch: day)
      guard days.contains(date.dayOfWeek) else { continue }
      let moment = clock.moment(of: CivilTime(date: date, secondOfDay: second))
      if moment <= now { latest = moment } else if next == nil { next = moment }
    }
    let due = latest.flatMap { $0 > last ? $0 : nil }
    return Look(due: due, last: due ?? last, next: next ?? .latest)
  }
}
