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
    ("d 'open", "single quote that is not closed"), ("J", "“J” is not a field"),
    ("ddd", "“ddd” is not a field"), ("d 'at' t", "“t” is not a field"),
    ("yyyyyyyyyy", "is not a field"),
  ])
  func mistakes(pattern: String, expected: String) throws {
    let error = try #require(throws: EvaluationError.self) { try DatePattern(pattern) }
    #expect(error.message.contains(expected), "\(error.message)")
  }

  // MARK: Parsing

  @Test(arguments: [
    ("5 Nov 2026", "d MMM yyyy", "2026-11-04T23:00:00Z"),
    ("05.11.26", "dd.MM.yy", "2026-11-04T23:00:00Z"),
    ("5.1.99", "d.M.yy", "1999-01-04T23:00:00Z"),
    ("20261105", "yyyyMMdd", "2026-11-04T23:00:00Z"),
    ("Thursday, 5 November 2026", "EEEE, d MMMM yyyy", "2026-11-04T23:00:00Z"),
    ("2026-11-05 00:07:09.012", "yyyy-MM-dd HH:mm:ss.SSS", "2026-11-04T23:07:09.012Z"),
    ("12:07 AM 5/11/2026", "h:mm a d/M/yyyy", "2026-11-04T23:07:00Z"),
    ("1 pm 5/7/2026", "h a d/M/yyyy", "2026-07-05T11:00:00Z"),
    ("2026-11-05T01:00-03:30", "yyyy-MM-dd'T'HH:mmXXX", "2026-11-05T04:30:00Z"),
    ("2026-11-05T01:00Z", "yyyy-MM-dd'T'HH:mmXXX", "2026-11-05T01:00:00Z"),
    ("2026-11-05 01 +0100", "yyyy-MM-dd HH Z", "2026-11-05T00:00:00Z"),
    ("5 March", "d MMMM", "2026-03-04T23:00:00Z"), ("14:30", "H:mm", "2026-11-04T13:30:00Z"),
    ("2027", "yyyy", "2026-12-31T23:00:00Z"), ("it's 5", "'it''s' d", "2026-11-04T23:00:00Z"),
  ])
  func aTextOfTheFormIsRead(text: String, pattern: String, expected: String) throws {
    let read = try DatePattern(pattern).moment(
      in: text, now: moment("2026-11-04T12:00:00Z"), clock: .berlin)
    #expect(read == moment(expected))
  }

  @Test(arguments: [
    ("5 Nov", "d MMM yyyy"), ("5 Nov 2026 x", "d MMM yyyy"), ("31.02.2026", "dd.MM.yyyy"),
    ("5.11.2026", "dd.MM.yyyy"), ("24:00", "HH:mm"), ("13 PM", "h a"), ("5 Nov 26", "d MMM yyyy"),
    ("", "d"), ("x", "EEE"), ("+25:00", "XXX"), ("45", "w"),
  ])
  func anotherFormIsRefused(text: String, pattern: String) throws {
    let pattern = try DatePattern(pattern)
    #expect(throws: EvaluationError.self) {
      try pattern.moment(
        in: text, now: moment("2026-11-04T12:00:00Z"), clock: .berlin)
    }
  }
}
