import CEL
import Items
import Program
import Testing

@testable import ErrandKit

/// Holidays from calendars.
@Suite struct HolidaySourceTests {
  private static let calendar = """
    BEGIN:VCALENDAR
    BEGIN:VEVENT
    SUMMARY:Christmas
    DTSTART;VALUE=DATE:20201225
    DTEND;VALUE=DATE:20201227
    RRULE:FREQ=YEARLY
    END:VEVENT
    BEGIN:VEVENT
    SUMMARY:Thanksgiving
    DTSTART;VALUE=DATE:20241128
    RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=4TH
    END:VEVENT
    BEGIN:VEVENT
    SUMMARY:Gone
    DTSTART;VALUE=DATE:20200504
    RRULE:FREQ=YEARLY;UNTIL=20220504
    END:VEVENT
    BEGIN:VEVENT
    SUMMARY:Dentist
    DTSTART:20260601T100000Z
    DTEND:20260601T103000Z
    END:VEVENT
    BEGIN:VEVENT
    SUMMARY:Good Friday
    DTSTART;VALUE=DATE:20270326
    END:VEVENT
    END:VCALENDAR
    """

  @Test(arguments: [
    ("2026-12-25", true), ("2026-12-26", true), ("2026-12-27", false), ("2027-03-26", true),
    ("2028-03-26", false), ("2019-12-25", false), ("2026-11-26", true), ("2022-05-04", true),
    ("2026-05-04", false), ("2026-06-01", false),
  ])
  func wholeDaysOfACalendarAreHolidays(_ day: String, _ isHoliday: Bool) throws {
    let days = try #require(HolidaySource.calendar(Self.calendar, .utc))
    #expect(days.contains(try #require(CivilDate(iso8601: day))) == isHoliday)
  }

  @Test func anotherTextIsNoCalendar() {
    #expect(HolidaySource.calendar("2026-12-25\n", .utc) == nil)
  }

  @Test func missingFileIsAProblem() {
    #expect(HolidaySource.problem(with: "2026-12-25", { _ in nil }) == nil)
    let problem = HolidaySource.problem(with: "~/none.ics", { _ in "/nowhere" })
    #expect(problem == "/nowhere/none.ics: no such file or directory")
  }
}
