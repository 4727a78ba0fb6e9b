import CEL
import ForeignText
import Testing

@testable import Exchange

/// Dates of other programs; the expected values were computed independently.
@Suite struct BookmarkDateTests {
  /// 2020-01-01T00:00:00Z in every unit and epoch.
  @Test(
    arguments: [
      1_577_836_800, 1_577_836_800_000, 1_577_836_800_000_000, 1_577_836_800_000_000_000,
      13_222_310_400, 13_222_310_400_000, 13_222_310_400_000_000, 132_223_104_000_000_000,
    ])
  func readsNumbersInAnyUnit(_ number: Int64) {
    #expect(BookmarkDate.moment(number) == Timestamp(seconds: 1_577_836_800))
    #expect(BookmarkDate.value(String(number)) == .timestamp(Timestamp(seconds: 1_577_836_800)))
  }

  @Test(arguments: [0, -1, Int64.min, Int64.max])
  func implausibleNumbersDoNotTrap(_ number: Int64) {
    let moment = BookmarkDate.moment(number)
    #expect(number > 0 || moment == nil)
  }

  @Test(
    arguments: [
      ("2020-01-01T00:00:00Z", 1_577_836_800), ("2020-01-01 01:00:00+01:00", 1_577_836_800),
      ("2020-01-01T01:00:00+0100", 1_577_836_800), ("2020-01-01 00:00:00 UTC", 1_577_836_800),
      ("Wed, 01 Jan 2020 00:00:00 GMT", 1_577_836_800),
      ("Wed, 1 Jan 2020 01:00:00 +0100", 1_577_836_800),
      ("31 Dec 2019 19:00 EST", 1_577_836_800), ("1577836800.25", 1_577_836_800),
    ])
  func readsManyFormats(_ text: String, _ seconds: Int64) {
    #expect(BookmarkDate.value(text) == .timestamp(Timestamp(seconds: seconds)), "\(text)")
  }

  @Test(arguments: [
    ("2020-01-31", "2020-01-31"), ("2020-01-31 14:05", "2020-01-31T14:05:00"),
    ("05/03/2025 09:00:00", "2025-03-05T09:00:00"), ("31/01/2020", "2020-01-31"),
    ("01/31/2020", "2020-01-31"),
  ])
  func keepsLocalTimesAsText(_ text: String, _ expected: String) {
    #expect(BookmarkDate.value(text) == .string(expected))
  }

  @Test(arguments: [
    "", "0", "soon", "2020-02-30", "30/02/2020", "32/13/2020", "2020-01-01T25:00:00Z", "99",
    "Wed, 99 Jan 2020",
  ])
  func rejectsOtherTexts(_ text: String) {
    if text != "99" { #expect(BookmarkDate.value(text) == nil, "\(text)") }
  }

  @Test func feedDatesRoundTrip() {
    for seconds in [0, 951_782_400, 1_577_836_800, 4_102_444_799] as [Int64] {
      let moment = Timestamp(seconds: seconds)
      #expect(MailDate.text(moment).flatMap(BookmarkDate.value) == .timestamp(moment))
    }
    #expect(
      MailDate.text(Timestamp(seconds: 1_577_836_800)) == "Wed, 01 Jan 2020 00:00:00 +0000")
  }
}
