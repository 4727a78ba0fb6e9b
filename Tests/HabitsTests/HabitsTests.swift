import Testing

@testable import Habits

@Suite struct HabitsTests {
  /// Monday, 2 November 2026.
  static let monday = 20_759

  static func time(_ day: Int, _ hour: Int, _ minute: Int = 0) -> LocalMinute {
    LocalMinute(day: monday + day, minute: hour * 60 + minute)
  }

  /// Something done each workday of four weeks at 9:00, and another thing at other times.
  static let workdays: [Deed] = (0..<26).filter { $0 % 7 < 5 }.flatMap { day in
    [
      Deed("report", at: time(day, 9, day % 7)),
      Deed("save", at: time(day, 11 + day % 9)),
    ]
  }

  @Test func weekdaysBeginOnMonday() {
    #expect(Self.time(0, 0).weekday == 0)
    #expect(Self.time(6, 0).weekday == 6)
    #expect(LocalMinute(day: 0, minute: 0).weekday == 3)
    #expect(LocalMinute(day: -1, minute: 0).weekday == 2)
  }

  @Test func suggestsWhatIsDoneOnWorkdaysAtItsTime() throws {
    let habits = Habits(Self.workdays)
    let found = habits.suggestions(at: Self.time(28, 9))
    let first = try #require(found.first)
    #expect(found.map(\.name) == ["report"])
    #expect(first.reason == .time(.workdays, minute: 542))
    #expect(first.isRegular)
  }

  @Test(arguments: [
    // At another time, on a Saturday, and after it was done.
    (28, 15, [Deed]()), (26, 9, []), (28, 9, [Deed("report", at: time(28, 8, 40))]),
  ])
  func isSilentOtherwise(_ day: Int, _ hour: Int, _ more: [Deed]) {
    let habits = Habits(Self.workdays + more)
    #expect(habits.suggestions(at: Self.time(day, hour)).isEmpty)
  }

  @Test func needsThreeDays() {
    // Two weeks, then three, of something done each Monday beside other things.
    let others = (0..<21).map { Deed("save", at: Self.time($0, 10 + $0 % 9)) }
    let weekly = (0..<3).map { Deed("plan", at: Self.time($0 * 7, 8)) }
    #expect(Habits(others + weekly.prefix(2)).suggestions(at: Self.time(14, 8)).isEmpty)
    let found = Habits(others + weekly).suggestions(at: Self.time(21, 8))
    #expect(found.map(\.reason) == [.time(.weekday(0), minute: 480)])
  }

  @Test func suggestsWhatFollows() {
    let deeds = (0..<8).flatMap { day in
      [
        Deed("save", at: Self.time(day, 8 + day)),
        Deed("summarize", at: Self.time(day, 8 + day, 4)),
        Deed("tasks", at: Self.time(day, 20 - day)),
      ]
    }
    let habits = Habits(deeds + [Deed("save", at: Self.time(9, 13))])
    #expect(habits.suggestions(at: Self.time(9, 13, 3)).map(\.reason) == [.after("save")])
    #expect(habits.suggestions(at: Self.time(9, 14)).isEmpty)
  }

  @Test func aHabitEndsAfterThreeOccasions() {
    let deeds =
      (0..<20).map { Deed("read", at: Self.time($0, 21)) }
      + (0..<24).map { Deed("save", at: Self.time($0, 9 + $0 % 8)) }
    #expect(Habits(deeds).suggestions(at: Self.time(22, 21)).map(\.name) == ["read"])
    #expect(Habits(deeds).suggestions(at: Self.time(23, 21)).isEmpty)
  }

  @Test func whatIsDoneAllTheTimeIsNoHabitOfATime() {
    let deeds = (0..<20).flatMap { day in
      (8..<22).map { Deed("save", at: Self.time(day, $0)) }
    }
    #expect(Habits(deeds).suggestions(at: Self.time(21, 9)).isEmpty)
  }

  @Test func isIndependentOfTheOrderOfDeeds() {
    let now = Self.time(28, 9)
    #expect(
      Habits(Self.workdays.reversed()).suggestions(at: now)
        == Habits(Self.workdays).suggestions(at: now))
    #expect(Habits([]).suggestions(at: now).isEmpty)
  }

  /// Suggestions are right at six of ten moments or more, also for those who have no habits.
  @Test func peopleWithNoiseSeeWhatTheyWant() {
    var all = Precision()
    for person in SimulatedPerson.all { all.measure(person) }
    let precision = Double(all.right) / Double(max(all.shown, 1))
    let recall = Double(all.foundHabits) / Double(max(all.habits, 1))
    #expect(SimulatedPerson.all.count == 20)
    #expect(precision >= 0.6, "\(precision) of \(all.shown)")
    #expect(recall >= 0.5, "\(recall) of \(all.habits)")
  }
}
