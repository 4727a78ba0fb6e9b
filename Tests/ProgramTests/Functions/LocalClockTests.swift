import CEL
import Testing

@testable import Program

@Suite struct LocalClockTests {
  @Test(arguments: [
    ("2026-01-15", 12, 0, "2026-01-15T11:00:00Z"), ("2026-07-15", 12, 0, "2026-07-15T10:00:00Z"),
    // Clocks go from 02:00 to 03:00: 02:30 does not exist and counts as 03:30.
    ("2026-03-29", 1, 59, "2026-03-29T00:59:00Z"), ("2026-03-29", 2, 30, "2026-03-29T01:30:00Z"),
    ("2026-03-29", 3, 0, "2026-03-29T01:00:00Z"),
    // Clocks go from 03:00 to 02:00: 02:30 occurs twice, and the first one counts.
    ("2026-10-25", 2, 30, "2026-10-25T00:30:00Z"), ("2026-10-25", 3, 0, "2026-10-25T02:00:00Z"),
  ])
  func timesOnTheWall(day: String, hour: Int, minute: Int, expected: String) throws {
    let date = try #require(CivilDate(iso8601: day))
    let time = try #require(CivilTime(date, hour: hour, minute: minute))
    #expect(LocalClock.berlin.moment(of: time).text == expected)
  }

  @Test func localTimesRoundTrip() {
    for step in 0..<(365 * 24 * 2) {
      let moment = Timestamp(seconds: 1_767_225_600 + Int64(step) * 1_800)
      let time = LocalClock.berlin.time(at: moment)
      let again = LocalClock.berlin.moment(of: time)
      #expect(LocalClock.berlin.time(at: again) == time)
      #expect(again == moment || again.seconds == moment.seconds - 3_600)
    }
  }

  @Test(arguments: [
    (CalendarUnit.second, "2026-11-20T14:35:50"), (.minute, "2026-11-20T14:35:00"),
    (.hour, "2026-11-20T14:00:00"), (.day, "2026-11-20T00:00:00"),
    (.week, "2026-11-16T00:00:00"), (.month, "2026-11-01T00:00:00"),
    (.quarter, "2026-10-01T00:00:00"), (.year, "2026-01-01T00:00:00"),
  ])
  func unitsBegin(unit: CalendarUnit, expected: String) throws {
    let time = CivilTime(moment("2026-11-20T14:35:50.123456Z"))
    #expect(unit.start(of: time).timestamp().text == expected + "Z")
    #expect(unit.start(of: unit.start(of: time)) == unit.start(of: time))
  }

  @Test(arguments: [
    ("2026-01-31", 0, 1, "2026-02-28"), ("2024-01-31", 0, 1, "2024-02-29"),
    ("2026-01-31", 1, 1, "2026-03-01"), ("2026-03-31", 0, -1, "2026-02-28"),
    ("2026-01-15", 0, -1, "2025-12-15"), ("2026-01-15", 0, 12, "2027-01-15"),
    ("2026-12-31", 1, 0, "2027-01-01"), ("2024-02-29", 0, -48, "2020-02-29"),
  ])
  func calculation(start: String, days: Int, months: Int, expected: String) throws {
    let date = try #require(CivilDate(iso8601: start))
    #expect(date.adding(days: days, months: months).description == expected)
  }

  @Test(arguments: [
    ("2026-01-01", 2026, 1), ("2025-12-29", 2026, 1), ("2027-01-03", 2026, 53),
    ("2024-12-30", 2025, 1), ("2021-01-03", 2020, 53), ("2026-11-20", 2026, 47),
  ])
  func weeksOfISO8601(day: String, year: Int, week: Int) throws {
    let found = try #require(CivilDate(iso8601: day)).isoWeek
    #expect(found.year == year)
    #expect(found.week == week)
  }
}
