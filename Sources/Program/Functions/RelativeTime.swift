package import CEL

/// How far a moment lies from now, as a person says it: `5 minutes ago`, `tomorrow`.
package enum RelativeTime {
  /// The words for a moment; days, months and years are counted on the wall's calendar.
  package static func text(for moment: Timestamp, now: Timestamp, clock: LocalClock) -> String {
    let isPast = moment <= now
    let seconds = now.seconds.subtractingReportingOverflow(moment.seconds).partialValue.magnitude
    switch seconds {
    case ..<60: return isPast ? "just now" : "in a moment"
    case ..<3_600: return words(Int(seconds / 60), "minute", isPast)
    case ..<86_400: return words(Int(seconds / 3_600), "hour", isPast)
    default: break
    }
    let (there, here) = (clock.time(at: moment).date, clock.time(at: now).date)
    let (early, late) = isPast ? (there, here) : (here, there)
    let days = late.daysSinceEpoch - early.daysSinceEpoch
    switch days {
    case ..<2: return isPast ? "yesterday" : "tomorrow"
    case ..<7: return words(days, "day", isPast)
    case ..<30: return words(days / 7, "week", isPast)
    default: break
    }
    let partOfMonth = late.day < early.day ? 1 : 0
    let months = (late.year - early.year) * 12 + late.month - early.month - partOfMonth
    if months < 12 { return words(max(months, 1), "month", isPast) }
    return words(months / 12, "year", isPast)
  }

  private static func words(_ count: Int, _ unit: String, _ isPast: Bool) -> String {
    let amount = "\(count) \(unit)\(count == 1 ? "" : "s")"
    return isPast ? "\(amount) ago" : "in \(amount)"
  }
}
