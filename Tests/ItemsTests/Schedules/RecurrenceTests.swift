import CEL
import Items
import Testing

/// Recurrence rules for days.
@Suite struct RecurrenceTests {
  private func day(_ text: String) throws -> CivilDate { try #require(CivilDate(iso8601: text)) }

  /// The next days of a rule after `first`, with `start` as the reference day.
  private func days(
    _ rule: String, from start: String, after first: String, _ count: Int
  ) throws -> [String] {
    let rule = try #require(Recurrence(rule))
    var date = try day(first)
    return try (0..<count).map { _ in
      date = try #require(rule.next(after: date, from: day(start)))
      return "\(date.month)-\(date.day)"
    }
  }

  @Test func intervalCountsFromItsReferenceDay() throws {
    // In both directions, and over the end of February.
    for start in ["2026-02-20", "2026-03-04"] {
      #expect(
        try days("every 3 days", from: start, after: "2026-02-24", 3) == ["2-26", "3-1", "3-4"])
    }
  }

  @Test func weeksBeginOnMonday() throws {
    // 4 November 2026 is a Wednesday.
    #expect(
      try days("every 2 weeks on mon, fri", from: "2026-11-04", after: "2026-11-04", 4)
        == ["11-6", "11-16", "11-20", "11-30"])
    #expect(
      try days("every 2 weeks", from: "2026-11-04", after: "2026-11-04", 2) == ["11-18", "12-2"])
  }

  @Test func missingDayOfMonthIsTheLastDay() throws {
    #expect(
      try days("every month on 31", from: "1970-01-01", after: "2027-12-31", 4)
        == ["1-31", "2-29", "3-31", "4-30"])
    #expect(
      try days("every month on 29, 30, 31", from: "1970-01-01", after: "2027-01-31", 3)
        == ["2-28", "3-29", "3-30"])
    #expect(
      try days("every 3 months", from: "2026-01-31", after: "2026-01-31", 3)
        == ["4-30", "7-31", "10-31"])
    #expect(
      try days("every year", from: "2024-02-29", after: "2024-02-29", 4)
        == ["2-28", "2-28", "2-28", "2-29"])
  }

  @Test(arguments: [
    ("every day", "every day"), ("daily", "every day"), ("every 3d", "every 3 days"),
    ("every other day", "every 2 days"), ("every 14 days", "every 2 weeks"),
    ("weekly", "every week"), ("every Monday", "every monday"), ("mondays", "every monday"),
    ("every mon, Thu and sat", "every monday, thursday, saturday"),
    ("every weekday", "every weekday"), ("every weekend", "every saturday, sunday"),
    ("every 2 weeks on mon", "every 2 weeks on monday"), ("every month", "every month"),
    ("every month on the 15th", "every month on 15"),
    ("every month on the last day", "every month on last"), ("every 1st", "every month on 1"),
    ("every 1mo", "every month"), ("every 12 months", "every year"), ("yearly", "every year"),
  ])
  func rulesHaveACanonicalText(_ text: String, _ spelling: String) throws {
    let rule = try #require(Recurrence(text))
    #expect(rule.text == spelling)
    #expect(Recurrence(spelling) == rule)
  }

  @Test(arguments: [
    "", "every", "now and then", "every 0 days", "every -1 days", "every 6h", "every 1mo15d",
    "every 11 years", "every month on 32", "every month on monday", "every week on 15",
    "every monday on tuesday", "every monday, 15", "every day on monday", "on monday",
    "every 999999999999 days",
  ])
  func invalidRulesAreRejected(_ text: String) {
    #expect(Recurrence(text) == nil)
  }
}

/// Rules for repeating tasks.
@Suite struct RepeatRuleTests {
  @Test(arguments: [
    // A task done early is due next after its due day, a late one after the day of completion.
    ("every monday", "2026-11-23", "2026-11-21", "2026-11-30"),
    ("every monday", "2026-11-23", "2026-12-02", "2026-12-07"),
    ("every 3 days", "2026-11-20", "2026-11-20", "2026-11-23"),
    ("every 3 days", "2026-11-20", "2026-11-25", "2026-11-26"),
    ("every month", "2026-01-31", "2026-01-31", "2026-02-28"),
    ("every month on 31", "2026-02-28", "2026-02-28", "2026-03-31"),
    ("3d after done", "2026-11-20", "2026-11-25", "2026-11-28"),
    ("1 month after done", "2026-11-20", "2027-01-31", "2027-02-28"),
  ])
  func nextDueDay(_ rule: String, _ due: String, _ done: String, _ next: String) throws {
    let rule = try #require(RepeatRule(rule))
    let dates = try [due, done, next].map { try #require(CivilDate(iso8601: $0)) }
    #expect(rule.next(due: dates[0], done: dates[1]) == dates[2])
  }

  @Test func repeatRulesHaveACanonicalText() {
    #expect(RepeatRule("3 days after done")?.text == "3d after done")
    #expect(RepeatRule("Every 2 Weeks")?.text == "every 2 weeks")
    for text in ["after done", "0d after done", "-3d after done", "monday after done", "3h"] {
      #expect(RepeatRule(text) == nil, "\(text)")
    }
  }
}
