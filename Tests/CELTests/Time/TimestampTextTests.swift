import Testing

@testable import CEL

@Suite struct TimestampTextTests {
  @Test(
    arguments: [
      ("1970-01-01T00:00:00Z", 0, 0, "1970-01-01T00:00:00Z"),
      ("1969-12-31T23:59:59.5Z", -1, 500_000_000, "1969-12-31T23:59:59.5Z"),
      ("2026-11-20T14:00:00+01:00", 1_795_179_600, 0, "2026-11-20T13:00:00Z"),
      (
        "2024-02-29t23:59:59.123456789z", 1_709_251_199, 123_456_789,
        "2024-02-29T23:59:59.123456789Z"
      ),
      ("0001-01-01T00:00:00Z", -62_135_596_800, 0, "0001-01-01T00:00:00Z"),
      (
        "9999-12-31T23:59:59.999999999Z", 253_402_300_799, 999_999_999,
        "9999-12-31T23:59:59.999999999Z"
      ),
    ] as [(String, Int64, Int32, String)])
  func timestampsRoundTrip(
    _ text: String, _ seconds: Int64, _ nanoseconds: Int32, _ printed: String
  ) {
    let moment = Timestamp(rfc3339: text)
    #expect(moment == Timestamp(seconds: seconds, nanoseconds: nanoseconds))
    #expect(moment?.text == printed)
  }

  @Test(arguments: [
    "", "2026-11-20", "2026-11-20T14:00:00", "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z",
    "2026-11-20T24:00:00Z", "2026-11-20T23:59:60Z", "2026-11-20T14:00:00.Z",
    "2026-11-20 14:00:00Z", "2026-11-20T14:00:00Zx", "0000-01-01T00:00:00Z",
    "9999-12-31T23:59:59-01:00", "2026-11-20T14:00:00+24:00", "２０２６-11-20T14:00:00Z",
  ])
  func rejectsInvalidTimestamps(_ text: String) {
    #expect(Timestamp(rfc3339: text) == nil)
  }

  @Test(
    arguments: [
      ("90s", 90_000_000_000, "90s"), ("1h30m", 5_400_000_000_000, "5400s"),
      ("-1.5s", -1_500_000_000, "-1.5s"), ("250ms", 250_000_000, "0.25s"),
      ("1us", 1_000, "0.000001s"), ("1µs2ns", 1_002, "0.000001002s"), ("0", 0, "0s"),
      (".5h", 1_800_000_000_000, "1800s"), ("-0.1ns", 0, "0s"),
      ("-9223372036854775808ns", .min, "-9223372036.854775808s"),
    ] as [(String, Int64, String)])
  func durationsRoundTrip(_ text: String, _ nanoseconds: Int64, _ printed: String) {
    let duration = DurationValue(text: text)
    #expect(duration?.totalNanoseconds == nanoseconds)
    #expect(duration?.text == printed)
  }

  @Test(arguments: ["", "-", "s", "1", "1d", "1s1", "9223372037s", "1..5s", "1 s", "1e3s"])
  func rejectsInvalidDurations(_ text: String) {
    #expect(DurationValue(text: text) == nil)
  }

  @Test func daysAndDatesRoundTrip() {
    var previous = CivilDate(daysSinceEpoch: -800_001)
    for day in stride(from: -800_000, through: 3_000_000, by: 1_237) {
      let date = CivilDate(daysSinceEpoch: day)
      #expect(date.daysSinceEpoch == day)
      #expect(date > previous)
      previous = date
    }
    #expect(CivilDate(year: 2026, month: 11, day: 20)?.dayOfWeek == 5)
    #expect(CivilDate(year: 2024, month: 12, day: 31)?.dayOfYear == 366)
    #expect(CivilDate(year: 1900, month: 2, day: 29) == nil)
  }
}
