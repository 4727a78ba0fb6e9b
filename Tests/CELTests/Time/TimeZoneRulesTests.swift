import Testing

@testable import CEL

@Suite(.enabled(if: TimeZoneRules.named("Europe/Berlin") != nil, "there is no zone database"))
struct TimeZoneRulesTests {
  @Test(arguments: [
    ("Europe/Berlin", "2026-01-15T12:00:00Z", 3_600, "CET"),
    ("Europe/Berlin", "2026-07-15T12:00:00Z", 7_200, "CEST"),
    ("Europe/Berlin", "2026-03-29T00:59:59Z", 3_600, "CET"),
    ("Europe/Berlin", "2026-03-29T01:00:00Z", 7_200, "CEST"),
    ("Europe/Berlin", "2026-10-25T00:59:59Z", 7_200, "CEST"),
    ("Europe/Berlin", "2026-10-25T01:00:00Z", 3_600, "CET"),
    ("Europe/Berlin", "2093-07-15T12:00:00Z", 7_200, "CEST"),
    ("Europe/Berlin", "2093-12-31T23:30:00Z", 3_600, "CET"),
    ("Australia/Sydney", "2150-01-01T00:00:00Z", 39_600, "AEDT"),
    ("Australia/Sydney", "2150-07-01T00:00:00Z", 36_000, "AEST"),
    ("Asia/Kolkata", "2026-05-01T00:00:00Z", 19_800, "IST"),
    ("America/New_York", "1970-01-01T00:00:00Z", -18_000, "EST"),
    ("Europe/Dublin", "2060-01-15T12:00:00Z", 0, "GMT"),
    ("Europe/Dublin", "2060-07-15T12:00:00Z", 3_600, "IST"),
  ])
  func hasTheExpectedOffset(_ zone: String, _ moment: String, _ offset: Int, _ name: String) throws
  {
    let rules = try #require(TimeZoneRules.named(zone))
    let at = try #require(Timestamp(rfc3339: moment))
    #expect(rules.offset(at: at) == offset)
    #expect(rules.period(at: at.seconds).abbreviation == name)
  }

  @Test(arguments: [2026, 2093])
  func localTimesRoundTrip(_ year: Int) throws {
    for name in ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia", "UTC", "-09:30"] {
      let rules = try #require(TimeZoneRules.named(name))
      let start = try #require(CivilDate(year: year, month: 1, day: 1)).daysSinceEpoch
      for step in 0..<366 * 8 {
        let moment = Timestamp(seconds: Int64(start) * 86_400 + Int64(step) * 10_800 + 900)
        switch rules.resolve(rules.civilTime(at: moment)) {
        case .once(let same): #expect(same == moment)
        case .twice(let a, let b): #expect(a == moment || b == moment)
        case .skipped: Issue.record("\(name): \(moment.text) is on the clock")
        }
      }
    }
  }

  @Test func resolvesSkippedAndRepeatedTimes() throws {
    let berlin = try #require(TimeZoneRules.named("Europe/Berlin"))
    let spring = try #require(CivilDate(iso8601: "2026-03-29"))
    let autumn = try #require(CivilDate(iso8601: "2026-10-25"))
    let half = try #require(CivilTime(spring, hour: 2, minute: 30))
    #expect(
      berlin.resolve(half)
        == .skipped(
          try #require(Timestamp(rfc3339: "2026-03-29T01:30:00Z")),
          try #require(Timestamp(rfc3339: "2026-03-29T00:30:00Z"))))
    #expect(berlin.civilTime(at: berlin.timestamp(of: half)).hour == 3)
    let twice = try #require(CivilTime(autumn, hour: 2, minute: 30))
    #expect(
      berlin.resolve(twice)
        == .twice(
          try #require(Timestamp(rfc3339: "2026-10-25T00:30:00Z")),
          try #require(Timestamp(rfc3339: "2026-10-25T01:30:00Z"))))
  }

  @Test func resolvesASkippedDay() throws {
    // Samoa moved across the date line and skipped 30 December 2011.
    let apia = try #require(TimeZoneRules.named("Pacific/Apia"))
    let day = try #require(CivilDate(iso8601: "2011-12-30"))
    let noon = try #require(CivilTime(day, hour: 12, minute: 0))
    guard case .skipped = apia.resolve(noon) else {
      Issue.record("that day was skipped")
      return
    }
  }

  @Test(arguments: [
    "Europe/Nowhere", "../passwd", "/etc/passwd", "zone.tab", "Europe", "a b", "\u{0}",
    "Europe//Berlin/",
  ])
  func rejectsInvalidNames(_ name: String) {
    #expect(TimeZoneRules.named(name) == nil)
  }

  @Test(arguments: ["25:00", "UTC+1", "+5:30"])
  func rejectsInvalidOffsets(_ name: String) {
    #expect(TimeZoneRules.named(name) == nil)
  }

  @Test func rejectsInvalidFiles() throws {
    var file = Array("TZif2".utf8) + Array(repeating: 0, count: 39)
    #expect(TimeZoneRules(name: "x", tzif: file) == nil)
    for index in 20..<44 { file[index] = 0xFF }
    #expect(TimeZoneRules(name: "x", tzif: file) == nil)
    #expect(TimeZoneRules(name: "x", tzif: []) == nil)
  }
}
