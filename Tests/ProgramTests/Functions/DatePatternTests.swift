import CEL
import Testing

@testable import Program

@Suite struct DatePatternTests {
  @Test(arguments: [
    ("d MMM yyyy", "5 Nov 2026"), ("dd.MM.yy", "05.11.26"),
    ("EEEE, d MMMM", "Thursday, 5 November"),
    ("EEE EEEEE EEEEEE", "Thu T Th"), ("yyyy-MM-dd HH:mm:ss.SSS", "2026-11-05 00:07:09.012"),
    ("h:mm a", "12:07 AM"), ("K k H", "0 24 0"), ("S SS SSSSSS", "0 01 012345"),
    ("D DDD", "309 309"), ("w 'of' Y", "45 of 2026"), ("e c", "4 4"),
    ("Q QQQ QQQQ", "4 Q4 4th quarter"),
    ("G y", "AD 2026"), ("MMMMM L", "N 11"), ("X XX XXX", "+01 +0100 +01:00"),
    ("x xxx", "+01 +01:00"), ("Z ZZZZ ZZZZZ", "+0100 GMT+01:00 +01:00"),
    ("z O VV", "CET GMT+1 Europe/Berlin"),
    ("'it''s' d", "it's 5"), ("''d''", "'5'"), ("", ""), ("– 日 d", "– 日 5"), ("aaaaa", "a"),
  ])
  func fields(pattern: String, expected: String) throws {
    let moment = moment("2026-11-04T23:07:09.012345678Z")
    #expect(try DatePattern(pattern).text(of: moment, in: .berlin) == expected)
  }

  @Test(arguments: [
    (0, "XXX", "Z"), (0, "xxx", "+00:00"), (0, "z", "GMT"), (0, "ZZZZZ", "Z"),
    (-12_600, "XXX", "-03:30"), (-12_600, "X", "-0330"), (-12_600, "O", "GMT-3:30"),
    (-12_600, "OOOO", "GMT-03:30"),
  ])
  func distancesFromUTC(offset: Int, pattern: String, expected: String) throws {
    let zone = TimeZoneRules(offset: offset, name: "<x>")
    #expect(try DatePattern(pattern).text(of: moment("2026-11-04T23:07:09Z"), in: zone) == expected)
  }

  @Test(arguments: [
    ("13:05", "1 PM", "h a"), ("12:00", "12 PM", "h a"), ("00:00", "12 AM", "h a"),
    ("23:59", "11 11 23 23", "h K H k"),
  ])
  func hours(time: String, expected: String, pattern: String) throws {
    let moment = moment("2026-11-04T\(time):00Z")
    #expect(try DatePattern(pattern).text(of: moment, in: .utc) == expected)
  }

  @Test(arguments: [
    ("d 'open", "single quote that is not closed"), ("J", "“J” is no field"),
    ("ddd", "“ddd” is no field"), ("d 'at' t", "“t” is no field"),
    ("yyyyyyyyyy", "is no field"),
  ])
  func mistakes(pattern: String, expected: String) throws {
    let error = try #require(throws: DatePattern.Failure.self) { try DatePattern(pattern) }
    #expect(error.message.contains(expected), "\(error.message)")
  }
}
