import CEL
import Testing

@testable import Program

/// Now is Friday, 20 November 2026, 14:30 in Berlin.
@Suite struct DateReaderTests {
  private let reader = DateReader(now: moment("2026-11-20T13:30:00Z"), clock: .berlin)

  @Test(arguments: [
    ("now", "2026-11-20T13:30:00Z"), ("today", "2026-11-19T23:00:00Z"),
    (" Tomorrow ", "2026-11-20T23:00:00Z"), ("yesterday", "2026-11-18T23:00:00Z"),
    ("friday", "2026-11-26T23:00:00Z"), ("sat", "2026-11-20T23:00:00Z"),
    ("next monday", "2026-11-22T23:00:00Z"), ("last friday", "2026-11-12T23:00:00Z"),
    ("last thu", "2026-11-18T23:00:00Z"), ("+3d", "2026-11-23T13:30:00Z"),
    ("-2w", "2026-11-06T13:30:00Z"), ("+2h", "2026-11-20T15:30:00Z"),
    ("+90m", "2026-11-20T15:00:00Z"), ("-1h30m", "2026-11-20T12:00:00Z"),
    ("+1mo", "2026-12-20T13:30:00Z"), ("+1y", "2027-11-20T13:30:00Z"),
    ("+1d2h", "2026-11-21T15:30:00Z"), ("+3d 9:00", "2026-11-23T08:00:00Z"),
    ("2026-11-20", "2026-11-19T23:00:00Z"), ("2026-07-01", "2026-06-30T22:00:00Z"),
    ("2026-11-20 14:00", "2026-11-20T13:00:00Z"), ("2026-11-20T14:00", "2026-11-20T13:00:00Z"),
    ("2026-11-20 14:00:05.25", "2026-11-20T13:00:05.25Z"),
    ("2026-11-20T14:00:00Z", "2026-11-20T14:00:00Z"),
    ("2026-11-20t14:00:00+02:00", "2026-11-20T12:00:00Z"),
    ("tomorrow 9:00", "2026-11-21T08:00:00Z"), ("tomorrow at 9pm", "2026-11-21T20:00:00Z"),
    ("mon 12am", "2026-11-22T23:00:00Z"), ("mon 12:30 pm", "2026-11-23T11:30:00Z"),
    ("16:00", "2026-11-20T15:00:00Z"), ("9am", "2026-11-20T08:00:00Z"),
    ("at 9am", "2026-11-20T08:00:00Z"), ("dec 1 at 9am", "2026-12-01T08:00:00Z"),
    ("noon", "2026-11-20T11:00:00Z"), ("tomorrow noon", "2026-11-21T11:00:00Z"),
    ("fri at midnight", "2026-11-27T23:00:00Z"), ("today 24:00", "2026-11-20T23:00:00Z"),
  ])
  func moments(text: String, expected: String) {
    #expect(reader.timestamp(text)?.text == expected)
  }

  @Test(arguments: [
    ("today", "2026-11-20"), ("tomorrow", "2026-11-21"), ("fri", "2026-11-27"),
    ("+3d", "2026-11-23"), ("-2w", "2026-11-06"), ("+1mo", "2026-12-20"),
    ("dec 1", "2026-12-01"), ("1 Dec", "2026-12-01"), ("1 december 2027", "2027-12-01"),
    ("Dec 1, 2024", "2024-12-01"), ("jan 5", "2027-01-05"), ("20 nov", "2026-11-20"),
    ("feb 29", "2028-02-29"), ("next month", "2026-12-20"), ("next week", "2026-11-27"),
    ("last year", "2025-11-20"),
    ("2026-11-20", "2026-11-20"), ("2024-02-29", "2024-02-29"),
    ("@1763769600", "2025-11-22"), ("Sat Nov 22 01:00:00 2025 +0100", "2025-11-22"),
  ])
  func days(text: String, expected: String) {
    #expect(reader.date(text)?.description == expected)
  }

  @Test(arguments: [
    "", " ", "soon", "2026-11-31", "2026-13-01", "25:00", "14", "14:60", "13pm", "0am", "+", "+3",
    "+d", "+3x", "tomorrow noonish", "next", "this week", "dec", "dec 32", "2026-11-20 14:00 15:00",
    "+2h 9:00",
    "+9999999d", "20.11.2026", "2026-11-20T", "+999999y", "mo", "today today",
  ])
  func invalidTimestampsAreRejected(text: String) {
    #expect(reader.timestamp(text) == nil)
  }

  /// Without a reference time, a date needs its year.
  @Test func datesNeedAYearWithoutAReferenceTime() {
    let reader = DateReader(clock: .berlin)
    #expect(reader.date("dec 1") == nil)
    #expect(reader.date("1 Dec 2026")?.description == "2026-12-01")
  }

  @Test(arguments: [
    ("3d", "+3d"), ("2w", "+2w"), ("1/12/2026", "2026-12-01 or 2026-01-12"),
    ("25/12/2026", "2026-12-25"), ("1.12.2026", "2026-12-01"), ("3/3/2026", "2026-03-03"),
    ("soon", nil), ("1/2", "2027-02-01 or 2027-01-02"), ("13/13", nil), ("", nil),
  ])
  func suggestsTheIntendedDate(text: String, expected: String?) {
    #expect(reader.suggestion(for: text) == expected)
  }

  @Test(arguments: ["now", "14:00", "tomorrow 9:00", "+2h", "2026-11-20T14:00:00Z", "-99999y"])
  func datesMustNotHaveATime(text: String) {
    #expect(reader.date(text) == nil)
  }

  @Test(arguments: [
    ("90s", "90s"), ("1h30m", "5400s"), ("1h 30m", "5400s"), ("2d", "172800s"), ("1w", "604800s"),
    ("1.5h", "5400s"), ("500ms", "0.5s"), ("-1m", "-60s"), ("0", "0s"), ("2 days", "172800s"),
    ("1 hour 5 minutes", "3900s"), ("1 hour and 5 minutes", "3900s"),
    ("1 hour, 5 minutes", "3900s"), ("an hour", "3600s"), ("a day and 2 hours", "93600s"),
    ("0.5d", "43200s"), ("1D", "86400s"),
  ])
  func lengths(text: String, expected: String) {
    #expect(DurationReader.duration(text)?.text == expected)
  }

  @Test(arguments: ["", "-", "90", "1x", "h", "1..5h", "--1s", "1h-30m", "99999999999w", "1 2"])
  func invalidDurationsAreNil(text: String) {
    #expect(DurationReader.duration(text) == nil)
  }
}
