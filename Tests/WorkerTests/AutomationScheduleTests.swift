import CEL
import Catalog
import Engine
import Items
import Program
import Source
import Store
import Testing
import Worker

/// Automations triggered by the clock.
@Suite struct AutomationScheduleTests {
  private static let vienna = LocalClock { .named("Europe/Vienna") ?? .utc }
  private static let daily = clock(8 * 3_600)

  /// A time of day on given days of the week.
  private static func clock(
    _ second: Int, _ days: Set<Int> = Set(0...6)
  ) -> CompiledTrigger.Event {
    .days(DaySchedule(Recurrence(weekdays: days), at: .clock(second)))
  }

  private func time(_ text: String) throws -> Timestamp {
    try #require(Timestamp(rfc3339: text))
  }

  private func schedule(
    _ event: CompiledTrigger.Event, _ clock: LocalClock = vienna
  ) throws -> AutomationSchedule {
    try #require(AutomationSchedule(event, clock))
  }

  @Test func intervalStartsAtOnceAndKeepsItsPhase() throws {
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

  @Test func missedTimesRunOnce() throws {
    let start = try time("2026-11-22T08:00:00Z")
    let look = try schedule(.every(60_000_000)).look(
      at: try time("2026-11-23T08:00:30Z"), last: start)
    #expect(look.due == (try time("2026-11-23T08:00:00Z")))
    let days = try schedule(Self.daily).look(at: try time("2026-11-25T12:00:00Z"), last: start)
    #expect(days.due == (try time("2026-11-25T07:00:00Z")))
    #expect(days.next == (try time("2026-11-26T07:00:00Z")))
  }

  @Test func timesBeforeTheFirstCheckDoNotCount() throws {
    let look = try schedule(Self.daily).look(at: try time("2026-11-22T12:00:00Z"), last: nil)
    #expect(look.due == nil)
    #expect(look.next == (try time("2026-11-23T07:00:00Z")))
  }

  @Test func weekdaysFollowTheTimeZone() throws {
    // Monday in Vienna begins on Sunday in UTC.
    let schedule = try schedule(Self.clock(1_800, [1]))
    let look = schedule.look(at: try time("2026-11-22T12:00:00Z"), last: nil)
    #expect(look.next == (try time("2026-11-22T23:30:00Z")))
  }

  /// Clocks go forward from 2:00 to 3:00 on 29 March 2026, and back from 3:00 to 2:00 on 25
  /// October.
  @Test(arguments: [
    ("2026-03-28T12:00:00Z", "2026-03-29T01:30:00Z"),
    ("2026-03-29T12:00:00Z", "2026-03-30T00:30:00Z"),
    ("2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"),
    ("2026-10-25T00:45:00Z", "2026-10-26T01:30:00Z"),
  ])
  func halfPastTwoRunsOnceADayAcrossClockChanges(now: String, next: String) throws {
    let schedule = try schedule(Self.clock(2 * 3_600 + 1_800))
    let look = schedule.look(at: try time(now), last: try time(now))
    #expect(look.due == nil)
    #expect(look.next == (try time(next)))
  }

  @Test func clockSetBackRunsNothingTwice() throws {
    let schedule = try schedule(Self.daily)
    let ran = schedule.look(
      at: try time("2026-11-22T07:00:01Z"), last: try time("2026-11-21T07:00:00Z"))
    #expect(ran.due != nil)
    let back = schedule.look(at: try time("2026-11-22T06:30:00Z"), last: ran.last)
    #expect(back.due == nil)
    #expect(schedule.look(at: try time("2026-11-22T07:00:01Z"), last: back.last).due == nil)
  }

  @Test func clockYearsAheadStopsNothing() throws {
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

  /// The event of a trigger written as in a definition.
  private func event(_ entry: String) throws -> CompiledTrigger.Event {
    let catalog = DefinitionCatalog()
    catalog.add(
      SourceFile(name: "t.yaml", text: "automation: t\non: [\(entry)]\nsteps: [{log: x}]\n"),
      to: .file)
    let host = SimulatedWorld(.latest).host("Europe/Vienna")
    let workspace = Workspace(catalog: catalog, host: host) {
      try Database(at: StoreLocation(path: ":memory:"), context: $0)
    }
    return try #require(try workspace.automation("t").triggers.first).event
  }

  /// 20 November 2026 is a Friday; clocks go back on 25 October, and forward on 28 March 2027.
  static let entries: [(String, [String])] = [
    ("{every: {days: 3, at: '09:00', from: 2026-11-21}}", ["11-21 09:00", "11-24 09:00"]),
    ("{every: 3 days, at: 9am, from: 2026-11-18}", ["11-21 09:00", "11-24 09:00"]),
    ("{every: day, at: '02:30'}", ["11-21 02:30", "11-22 02:30"]),
    ("{every: day}", ["11-21 00:00", "11-22 00:00"]),
    ("{every: monday, at: '08:00'}", ["11-23 08:00", "11-30 08:00"]),
    ("{every: week}", ["11-23 00:00", "11-30 00:00"]),
    ("{every: week, on: [tue, fri], at: '13:00'}", ["11-20 13:00", "11-24 13:00"]),
    ("{every: {weeks: 2, on: mon, at: '8:00', from: 2026-11-20}}", ["11-30 08:00", "12-14 08:00"]),
    ("{every: month, at: '9:00'}", ["12-01 09:00", "01-01 09:00"]),
    ("{every: month, on: 31, at: '9:00'}", ["11-30 09:00", "12-31 09:00"]),
    ("{every: {months: 3, on: last, from: 2026-02-01}}", ["11-30 00:00", "02-28 00:00"]),
    ("{every: 1mo, on: [1, 15]}", ["12-01 00:00", "12-15 00:00"]),
    ("{every: year, from: 2020-12-24, at: '18:00'}", ["12-24 18:00", "12-24 18:00"]),
    ("{cron: '0 9 * * 1-5'}", ["11-23 09:00", "11-24 09:00"]),
    ("{at: '9pm', days: [weekend]}", ["11-21 21:00", "11-22 21:00"]),
  ]

  @Test(arguments: entries) func nextTimes(_ entry: String, _ times: [String]) throws {
    let schedule = try schedule(event(entry))
    var look = schedule.look(at: try time("2026-11-20T12:00:00+01:00"), last: nil)
    #expect(look.due == nil)
    for wanted in times {
      let next = look.next
      let wall = Self.vienna.time(at: next)
      let padded = [wall.date.month, wall.date.day, wall.hour, wall.minute].map {
        $0 < 10 ? "0\($0)" : "\($0)"
      }
      #expect("\(padded[0])-\(padded[1]) \(padded[2]):\(padded[3])" == wanted)
      // It is due once, and not a moment earlier.
      let early = Timestamp(microseconds: next.microseconds - 1)
      #expect(schedule.look(at: early, last: look.last).due == nil)
      look = schedule.look(at: next, last: look.last)
      #expect(look.due == next)
      #expect(schedule.look(at: next, last: look.last).due == nil)
    }
  }

  @Test func dayIntervalsDoNotDependOnWorkerStart() throws {
    let schedule = try schedule(event("{every: {days: 3, at: '09:00'}}"))
    let start = try time("2026-10-01T00:00:00Z")
    let nexts = Set(
      (0..<72).map { hour in
        schedule.look(at: Timestamp(seconds: start.seconds + hour * 3_600), last: nil).next
      })
    #expect(nexts.count == 2)
    let gaps = zip(nexts.sorted(), nexts.sorted().dropFirst()).map { $1.seconds - $0.seconds }
    #expect(gaps == [3 * 86_400])
  }

  @Test func yearOfMissedTimesRunsOnce() throws {
    for (entry, due) in [
      ("{every: {days: 3, at: '09:00', from: 2026-11-21}}", "2026-11-21T08:00:00Z"),
      ("{cron: '* * * * *'}", "2026-11-22T10:30:00Z"),
      ("{cron: '0 12 29 2 *'}", "2024-02-29T11:00:00Z"),
      ("{every: month, on: 31}", "2026-10-30T23:00:00Z"),
    ] {
      let schedule = try schedule(event(entry))
      let now = try time("2026-11-22T10:30:30Z")
      let look = schedule.look(at: now, last: try time("2023-11-22T10:00:00Z"))
      #expect(look.due == (try time(due)), "\(entry)")
      #expect(schedule.look(at: now, last: look.last).due == nil)
    }
  }

  @Test func sunTimesNeedALocation() throws {
    let event = try event("{at: sunrise}")
    #expect(try schedule(event).lack != nil)
    let home = try #require(
      AutomationSchedule(event, Self.vienna, home: Coordinates("48.21, 16.37")))
    #expect(home.lack == nil)
    #expect(home.look(at: try time("2026-11-20T12:00:00Z"), last: nil).next != .latest)
  }
}
