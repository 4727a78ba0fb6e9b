import CEL

/// A range of time in its written form: days, or local times or moments, around a slash.
package enum RangeText {
  /// Examples for messages and help.
  package static let examples =
    "today, this week, next 3 days, since friday, 2026-11, 2026-11-02/2026-11-08"

  /// The canonical form of a day, a month, a year or two ends of which one may be left out, such as
  /// `2026-11-02/2026-11-08`; nil for any other text.
  package static func canonical(_ text: String) -> String? {
    let text = text.trimmed
    guard text.utf8.count <= 80 else { return nil }
    let parts = text.split(separator: "-")
    let isYear = parts.count < 3 && parts.first.map { $0.count == 4 } ?? false
    if isYear, let first = CivilDate(iso8601: text + (parts.count == 1 ? "-01-01" : "-01")) {
      let last = first.adding(days: -1, months: parts.count == 1 ? 12 : 1)
      return "\(first.iso8601)/\(last.iso8601)"
    }
    if let day = CivilDate(iso8601: text) { return day.iso8601 }
    let ends = text.split(separator: "/", omittingEmptySubsequences: false).map(end)
    guard ends.count == 2, let first = ends[0], let last = ends[1], !first.isEmpty || !last.isEmpty,
      first.isEmpty || last.isEmpty || first.count != last.count || first <= last
    else { return nil }
    return first == last ? first : "\(first)/\(last)"
  }

  /// The canonical form of a map with the moments `start` and `end`; nil for other maps.
  static func text(of range: MapValue) -> String? {
    guard case .timestamp(let start)? = range["start"], case .timestamp(let end)? = range["end"]
    else { return nil }
    return canonical("\(start.text)/\(end.text)")
  }

  /// The canonical form of one end; empty for an open one.
  private static func end(_ text: Substring) -> String? {
    let text = String(text).trimmed.uppercased()
    if text.isEmpty { return "" }
    if let day = CivilDate(iso8601: text) { return day.iso8601 }
    if let moment = Timestamp(rfc3339: text) { return moment.text }
    let parts = text.split(separator: "T", omittingEmptySubsequences: false)
    guard parts.count == 2, let day = CivilDate(iso8601: String(parts[0])) else { return nil }
    return TimeOfDay.time(String(parts[1]), on: day)?.localText
  }
}
