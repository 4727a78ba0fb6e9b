import CEL
import Testing

@testable import Program

/// Local calendar days, day by day through years with clock changes.
@Suite struct CalendarFunctionTests {
  /// A time zone, a year and its UTC offsets from published dates of clock changes, independent of
  /// the tz database.
  struct Year: Sendable, CustomTestStringConvertible {
    let zone: String
    let year: Int
    let offsets: [(from: Int64, offset: Int64)]
    /// A day skipped by the zone.
    var leftOut: CivilDate?

    var testDescription: String { zone }

    /// Start of a day, in seconds since 1970.
    func start(of date: CivilDate) -> Int64 {
      let local = Int64(date.daysSinceEpoch) * 86_400
      // The first second with this local date or a later one.
      var starts: [Int64] = []
      for (index, change) in offsets.enumerated() {
        let end = index + 1 < offsets.count ? offsets[index + 1].from : Int64.max
        let start = max(local - change.offset, change.from)
        if start < end, start + change.offset >= local { starts.append(start) }
      }
      return starts.min() ?? 0
    }

    var days: [CivilDate] {
      let first = CivilDate(year: year, month: 1, day: 1)?.daysSinceEpoch ?? 0
      let last = CivilDate(year: year, month: 12, day: 31)?.daysSinceEpoch ?? 0
      return (first...last).map { CivilDate(daysSinceEpoch: $0) }.filter { $0 != leftOut }
    }
  }

  static let years = [
    Year(zone: "UTC", year: 2026, offsets: [(.min / 2, 0)]),
    Year(
      zone: "Europe/Berlin", year: 2026,
      offsets: [(.min / 2, 3_600), (1_774_746_000, 7_200), (1_792_890_000, 3_600)]),
    Year(
      zone: "America/New_York", year: 2026,
      offsets: [(.min / 2, -18_000), (1_772_953_200, -14_400), (1_793_512_800, -18_000)]),
    Year(
      zone: "Australia/Lord_Howe", year: 2026,
      offsets: [(.min / 2, 39_600), (1_775_314_800, 37_800), (1_791_041_400, 39_600)]),
    Year(
      zone: "Pacific/Apia", year: 2011,
      offsets: [
        (.min / 2, -36_000), (1_301_752_800, -39_600), (1_316_872_800, -36_000),
        (1_325_239_200, 50_400),
      ], leftOut: CivilDate(year: 2011, month: 12, day: 30)),
  ]

  private func environment(_ clock: LocalClock, now: Int64 = 0) -> CEL.Environment {
    var environment = CEL.Environment(allowsUndeclaredNames: true)
    environment.addErrandFunctions(
      FunctionContext(
        now: { Timestamp(seconds: now) }, clock: clock,
        randomBytes: { [UInt8](repeating: 0x80, count: $0) }, environment: { _ in nil }))
    return environment
  }

  private func evaluate(
    _ text: String, _ clock: LocalClock, now: Int64 = 0, _ variables: [String: Value] = [:]
  ) throws -> Value {
    try environment(clock, now: now).compile(Expression.parse(text)).evaluate(variables)
  }

