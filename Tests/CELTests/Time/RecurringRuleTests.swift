import Testing

@testable import CEL

@Suite struct RecurringRuleTests {
  @Test(arguments: [
    ("UTC0", "2026-07-01T00:00:00Z", 0),
    ("<-03>3", "2026-07-01T00:00:00Z", -10_800),
    ("EST5EDT,M3.2.0,M11.1.0", "2026-07-01T00:00:00Z", -14_400),
    ("EST5EDT,M3.2.0,M11.1.0", "2026-12-01T00:00:00Z", -18_000),
    ("<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2026-01-01T00:00:00Z", 39_600),
    ("IST-1GMT0,M10.5.0,M3.5.0/1", "2026-01-01T00:00:00Z", 0),
    ("XXX3YYY,J60,J300", "2024-03-01T05:00:00Z", -7_200),
    ("XXX3YYY,59,300", "2024-02-29T05:00:00Z", -7_200),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T00:59:59Z", -7_200),
    ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00:00Z", -3_600),
  ])
  func hasTheExpectedOffset(_ rule: String, _ moment: String, _ offset: Int) throws {
    let rule = try #require(RecurringRule(rule))
    let at = try #require(Timestamp(rfc3339: moment))
    #expect(rule.period(at: at.seconds).offset == offset)
  }

  @Test(arguments: [
    "", "CET", "X1", "CET-1CEST", "CET-1CEST,M13.1.0,M1.1.0", "CET-1CEST,M3.5.0", "<CET-1",
    "CET-1CEST,M3.5.0,M10.5.0/999", "CET-1CEST,M3.5.0,M10.5.0x",
  ])
  func rejectsInvalidRules(_ rule: String) {
    #expect(RecurringRule(rule) == nil)
  }
}
