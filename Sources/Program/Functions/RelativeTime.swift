package import CEL
import Items

/// Relative times as people say them: `5 minutes ago`, `tomorrow`.
package enum RelativeTime {
  /// Returns the words for a timestamp; days, months and years follow the local calendar.
  package static func text(
    for moment: Timestamp, now: Timestamp, clock: LocalClock, in language: Language = .english
  ) -> String {
    language.relativeText(for: moment, now: now, clock: clock)
  }

  /// The distance from now in whole units; nil for less than a minute.
  static func distance(
    to moment: Timestamp, from now: Timestamp, _ clock: LocalClock
  ) -> (isPast: Bool, unit: String, count: Int)? {
    let isPast = moment <= now
    let seconds = now.seconds.subtractingReportingOverflow(moment.seconds).partialValue.magnitude
    switch seconds {
    case ..<60: return nil
    case ..<3_600: return (isPast, "minute", Int(seconds / 60))
    case ..<86_400: return (isPast, "hour", Int(seconds / 3_600))
    default: break
    }
    let (there, here) = (clock.time(at: moment).date, clock.time(at: now).date)
    let (early, late) = isPast ? (there, here) : (here, there)
    let days = late.daysSinceEpoch - early.daysSinceEpoch
    switch days {
    case ..<2: return (isPast, "day", 1)
    case ..<7: return (isPast, "day", days)
    case ..<30: return (isPast, "week", days / 7)
    default: break
    }
    let partOfMonth = late.day < early.day ? 1 : 0
    let months = (late.year - early.year) * 12 + late.month - early.month - partOfMonth
    if months < 12 { return (isPast, "month", max(months, 1)) }
    return (isPast, "year", months / 12)
  }
}
