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

  /// Days by their place in a month or a year.
  @Test(arguments: [
    ("every month on 2nd tuesday", "2026-11-01", ["11-10", "12-8", "1-12"]),
    ("every month on last friday", "2026-11-27", ["12-25", "1-29"]),
    ("every month on 5th monday", "2026-11-01", ["11-30", "3-29"]),
    ("every month on last workday", "2026-11-01", ["11-30", "12-31", "1-29"]),
    ("every month on 1, last", "2026-11-01", ["11-30", "12-1", "12-31"]),
    ("every month on first workday, 15", "2026-11-01", ["11-2", "11-15", "12-1"]),
    ("every month on 2nd last day", "2026-02-01", ["2-27", "3-30"]),
    ("every 3 months on first monday", "2026-11-01", ["11-2", "2-1", "5-3"]),
    ("every year on 29 feb", "2026-01-01", ["2-28", "2-28", "2-29"]),
    ("every year on 4th thursday of november, 24 dec", "2026-01-01", ["11-26", "12-24", "11-25"]),
    ("every other tuesday", "2026-11-24", ["12-8", "12-22"]),
    ("every monday until 2026-12-07", "2026-11-24", ["11-30", "12-7"]),
    ("every monday except 2026-12-07, 2026-12-14", "2026-11-30", ["12-21", "12-28"]),
    ("every friday except holidays", "2026-12-18", ["1-1"]),
  ])
  func daysByTheirPlace(_ rule: String, _ start: String, _ expected: [String]) throws {
    let christmas = Holidays([try day("2026-12-25")])
    let rule = try #require(Recurrence(rule))
    var date = try day(start)
    for wanted in expected {
      date = try #require(rule.next(after: date, from: day(start), christmas))
      #expect("\(date.month)-\(date.day)" == wanted)
      #expect(rule.contains(date, from: try day(start), christmas))
    }
  }

  /// The reference day is the first of a number of days, and an exception counts.
  @Test func countEndsARule() throws {
    let rule = try #require(Recurrence("every monday 3 times except 2026-12-07"))
    let start = try day("2026-11-30")
    #expect(rule.next(after: start, from: start) == (try day("2026-12-14")))
    #expect(rule.next(after: try day("2026-12-14"), from: start) == nil)
    #expect(!rule.contains(try day("2026-12-21"), from: start))
    #expect(!rule.contains(try day("2026-11-23"), from: start))
  }

  @Test func holidaysAreReadFromLines() throws {
    let days = try #require(Holidays("# ours\n2026-12-25 Christmas\n2026-12-28, 2027-01-01\n"))
    #expect(days.contains(try day("2027-01-01")))
    #expect(!days.isWorkday(try day("2026-12-28")))
    #expect(days.isWorkday(try day("2026-12-29")))
    #expect(!days.isWorkday(try day("2026-12-26")))
    #expect(Holidays("~/holidays.ics") == nil)
    #expect(Holidays("2026-12-25 2026-12-26") == nil)
    #expect(Holidays("2026-12-25 Christmas, first day\n")?.contains(try day("2026-12-25")) == true)
  }

  @Test(arguments: [
    ("every day", "every day"), ("daily", "every day"), ("every 3d", "every 3 days"),
    ("every third day", "every 3 days"), ("every 6th month", "every 6 months"),
    ("every second week", "every 2 weeks"),
    ("every first and third monday", "every month on 1st monday, 3rd monday"),
    ("every month on the 1st and 15th", "every month on 1, 15"),
    ("every first and last friday", "every month on 1st friday, last friday"),
    ("every other day", "every 2 days"), ("every 14 days", "every 2 weeks"),
    ("weekly", "every week"), ("every Monday", "every monday"), ("mondays", "every monday"),
    ("every mon, Thu and sat", "every monday, thursday, saturday"),
    ("every weekday", "every weekday"), ("every weekend", "every saturday, sunday"),
    ("every 2 weeks on mon", "every 2 weeks on monday"), ("every month", "every month"),
    ("every month on the 15th", "every month on 15"),
    ("every month on the last day", "every month on last"), ("every 1st", "every month on 1"),
    ("every 1mo", "every month"), ("every 12 months", "every year"), ("yearly", "every year"),
    ("every month on the last day", "every month on last"),
    ("every first Monday", "every month on 1st monday"),
    ("every third friday of the month", "every month on 3rd friday"),
    ("last workday of every month", "every month on last workday"),
    ("every month on last working day", "every month on last workday"),
    ("every month on last fri, first mon", "every month on 1st monday, last friday"),
    ("every year on Feb 29", "every year on 29 february"),
    ("every year on the last friday of november", "every year on last friday of november"),
    ("every other day", "every 2 days"), ("every other mon", "every 2 weeks on monday"),
    ("every monday until 2027-06-30", "every monday until 2027-06-30"),
    ("every day 10 times", "every day 10 times"), ("weekly 1 time", "every week 1 time"),
    (
      "every monday except holidays and 2026-12-28 until 2027-01-01",
      "every monday until 2027-01-01 except 2026-12-28, holidays"
    ),
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
    "every 999999999999 days", "every month on 6th monday", "every month on 24th workday",
    "every year on 30 feb", "every year on monday", "every monday until soon",
    "every monday 0 times",
    "every second", "every first and third", "every monday except", "every monday except soon",
    "every monday until",
    "every day 3 times 4 times", "until 2027-01-01", "monday 10 times 2", "every week on 29 feb",
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
    #expect(rule.next(due: dates[0], done: dates[1])?.day == dates[2])
  }

  /// A rule keeps its own day over short months, and what is left of its count.
  @Test(arguments: [
    ("every month", "2026-01-31", "2026-01-31", "2026-02-28", "every month on 31"),
    ("every month on 31", "2026-02-28", "2026-02-28", "2026-03-31", "every month on 31"),
    ("every year", "2028-02-29", "2028-02-29", "2029-02-28", "every year on 29 february"),
    (
      "every year on 29 february", "2031-02-28", "2031-02-28", "2032-02-29",
      "every year on 29 february"
    ),
    ("every month", "2026-01-15", "2026-01-15", "2026-02-15", "every month"),
    ("every day 5 times", "2026-11-20", "2026-11-20", "2026-11-21", "every day 4 times"),
    ("every day 5 times", "2026-11-20", "2026-11-22", "2026-11-23", "every day 2 times"),
    ("every monday except 2026-11-30", "2026-11-23", "2026-11-23", "2026-12-07", "every monday"),
  ])
  func ruleOfTheNextDay(
    _ rule: String, _ due: String, _ done: String, _ day: String, _ left: String
  ) throws {
    let rule = try #require(RepeatRule(rule))
    let dates = try [due, done, day].map { try #require(CivilDate(iso8601: $0)) }
    let next = try #require(rule.next(due: dates[0], done: dates[1]))
    #expect(next.day == dates[2])
    #expect(next.rule.text == left)
  }

  @Test(arguments: [
    ("every day 1 time", "2026-11-20", "2026-11-20"),
    ("every day 5 times", "2026-11-20", "2026-11-24"),
    ("every monday until 2026-11-30", "2026-11-30", "2026-11-30"),
  ])
  func endedRulesHaveNoNextDay(_ rule: String, _ due: String, _ done: String) throws {
    let rule = try #require(RepeatRule(rule))
    let dates = try [due, done].map { try #require(CivilDate(iso8601: $0)) }
    #expect(rule.next(due: dates[0], done: dates[1]) == nil)
  }

  @Test func repeatRulesHaveACanonicalText() {
    #expect(RepeatRule("3 days after done")?.text == "3d after done")
    #expect(RepeatRule("Every 2 Weeks")?.text == "every 2 weeks")
    for text in ["after done", "0d after done", "-3d after done", "monday after done", "3h"] {
      #expect(RepeatRule(text) == nil, "\(text)")
    }
  }
}
