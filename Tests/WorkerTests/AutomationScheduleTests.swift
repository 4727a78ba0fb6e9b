import CEL
import Program
import Testing
import Worker

/// When automations run by the clock.
@Suite struct AutomationScheduleTests {
  private static let vienna = LocalClock { .named("Europe/Vienna") ?? .utc }
  private static let daily = CompiledTrigger.Event.at(second: 8 * 3_600, days: Set(0...6))

  private func time(_ text: String) throws -> Timestamp {
    try #require(Timestamp(rfc3339: text))
  }

  private func schedule(
    _ event: CompiledTrigger.Event, _ clock: LocalClock = vienna
  ) throws -> AutomationSchedule {
    try #require(AutomationSchedule(event, clock))
  }

  @Test func anIntervalBeginsAtOnceAndKeepsItsPace() throws {
    let schedule = try schedule(.every(3_600_000_000))
    let start = try time("2026-11-22T08:00:00Z")
    let first = schedule.look(at: start, last: nil)
    #expect(first.due == start)
    #expect(first.next == (try time("2026-11-22T09:00:00Z")))
    let early = schedule.look(at: try time("2026-11-22T08:59:59Z"), last: first.last)
    #expect(early.due == nil)
    let late = schedule.look(at: try time("2026-11-22T09:20:00Z"), last: first.last)
    #expect(late.due == (try time("2026-11-22T09:00:00Z")))
    #expect(late.next == (try time("2026-11-22T10:00:00Z")))
  }

  @Test func manyMissedTimesCountOnce() throws {
    let start = try time("2026-11-22T08:00:00Z")
    let look = try schedule(.every(60_000_000)).look(
      at: try time("2026-11-23T08:00:30Z"), last: start)
    #expect(look.due == (try time("2026-11-23T08:00:00Z")))
    let days = try schedule(Self.daily).look(at: try time("2026-11-25T12:00:00Z"), last: start)
    #expect(days.due == (try time("2026-11-25T07:00:00Z")))
    #expect(days.next == (try time("2026-11-26T07:00:00Z")))
  }

  @Test func aTimeOfDayBeforeTheFirstLookDoesNotCount() throws {
    let look = try schedule(Self.daily).look(at: try time("2026-11-22T12:00:00Z"), last: nil)
    #expect(look.due == nil)
    #expect(look.next == (try time("2026-11-23T07:00:00Z")))
  }

  @Test func daysOfTheWeekAreThoseOfTheZone() throws {
    // Monday in Vienna begins on Sunday in UTC.
    let schedule = try schedule(.at(second: 1_800, days: [1]))
    let look = schedule.look(at: try time("2026-11-22T12:00:00Z"), last: nil)
    #expect(look.next == (try time("2026-11-22T23:30:00Z")))
  }

  /// The clock goes forward from 2:00 to 3:00 on 29 March 2026, and back from 3:00 to 2:00 on
  /// 25 October.
  @Test(arguments: [
    ("2026-03-28T12:00:00Z", "2026-03-29T01:30:00Z"),
    ("2026-03-29T12:00:00Z", "2026-03-30T00:30:00Z"),
    ("2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"),
    ("2026-10-25T00:45:00Z", "2026-10-26T01:30:00Z"),
  ])
  func halfPastTwoComesOnceADayThroughBothChangesOfTheClock(now: String, next: String) throws {
    let schedule = try schedule(.at(second: 2 * 3_600 + 1_800, days: Set(0...6)))
    let look = schedule.look(at: try time(now), last: try time(now))
    #expect(look.due == nil)
    #expect(look.next == (try time(next)))
  }

  @Test func aClockThatIsSetBackRunsNothingTwice() throws {
    let schedule = try schedule(Self.daily)
    let ran = schedule.look(
      at: try time("2026-11-22T07:00:01Z"), last: try time("2026-11-21T07:00:00Z"))
    #expect(ran.due != nil)
    let back = schedule.look(at: try time("2026-11-22T06:30:00Z"), last: ran.last)
    #expect(back.due == nil)
    #expect(schedule.look(at: try time("2026-11-22T07:00:01Z"), last: back.last).due == nil)
  }

  @Test func aClockThatWasYearsAheadStopsNothing() throws {
    let schedule = try schedule(Self.daily)
    let wrong = try time("2031-01-01T07:00:00Z")
    let look = schedule.look(at: try time("2026-11-22T06:00:00Z"), last: wrong)
    #expect(look.due == nil)
    let next = schedule.look(at: try time("2026-11-22T07:00:00Z"), last: look.last)
    #expect(next.due == (try time("2026-11-22T07:00:00Z")))
    let interval = try self.schedule(.every(3_600_000_000))
    let now = try time("2026-11-22T06:00:00Z")
    #expect(interval.look(at: now, last: wrong).next == (try time("2026-11-22T07:00:00Z")))
  }
}
