import Glibc

/// The habits in what a person did, and what they make likely at a moment.
///
/// Two measures must agree, because silence is better than noise: how often the thing was done on
/// the days, or after the thing, that resemble the moment; and how likely it is among all things,
/// by naive Bayes over the time of day, the weekday, what was done before, and the last item's kind.
/// The same deeds give the same suggestions.
package struct Habits: Sendable {
  /// The minutes to each side of a moment that count as its time of day.
  static let window = 45
  /// The minutes within which a thing follows another.
  package static let soon = 15
  /// The least number of days on which a habit was followed.
  static let leastDays = 3
  /// The least share of the occasions at which it was followed, with one success and one failure
  /// added to both (Laplace's rule).
  static let leastRate = 0.6
  /// The share from which it is regular.
  static let regularRate = 0.75
  /// The least factor by which it is done more often than at any time.
  static let leastLift = 2.0
  /// The least likelihood among all things.
  static let leastLikelihood = 0.5
  /// The occasions in a row without it that end a habit.
  static let patience = 3
  /// The weight of what is true of all deeds in the features of one thing.
  private static let smoothing = 2.0
  /// The windows of a day in which people are awake.
  private static let windowsOfDay = 16.0 * 60 / (2 * Double(window))

  /// In order of time.
  private let deeds: [Deed]
  /// The name of the deed shortly before each one; nil for none.
  private let before: [String?]

  /// - Complexity: O(n log n) for n deeds.
  package init(_ deeds: some Sequence<Deed>) {
    let deeds = deeds.sorted { ($0.time, $0.name) < ($1.time, $1.name) }
    self.deeds = deeds
    before = deeds.indices.map { index in
      guard index > 0, deeds[index].time.since(deeds[index - 1].time) <= Self.soon else {
        return nil
      }
      return deeds[index - 1].name
    }
  }

  /// The likely actions at a moment after all deeds, the most likely first.
  ///
  /// - Parameter item: The kind of the item that was changed last, if that was shortly before.
  /// - Complexity: O(names × deeds).
  package func suggestions(
    at now: LocalMinute, item: String? = nil, limit: Int = 3
  ) -> [LikelyAction] {
    let last = deeds.last { now.since($0.time) <= Self.soon && now >= $0.time }?.name
    let likelihoods = likelihoods(at: now, after: last, item: item)
    let found = likelihoods.compactMap { name, likelihood -> LikelyAction? in
      guard likelihood >= Self.leastLikelihood, let habit = habit(of: name, at: now, after: last)
      else { return nil }
      return LikelyAction(
        name: name, reason: habit.reason, likelihood: likelihood,
        isRegular: habit.rate >= Self.regularRate)
    }
    return Array(found.sorted { ($1.likelihood, $0.name) < ($0.likelihood, $1.name) }.prefix(limit))
  }

  // MARK: Occasions

  /// The occasions of a habit: how many there were, at how many it was followed, and whether lately.
  private struct Occasions {
    var count = 0
    var followed = 0
    var missedLast = 0

    var rate: Double { Double(followed + 1) / Double(count + 2) }

    mutating func add(_ isFollowed: Bool) {
      count += 1
      followed += isFollowed ? 1 : 0
      missedLast = isFollowed ? 0 : missedLast + 1
    }
  }

  /// The surest habit by which a thing is done at a moment; nil if there is none.
  private func habit(
    of name: String, at now: LocalMinute, after last: String?
  ) -> (reason: LikelyAction.Reason, rate: Double)? {
    let times = deeds.filter { $0.name == name }.map(\.time)
    guard let first = deeds.first?.time.day else { return nil }
    var habits: [(reason: LikelyAction.Reason, occasions: Occasions)] = []
    func add(_ reason: LikelyAction.Reason, _ occasions: Occasions, days: Int, base: Double) {
      guard days >= Self.leastDays, occasions.rate >= Self.leastRate,
        occasions.rate >= Self.leastLift * base
      else { return }
      habits.append((reason, occasions))
    }
    let near = times.filter { abs($0.minute - now.minute) <= Self.window }
    // What was done today at this time is done.
    if !near.contains(where: { $0.day == now.day }) {
      let days = Set(near.map(\.day))
      let base = Double(times.count) / Double(max(now.day - first, 1)) / Self.windowsOfDay
      for kind in HabitDays.all(with: now) {
        var occasions = Occasions()
        for day in first..<max(now.day, first)
        where kind.contains(LocalMinute(day: day, minute: 0)) { occasions.add(days.contains(day)) }
        let minutes = near.filter(kind.contains).map(\.minute).sorted()
        // Never on this weekday, whatever is done on the others.
        if minutes.isEmpty && occasions.count > 1 {
          habits = []
          break
        }
        guard !minutes.isEmpty else { continue }
        add(
          .time(kind, minute: minutes[minutes.count / 2]), occasions, days: occasions.followed,
          base: base)
      }
      // Of a daily habit that has ended, its weekdays alone would be left for weeks.
      if habits.contains(where: { $0.occasions.missedLast >= Self.patience }) { habits = [] }
    }
    if let last, last != name {
      var occasions = Occasions()
      var days: Set<Int> = []
      for (index, deed) in deeds.enumerated() where deed.name == last && deed.time < now {
        guard index + 1 < deeds.count else { break }
        let isFollowed = deeds[index + 1].name == name && before[index + 1] == last
        occasions.add(isFollowed)
        if isFollowed { days.insert(deed.time.day) }
      }
      if occasions.missedLast < Self.patience {
        let base = Double(times.count) / Double(deeds.count)
        add(.after(last), occasions, days: days.count, base: base)
      }
    }
    return habits.max { $0.occasions.rate < $1.occasions.rate }
      .map { ($0.reason, $0.occasions.rate) }
  }

  // MARK: Likelihood

  /// The likelihood of each thing among all things ever done, by naive Bayes.
  private func likelihoods(
    at now: LocalMinute, after last: String?, item: String?
  ) -> [(name: String, likelihood: Double)] {
    // A feature of a deed has the moment's value or not.
    let features: [(Int) -> Bool] = [
      { abs(deeds[$0].time.minute - now.minute) <= Self.window },
      { deeds[$0].time.weekday == now.weekday },
      { before[$0] == last },
      { deeds[$0].item == item },
    ]
    var counts: [String: [Int]] = [:]
    var whole = Array(repeating: 0, count: features.count + 1)
    for index in deeds.indices {
      let values = [1] + features.map { $0(index) ? 1 : 0 }
      var sums = counts[deeds[index].name] ?? Array(repeating: 0, count: values.count)
      for (place, value) in values.enumerated() {
        sums[place] += value
        whole[place] += value
      }
      counts[deeds[index].name] = sums
    }
    let scores = counts.sorted { $0.key < $1.key }.map { name, sums -> (String, Double) in
      let own = Double(sums[0])
      var score = log(own)
      for place in 1..<sums.count {
        let share = Double(whole[place] + 1) / Double(whole[0] + 2)
        score += log((Double(sums[place]) + Self.smoothing * share) / (own + Self.smoothing))
      }
      return (name, exp(score))
    }
    let total = scores.reduce(0) { $0 + $1.1 }
    return scores.map { ($0.0, $0.1 / total) }
  }
}