  /// A day starts at one o'clock where clocks go forward at midnight.
  @Test(arguments: ["America/Sao_Paulo", "Africa/Cairo", "Asia/Beirut", "America/Havana"])
  func daysWithoutMidnightCount(_ zone: String) throws {
    let rules = try #require(TimeZoneRules.named(zone))
    let clock = LocalClock { rules }
    var day = try #require(CivilDate(iso8601: "2017-01-01"))
    for _ in 0..<(8 * 366) {
      let next = day.adding(days: 1)
      let start = clock.start(of: day)
      #expect(CalendarFunctions.moment(start, movedBy: 1, clock) == clock.start(of: next))
      #expect(
        CalendarFunctions.moment(clock.start(of: next), movedBy: -1, clock) == start)
      day = next
    }
  }

  @Test(arguments: years)
  func eachDayFollowsTheOneBefore(_ year: Year) throws {
    let zone = try #require(TimeZoneRules.named(year.zone))
    let clock = LocalClock { zone }
    let days = year.days
    for (index, day) in days.enumerated() {
      let start = Timestamp(seconds: year.start(of: day))
      #expect(clock.start(of: day) == start, "\(day)")
      #expect(clock.time(at: start).date == day)
      guard index > 0 else { continue }
      let before = clock.start(of: days[index - 1])
      // In a streak, the days are consecutive.
      #expect(CalendarFunctions.moment(before, movedBy: 1, clock) == start, "\(day)")
      #expect(CalendarFunctions.moment(start, movedBy: -1, clock) == before, "\(day)")
      #expect(CalendarFunctions.days(from: before, to: start, clock) == 1, "\(day)")
      #expect(CalendarFunctions.days(from: start, to: before, clock) == -1, "\(day)")
      #expect(
        CalendarFunctions.days(from: clock.start(of: days[0]), to: start, clock) == Int64(index))
      // One day after noon is noon, despite clock changes in the night.
      let noon = clock.moment(of: CivilTime(date: days[index - 1], secondOfDay: 43_200))
      let next = CalendarFunctions.moment(noon, movedBy: 1, clock)
      #expect(clock.time(at: next).secondOfDay == 43_200, "\(day)")
    }
  }

  @Test(arguments: years)
  func expressionsComputeTheSameDays(_ year: Year) throws {
    let zone = try #require(TimeZoneRules.named(year.zone))
    let clock = LocalClock { zone }
    let program = try environment(clock).compile(
      Expression.parse(
        """
        date(text) == start && start.addDays(1).addDays(-1) == start \
        && start.getFullYear() == y && start.getMonth() == m - 1 && start.getDate() == d \
        && start.getHours() == 0 && start.getDayOfYear() == n \
        && date(start + duration('1h')) == start && start.daysUntil(start) == 0
        """))
    for day in year.days {
      let variables: [String: Value] = [
        "text": .string(day.iso8601), "start": .timestamp(Timestamp(seconds: year.start(of: day))),
        "y": .int(Int64(day.year)), "m": .int(Int64(day.month)), "d": .int(Int64(day.day)),
        "n": .int(Int64(day.dayOfYear - 1)),
      ]
      #expect(try program.evaluate(variables) == true, "\(day)")
    }
  }

  @Test func streakAcrossAClockChangeCountsFourDays() throws {
    // From Saturday to Tuesday; in Berlin clocks went back on Sunday night.
    let text = """
      ['2026-10-24', '2026-10-25', '2026-10-26', '2026-10-27'].map(t, date(t)) \
      == [0, 1, 2, 3].map(n, date('2026-10-24').addDays(n))
      """
    #expect(try evaluate(text, .berlin) == true)
  }

  @Test(
    arguments: [
      ("date('2026-01-31').addMonths(1) == date('2026-02-28')", true),
      ("date('2024-01-31').addMonths(1) == date('2024-02-29')", true),
      ("date('2026-03-31').addMonths(-1) == date('2026-02-28')", true),
      ("date('2024-02-29').addYears(1) == date('2025-02-28')", true),
      ("date('2026-12-31').addMonths(2) == date('2027-02-28')", true),
      ("date('2026-03-28').addWeeks(1) == date('2026-04-04')", true),
      ("date('2026-03-28').daysUntil(date('2026-03-30'))", 2),
      ("date('2026-03-30').daysUntil(date('2026-03-28'))", -2),
      // The night that lacks the hour from two to three.
      ("timestamp('2026-03-28T01:30:00Z').addDays(1) == timestamp('2026-03-29T01:30:00Z')", true),
      ("timestamp('2026-11-20T23:30:00Z').getDate()", 21),
      ("timestamp('2026-11-20T23:30:00Z').getHours()", 0),
      ("timestamp('2026-11-20T23:30:00Z').getDate('UTC')", 20),
      ("timestamp('2026-11-20T23:30:00Z').getHours('UTC')", 23),
      ("date('2026-01-31').add('1mo') == date('2026-02-28')", true),
      ("date('2026-01-31').add('1y6mo') == date('2027-07-31')", true),
      ("date('2026-03-28').add('2w1d') == date('2026-04-12')", true),
      ("date('2026-03-28').add('-1 month') == date('2026-02-28')", true),
      ("period('18 months')", "1y6mo"), ("period('14d')", "2w"), ("period('1y1mo10d')", "1y1mo10d"),
      ("period('-1y')", "-1y"),
      ("period('0d')", "0d"), ("duration('90m').getHours()", 1),
      ("today() == date('2026-11-20')", true),
      ("today().daysUntil(date('2026-12-24'))", 34),
    ] as [(String, Value)])
  func inBerlin(_ text: String, _ expected: Value) throws {
    #expect(try evaluate(text, .berlin, now: 1_795_181_400) == expected, "\(text)")
  }

  @Test(
    arguments: [
      "date('soon')", "date('2026-02-30')", "period('1h')", "period('')", "period('mo')",
      "period('9999999y')", "today().add('999999y')", "date('2026-11-20').addYears(9000)",
      "date('2026-11-20').addDays(9223372036854775807)",
      "date('2026-11-20').addMonths(-9223372036854775807)",
    ])
  func invalidDaysAreErrors(_ text: String) {
    #expect(throws: EvaluationError.self, "\(text)") { try evaluate(text, .berlin) }
  }

  @Test(
    arguments: [
      ("plural(1, 'day', 'days')", "day"), ("plural(0, 'day', 'days')", "days"),
      ("plural(2, 'day', 'days')", "days"), ("random() == 0.501960813999176", false),
      ("random() >= 0.0 && random() < 1.0", true), ("random(['a', 'b', 'c'])", "b"),
      ("{'a': 1, 'b': 2}.merge({'b': 3, 'c': 4})", ["a": 1, "b": 3, "c": 4]),
      ("{'a': 1, 'b': 2}.keys()", ["a", "b"]), ("{'a': 1, 'b': 2}.values()", [1, 2]),
      ("[1, 2, 3].reduce(sum, x, sum + x)", 6), ("['a', 'b'].reduce(t, x, t + '-' + x)", "a-b"),
      ("[7].reduce(a, b, a * b)", 7), ("duration('29 min') == duration('29m')", true),
      ("duration('2 days') == duration('48h')", true), ("duration('29 min').format()", "29 min"),
      ("duration('90m').format()", "1 h 30 min"), ("duration('2 days').format()", "2 days"),
      ("duration('25h').format()", "1 day 1 h"), ("duration('45s').format()", "45 s"),
      ("duration('-90s').format()", "-1 min 30 s"), ("duration('0s').format()", "0 s"),
      (
        "'%05d|%5d|%-5d|%05.1f|%5s|%-5s|'.format([42, 42, 42, 2.25, 'ab', 'ab'])",
        "00042|   42|42   |002.2|   ab|ab   |"
      ),
      ("'%05d %02x'.format([-42, 10])", "-0042 0a"),
    ] as [(String, Value)])
  func numbersAndWords(_ text: String, _ expected: Value) throws {
    #expect(try evaluate(text, .berlin) == expected, "\(text)")
  }

  @Test func emptyListsAreErrors() {
    #expect(throws: EvaluationError.self) { try evaluate("[].reduce(a, b, a + b)", .berlin) }
    #expect(throws: EvaluationError.self) { try evaluate("random([])", .berlin) }
  }

  @Test(
    arguments: [
      ("@1763769600", 1_763_769_600), ("@1763769600.5", 1_763_769_600),
      ("Sat, 22 Nov 2025 00:00:00 GMT", 1_763_769_600),
      ("22 Nov 2025 01:00:00 +0100", 1_763_769_600),
      ("Sat Nov 22 01:00:00 2025 +0100", 1_763_769_600),
      ("Sat Nov 22 00:00:00 UTC 2025", 1_763_769_600),
      ("2025-11-22 01:00:00.000000000 +0100", 1_763_769_600),
      ("2025-11-22 01:00:00 +0100", 1_763_769_600), ("3 days ago", 1_794_922_200),
      ("in 3 days", 1_795_440_600), ("an hour ago", 1_795_177_800),
      ("2 hours and 30 minutes ago", 1_795_172_400), ("a week ago", 1_794_576_600),
      ("in 3d", 1_795_440_600), ("1 month ago", 1_792_499_400),
    ] as [(String, Int64)])
  func datesThatOtherProgramsPrint(_ text: String, _ seconds: Int64) {
    let reader = DateReader(now: Timestamp(seconds: 1_795_181_400), clock: .berlin)
    #expect(reader.timestamp(text)?.seconds == seconds, "\(text)")
  }

  @Test(
    arguments: [
      "@", "@x", "@99999999999999", "ago", "days ago", "3 ago", "in", "in days", "3 apples ago",
      "Sat Nov 32 00:00:00 2025 +0100", "Sat, 22 Nov 2025", "Sat, 22 Nov 2025 25:00:00 GMT",
      "Sat Nov 22 01:00:00 2025 +9900", "2025-11-22 01:00:00 nowhere", "in 3 days ago",
    ])
  func invalidDatesAreRejected(_ text: String) {
    let reader = DateReader(now: Timestamp(seconds: 1_795_181_400), clock: .berlin)
    #expect(reader.timestamp(text) == nil, "\(text)")
  }
}
