package import CEL

/// The clock on the user's wall: moments as days and times of day there, and back.
package struct LocalClock: Sendable {
  /// How many seconds the wall is ahead of UTC at a moment.
  package let offset: @Sendable (Timestamp) -> Int

  package init(offset: @escaping @Sendable (Timestamp) -> Int) {
    self.offset = offset
  }

  /// A clock that shows UTC.
  package static let utc = LocalClock { _ in 0 }

  /// What the wall shows at a moment.
  package func time(at moment: Timestamp) -> CivilTime {
    CivilTime(moment, offset: offset(moment))
  }

  /// The moment at which the wall shows a time.
  ///
  /// A time that the wall shows twice, when clocks go back, is the first of the two; one that it
  /// never shows, when they go forward, is as much later as they jump.
  package func moment(of time: CivilTime) -> Timestamp {
    let day: Int64 = 86_400
    let asUTC = time.timestamp()
    let before = offset(Timestamp(seconds: asUTC.seconds - day))
    let after = offset(Timestamp(seconds: asUTC.seconds + day))
    for candidate in [before, after] {
      let moment = time.timestamp(offset: candidate)
      if offset(moment) == candidate { return moment }
    }
    return time.timestamp(offset: before)
  }

  /// The first moment of a day.
  package func start(of date: CivilDate) -> Timestamp {
    moment(of: CivilTime(date: date))
  }
}
