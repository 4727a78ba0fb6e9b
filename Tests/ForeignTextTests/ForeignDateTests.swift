import CEL
import ForeignText
import Testing

/// Dates with and without a zone.
@Suite struct ForeignDateTests {
  private func text(_ text: String, isDayFirst: Bool = false) -> String? {
    ForeignDate(text, isAlone: true, isDayFirst: isDayFirst).map { date in
      let moment = date.moment { $0.timestamp() }?.text ?? "none"
      return moment + (date.hasTime ? "" : " day") + (date.offset == nil ? " local" : "")
    }
  }

  @Test(arguments: [
    ("@1763769600.5", "2025-11-22T00:00:00.5Z"), ("1763769600", "2025-11-22T00:00:00Z"),
    ("Sat, 22 Nov 2025 01:00:00 +0100 (CET)", "2025-11-22T00:00:00Z"),
    ("Sat Nov 22 01:00:00 2025 +0100", "2025-11-22T00:00:00Z"),
    ("Sat Nov 22 00:00:00 UTC 2025", "2025-11-22T00:00:00Z"),
    ("22 Nov 25 00:00 GMT", "2025-11-22T00:00:00Z"),
    ("22 Nov 2025", "2025-11-22T00:00:00Z day local"),
    ("2025-11-22 01:00:00.25 CET", "2025-11-22T00:00:00.25Z"),
    ("2025-11-22 01:00", "2025-11-22T01:00:00Z local"),
  ])
  func parsesDates(_ written: String, _ expected: String) {
    #expect(text(written) == expected)
  }

  @Test func ambiguousDatesNeedTheDayOrder() {
    #expect(text("3/4/2026") == nil)
    #expect(text("3/4/2026", isDayFirst: true) == "2026-04-03T00:00:00Z day local")
    #expect(text("3/14/2026", isDayFirst: true) == "2026-03-14T00:00:00Z day local")
  }

  @Test(arguments: [
    "on 22 Nov 2025", "2025-11-22 and more", "2025-11-22 25:00", "2025-11-22 01:00 nowhere",
    "2025-11-22 01:00 +9900", "@", "@x", "@99999999999999", "",
  ])
  func rejectsOtherTextBesideADate(_ written: String) {
    #expect(text(written) == nil)
  }
}
