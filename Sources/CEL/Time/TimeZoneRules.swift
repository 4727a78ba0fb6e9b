/// The rules of a time zone: its offset from UTC at any time.
package struct TimeZoneRules: Sendable {
  /// A span of time with a constant offset from UTC.
  package struct Period: Hashable, Sendable {
    /// Seconds ahead of UTC.
    package let offset: Int
    /// Whether it is summer time.
    package let isDaylightSaving: Bool
    /// The zone's abbreviation in this period, such as `CEST`.
    package let abbreviation: String
  }

  /// The timestamps that correspond to a local time.
  package enum Resolution: Hashable, Sendable {
    /// The local time occurs once.
    case once(Timestamp)
    /// The local time occurs twice, since clocks are set back.
    case twice(Timestamp, Timestamp)
    /// The local time is skipped; the timestamps according to the offsets before and after the gap.
    case skipped(Timestamp, Timestamp)
  }

  /// The name, such as `Europe/Berlin`.
  package let name: String
  /// The transition times in seconds since the epoch, ascending.
  let transitions: [Int64]
  /// The period that begins at each transition.
  let following: [Period]
  /// The period before the first transition.
  let initial: Period
  /// The rule after the last transition.
  let footer: RecurringRule?
}

extension TimeZoneRules {
  /// Creates a zone with a fixed offset from UTC.
  package init(offset: Int, name: String = "UTC") {
    self.init(
      name: name, transitions: [], following: [],
      initial: Period(offset: offset, isDaylightSaving: false, abbreviation: name), footer: nil)
  }

  /// The zone UTC.
  package static let utc = TimeZoneRules(offset: 0)

  /// Whether local time is always UTC.
  package var isUTC: Bool {
    guard transitions.isEmpty, initial.offset == 0 else { return false }
    return footer.map { $0.daylight == nil && $0.standard.offset == 0 } ?? true
  }

  // MARK: - From UTC

  /// Returns the period in effect at a time.
  ///
  /// - Complexity: O(log n) in the number of transitions.
  package func period(at seconds: Int64) -> Period {
    if let last = transitions.last, seconds < last {
      let next = firstTransition(after: seconds)
      return next == 0 ? initial : following[next - 1]
    }
    return footer?.period(at: seconds) ?? following.last ?? initial
  }

  /// Returns the offset from UTC at a time, in seconds.
  package func offset(at moment: Timestamp) -> Int { period(at: moment.seconds).offset }

  /// Returns the local time of a timestamp.
  package func civilTime(at moment: Timestamp) -> CivilTime {
    CivilTime(moment, offset: offset(at: moment))
  }

  /// Returns the next transition after a time, in seconds since the epoch; nil if there is none.
  package func nextTransition(after seconds: Int64) -> Int64? {
    let next = firstTransition(after: seconds)
    if next < transitions.count { return transitions[next] }
    return footer?.nextTransition(after: seconds)
  }

  /// Returns the index of the first transition after a time.
  private func firstTransition(after seconds: Int64) -> Int {
    var low = 0
    var high = transitions.count
    while low < high {
      let middle = (low + high) / 2
      if transitions[middle] <= seconds { low = middle + 1 } else { high = middle }
    }
    return low
  }

  // MARK: - To UTC

  /// Returns the timestamps of a local time.
  package func resolve(_ time: CivilTime) -> Resolution {
    let local = time.secondsSinceEpoch
    // No zone is further from UTC than 26 hours, so only transitions in this window matter.
    var start = local - 26 * 3_600
    let end = local + 26 * 3_600
    var current = period(at: start)
    var found: [Timestamp] = []
    var skipped: (before: Int, after: Int)?
    // A valid file has few transitions in such a window; the bound guards against invalid ones.
    for _ in 0..<64 {
      let next = nextTransition(after: start)
      let moment = local - Int64(current.offset)
      if next.map({ moment < $0 }) ?? true {
        if moment >= start || found.isEmpty && skipped == nil {
          found.append(time.timestamp(offset: current.offset))
        }
        if next.map({ $0 > end }) ?? true { break }
      }
      guard let next else { break }
      let following = period(at: next)
      // In the gap: after the transition by the old offset, before it by the new one.
      if moment >= next, local - Int64(following.offset) < next {
        skipped = (current.offset, following.offset)
      }
      start = next
      current = following
    }
    if let skipped, found.isEmpty {
      return .skipped(
        time.timestamp(offset: skipped.before), time.timestamp(offset: skipped.after))
    }
    guard let first = found.first, let last = found.last, first != last else {
      return .once(found.first ?? time.timestamp(offset: current.offset))
    }
    return .twice(first, last)
  }

  /// Returns the timestamp of a local time: the earlier one if it occurs twice, and the one by the old offset if it is
  /// skipped.
  package func timestamp(of time: CivilTime) -> Timestamp {
    switch resolve(time) {
    case .once(let moment), .twice(let moment, _), .skipped(let moment, _): moment
    }
  }
}
