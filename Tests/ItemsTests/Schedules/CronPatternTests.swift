import CEL
import Items
import Testing

/// Cron schedules according to crontab(5).
@Suite struct CronPatternTests {
  private static let vienna = TimeZoneRules.named("Europe/Vienna") ?? .utc

  /// The next times of a schedule, as local time in Vienna.
  private func times(_ text: String, after moment: String, _ count: Int) throws -> [String] {
    let pattern = try CronPattern(text)
    var moment = try #require(Timestamp(rfc3339: moment))
    return try (0..<count).map { _ in
      moment = try #require(pattern.next(after: moment, in: Self.vienna))
      let time = Self.vienna.civilTime(at: moment)
      let minute = time.minute < 10 ? "0\(time.minute)" : "\(time.minute)"
      return "\(time.date.month)-\(time.date.day) \(time.hour):\(minute)"
    }
  }

  @Test(arguments: [
    // 20 November 2026 is a Friday.
    ("0 9 * * 1-5", ["11-20 9:00", "11-23 9:00", "11-24 9:00"]),
    ("*/20 8-9 * * *", ["11-20 8:00", "11-20 8:20", "11-20 8:40", "11-20 9:00"]),
    ("5,10-12 0 * * *", ["11-20 0:05", "11-20 0:10", "11-20 0:11", "11-20 0:12"]),
    ("0 0 1 jan *", ["1-1 0:00"]), ("0 12 * * SUN", ["11-22 12:00"]),
    ("0 12 * * 7", ["11-22 12:00"]),
    ("0 12 * * 5-7", ["11-20 12:00", "11-21 12:00", "11-22 12:00"]),
    ("0 12 * * fri-sun", ["11-20 12:00", "11-21 12:00", "11-22 12:00"]),
    ("0 0 29 2 *", ["2-29 0:00"]), ("0 6 10-20/5 * *", ["11-20 6:00", "12-10 6:00"]),
    // If both days are restricted, either one matches.
    ("0 12 13 * 5", ["11-20 12:00", "11-27 12:00", "12-4 12:00", "12-11 12:00", "12-13 12:00"]),
    // The last day, days before it, the nearest weekday, and the place of a day in its month.
    ("0 0 L * *", ["11-30 0:00", "12-31 0:00"]), ("0 0 L-1 * *", ["11-29 0:00", "12-30 0:00"]),
    ("0 0 LW * *", ["11-30 0:00", "12-31 0:00", "1-29 0:00"]),
    ("0 0 28W * *", ["11-27 0:00", "12-28 0:00"]), ("0 0 1W 8 *", ["8-2 0:00"]),
    ("0 0 * * 5#4", ["11-27 0:00", "12-25 0:00"]), ("0 0 * * friL", ["11-27 0:00", "12-25 0:00"]),
    ("0 0 * * mon#1,0#1", ["12-6 0:00", "12-7 0:00"]),
    ("0 0 15,L * *", ["11-30 0:00", "12-15 0:00"]),
    // If one of the days begins with a star, both must match.
    ("0 12 */10 * 5", ["12-11 12:00", "1-1 12:00"]),
  ])
  func timesMatchTheSchedule(_ line: String, _ times: [String]) throws {
    #expect(try self.times(line, after: "2026-11-19T23:00:00Z", times.count) == times)
  }

  /// Clocks go forward from 2:00 to 3:00 on 29 March 2026, and back from 3:00 to 2:00 on 25
  /// October.
  @Test func fixedTimeRunsOnceADayAcrossClockChanges() throws {
    #expect(
      try times("30 2 * * *", after: "2026-03-28T00:00:00Z", 3)
        == ["3-28 2:30", "3-29 3:30", "3-30 2:30"])
    #expect(
      try times("30 2 * * *", after: "2026-10-24T00:00:00Z", 3)
        == ["10-24 2:30", "10-25 2:30", "10-26 2:30"])
  }

  /// Patterns that mean something else than they seem to, with what to write.
  @Test(arguments: [
    ("* 9 * * *", "for once write `0 9 * * *`"),
    ("0 9 8-14 * mon", "for the 2nd monday of a month write `0 9 * * mon#2`"),
    ("*/45 * * * *", "for an even distance write `every: 45m`"),
    ("0 */5 * * *", "for an even distance write `every: 5h`"),
    ("0 9 */2 * *", "for an even distance write `every: {days: 2, at: …}`"),
    ("0 9 1-7 * 1", "for the 1st monday of a month write `0 9 * * 1#1`"),
    ("0 9 13 * 5", "write two entries of `on` if both are meant"),
  ])
  func doubtfulSchedulesSayWhatToWrite(_ text: String, _ help: String) throws {
    #expect(try CronPattern(text).doubt?.help == help)
  }

  @Test(arguments: [
    "0 9 * * 1-5", "*/15 * * * *", "0 */6 * * *", "* * * * *", "0 0 L * *", "* 9-17 * * 1-5",
    "*/7 9 * * 1-5",
  ])
  func plainSchedulesHaveNoDoubt(_ text: String) throws {
    #expect(try CronPattern(text).doubt == nil)
  }

  @Test func wildcardTimeFollowsTheClock() throws {
    #expect(
      try times("30 * * * *", after: "2026-03-29T00:00:00Z", 2) == ["3-29 1:30", "3-29 3:30"])
    #expect(
      try times("30 * * * *", after: "2026-10-25T00:00:00Z", 3)
        == ["10-25 2:30", "10-25 2:30", "10-25 3:30"])
    #expect(
      try times("*/30 0 * * *", after: "2026-03-28T12:00:00Z", 3)
        == ["3-29 0:00", "3-29 0:30", "3-30 0:00"])
  }

  @Test(arguments: [
    ("", "has 0"), ("0 9 * *", "has 4"), ("0 0 9 * * *", "has 6"),
    ("@daily", "must have five fields"),
    ("60 * * * *", "“60” is not a valid minute"), ("* 24 * * *", "“24” is not a valid hour"),
    ("* * 0 * *", "“0” is not a valid day of the month"),
    ("* * * 13 *", "“13” is not a valid month"),
    ("* * * * 8", "“8” is not a valid day of the week"), ("* * * * moon", "“moon” is not"),
    ("5-1 * * * *", "“5-1” is not"), ("*/0 * * * *", "“*/0” is not"),
    ("5/2 * * * *", "“5/2” is not"),
    ("1,,2 * * * *", "“” is not"), ("* * L-31 * *", "“L-31” is not"),
    ("* * * * 5#6", "“5#6” is not"),
    ("* * 32W * *", "“32W” is not"), ("* * * * 8L", "“8L” is not"), ("* L * * *", "“L” is not"),
    ("0 9 31W 2 *", "never occurs"), ("0 9 L-30 2 *", "never occurs"),
    ("0 0 * * +5#3", "“+5#3” is not"), ("? * * * *", "“?” is not"),
    ("0 0 31 2,4 *", "never occurs"), ("-1 * * * *", "“-1” is not"),
  ])
  func invalidSchedulesAreRejected(_ text: String, _ message: String) {
    #expect(throws: ScheduleProblem.self) { try CronPattern(text) }
    do throws(ScheduleProblem) {
      _ = try CronPattern(text)
    } catch {
      #expect(error.message.contains(message), "\(error)")
    }
  }

  @Test func nicknameErrorShowsItsFields() {
    do throws(ScheduleProblem) {
      _ = try CronPattern("@weekly")
    } catch {
      #expect(error.help == "write `cron: '0 0 * * 0'`")
    }
  }
}
