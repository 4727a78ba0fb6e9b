import Habits

/// A person with habits of their own, and with noise: what they do is drawn from a seed.
struct SimulatedPerson {
  /// Something that is done on some days at about a time, or shortly after another thing.
  enum Habit {
    /// - Parameter chance: Of a hundred such days, those on which it is done.
    case at(String, HabitDays, minute: Int, spread: Int, chance: Int)
    case after(String, does: String, chance: Int)
  }

  let seed: UInt64
  let habits: [Habit]
  /// Things that are done a day at any time, whatever the habits.
  let noise: Int
  /// Looks a day at the suggestions without doing anything.
  let looks: Int

  /// The actions of noise; some of them are habits, too.
  static let things = [
    "save", "open", "add-task", "add-note", "share", "tasks", "read", "archive", "search-and-share",
    "summarize", "morning-briefing", "weekly-report", "save-from-clipboard", "pomodoro", "timer",
  ]

  static let all: [SimulatedPerson] = [
    .init(1, [.at("morning-briefing", .everyDay, minute: 480, spread: 10, chance: 90)], noise: 3),
    .init(2, [.at("weekly-report", .weekday(0), minute: 540, spread: 10, chance: 95)], noise: 3),
    .init(3, [.at("pomodoro", .workdays, minute: 570, spread: 15, chance: 85)], noise: 4),
    .init(
      4,
      [
        .at("morning-briefing", .workdays, minute: 450, spread: 10, chance: 90),
        .after("morning-briefing", does: "tasks", chance: 85),
      ], noise: 3),
    .init(
      5,
      [
        .at("check-backups", .weekday(6), minute: 1200, spread: 20, chance: 95),
        .at("read", .everyDay, minute: 1320, spread: 20, chance: 80),
      ], noise: 4),
    .init(6, [.after("save", does: "summarize", chance: 90)], noise: 5),
    .init(
      7,
      [
        .at("tasks", .everyDay, minute: 500, spread: 20, chance: 85),
        .at("add-note", .everyDay, minute: 1260, spread: 20, chance: 80),
      ], noise: 2),
    .init(8, [.at("fetch-repositories", .workdays, minute: 525, spread: 5, chance: 95)], noise: 6),
    .init(
      9,
      [
        .at("pomodoro", .workdays, minute: 540, spread: 10, chance: 85),
        .at("timer", .workdays, minute: 750, spread: 10, chance: 85),
        .at("add-note", .workdays, minute: 1050, spread: 10, chance: 85),
      ], noise: 3),
    .init(10, [.at("weekly-report", .weekday(4), minute: 960, spread: 15, chance: 90)], noise: 5),
    // People without a habit, or with one that is hardly one.
    .init(11, [], noise: 8),
    .init(12, [], noise: 3),
    .init(13, [.at("read", .everyDay, minute: 1290, spread: 30, chance: 35)], noise: 4),
    .init(14, [.at("share", .weekend, minute: 660, spread: 60, chance: 50)], noise: 6),
    .init(
      15,
      [
        .at("open", .everyDay, minute: 430, spread: 10, chance: 90),
        .after("open", does: "archive", chance: 70),
      ], noise: 4),
    .init(
      16,
      [
        .at("sync-stars", .weekday(2), minute: 600, spread: 10, chance: 90),
        .at("sync-stars", .weekday(5), minute: 600, spread: 10, chance: 90),
      ], noise: 4),
    .init(17, [.at("check-links", .weekend, minute: 620, spread: 20, chance: 85)], noise: 2),
    .init(
      18,
      [
        .at("morning-briefing", .everyDay, minute: 420, spread: 5, chance: 95),
        .at("tasks", .everyDay, minute: 440, spread: 5, chance: 90),
        .at("pomodoro", .workdays, minute: 545, spread: 10, chance: 90),
      ], noise: 6),
    .init(19, [.at("add-task", .workdays, minute: 1020, spread: 25, chance: 75)], noise: 8),
    .init(
      20,
      [
        .after("add-task", does: "tasks", chance: 80), .after("share", does: "archive", chance: 80),
      ], noise: 7),
  ]

  private init(_ seed: UInt64, _ habits: [Habit], noise: Int, looks: Int = 2) {
    self.seed = seed
    self.habits = habits
    self.noise = noise
    self.looks = looks
  }

  /// The deeds of the person, and the times of looks, in order, from a Monday on.
  func days(_ count: Int) -> (deeds: [(deed: Deed, isHabit: Bool)], looks: [LocalMinute]) {
    var random = SeededNumbers(state: seed &* 0x9E37_79B9_7F4A_7C15)
    var deeds: [(deed: Deed, isHabit: Bool)] = []
    var looks: [LocalMinute] = []
    // 5 January 2026.
    for day in 20_458..<20_458 + count {
      var today: [(deed: Deed, isHabit: Bool)] = []
      func add(_ name: String, _ minute: Int, _ isHabit: Bool) {
        today.append((Deed(name, at: LocalMinute(day: day, minute: minute)), isHabit))
      }
      for case .at(let name, let days, let minute, let spread, let chance) in habits
      where days.contains(LocalMinute(day: day, minute: 0)) {
        let isDone = random.next(100) < chance
        let shift = random.next(2 * spread + 1) - spread
        if isDone { add(name, minute + shift, true) }
      }
      for _ in 0..<random.next(2 * noise + 1) {
        add(Self.things[random.next(Self.things.count)], 420 + random.next(960), false)
      }
      for done in today {
        for case .after(done.deed.name, let next, let chance) in habits
        where random.next(100) < chance {
          add(next, done.deed.time.minute + 2 + random.next(6), true)
        }
      }
      for _ in 0..<self.looks {
        looks.append(LocalMinute(day: day, minute: 420 + random.next(960)))
      }
      deeds += today.sorted { ($0.deed.time, $0.deed.name) < ($1.deed.time, $1.deed.name) }
    }
    return (deeds, looks)
  }
}

/// A small generator of numbers (SplitMix64).
struct SeededNumbers {
  var state: UInt64

  /// A number below a bound.
  mutating func next(_ bound: Int) -> Int {
    state &+= 0x9E37_79B9_7F4A_7C15
    var z = state
    z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
    z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((z ^ (z >> 31)) % UInt64(bound))
  }
}

/// The share of suggestions that are right.
struct Precision {
  var shown = 0
  var right = 0
  var habits = 0
  var foundHabits = 0

  /// Compares the first suggestion with what a person does, from the fifth to the eighth week, at each
  /// moment before a deed, and at each look, with the deeds of the 30 days before.
  mutating func measure(_ person: SimulatedPerson) {
    let (deeds, looks) = person.days(56)
    guard let first = deeds.first?.deed.time.day else { return }
    func suggestion(at now: LocalMinute) -> String? {
      let known = deeds.map(\.deed).filter { $0.time < now && now.day - $0.time.day <= 30 }
      return Habits(known).suggestions(at: now, limit: 1).first?.name
    }
    for (deed, isHabit) in deeds where deed.time.day >= first + 28 {
      let name = suggestion(at: deed.time)
      shown += name == nil ? 0 : 1
      right += name == deed.name ? 1 : 0
      habits += isHabit ? 1 : 0
      foundHabits += isHabit && name == deed.name ? 1 : 0
    }
    for look in looks where look.day >= first + 28 {
      guard let name = suggestion(at: look) else { continue }
      shown += 1
      // It was what the person did next, within the time of a habit.
      let soon = deeds.map(\.deed).filter { $0.time >= look && $0.time.since(look) <= 45 }
      right += soon.contains { $0.name == name } ? 1 : 0
    }
  }
}
