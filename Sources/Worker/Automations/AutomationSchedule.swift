package import CEL
package import Items
package import Program

/// The times at which a trigger that goes by the clock or the sun sets an automation off.
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
  private let home: Coordinates?

  /// The schedule of an event; nil for one that no clock tells.
  ///
  /// - Parameter home: where the person is, for sunrise and sunset.
  package init?(_ event: CompiledTrigger.Event, _ clock: LocalClock, home: Coordinates? = nil) {
    switch event {
    case .every, .days, .cron: break
    case .created, .changed, .file, .share: return nil
    }
    self.event = event
    self.clock = clock
    self.home = home
  }

  /// Whether no time can be told, as the sun's needs a place.
  package var lacksPlace: Bool {
    if case .days(let schedule) = event { schedule.needsPlace && home == nil } else { false }
  }

  /// What to do where the place is not known.
  package static let placeHelp = "errand settings set location '52.52, 13.40'"

  /// What has come at a moment.
  ///
  /// However often a time was missed, it counts once.
  /// - Parameter last: the last time that counted; nil when it was never looked at before.
  package func look(at now: Timestamp, last: Timestamp?) -> Look {
    switch event {
    case .every(let interval): return look(every: interval, now, last)
    case .days, .cron: return lookAtTimes(now, last)
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

  private func lookAtTimes(_ now: Timestamp, _ given: Timestamp?) -> Look {
    var last = given ?? now
    if last.microseconds > now.microseconds + Self.disbelief { last = now }
    let due = latest(after: last, upTo: now)
    return Look(due: due, last: due ?? last, next: next(after: now) ?? .latest)
  }

  private func next(after moment: Timestamp) -> Timestamp? {
    switch event {
    case .days(let schedule): schedule.next(after: moment, in: clock.zone, home: home)
    case .cron(let pattern): pattern.next(after: moment, in: clock.zone)
    case .every, .created, .changed, .file, .share: nil
    }
  }

  /// Days of which the times are gone through one by one: few times lie in the last hour even where
  /// one comes every minute, and where none came in a month, few came at all.
  private static let spans: [Int64] = [3_600, 86_400, 32 * 86_400, 400 * 86_400, .max]

  /// The latest time after one moment and up to another.
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
