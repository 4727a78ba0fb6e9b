package import CEL
import ForeignText
package import Items

/// Events in a range of time: a series as its occurrences, each with the times and the texts of its day.
package struct CalendarSeries {
  private let mapping: CalendarMapping
  private var own: TimeZoneRules { mapping.zone }

  package init(zone: TimeZoneRules, holidays: Holidays = .none) {
    mapping = CalendarMapping(zone: zone, holidays: holidays)
  }

  /// The times of an event or of one of its occurrences.
  private struct Span {
    var start: Timestamp
    var end: Timestamp?

    /// Whether it takes place within a range, at least in part.
    func overlaps(_ range: Range<Timestamp>, _ zone: TimeZoneRules) -> Bool {
      var end = end ?? start
      if start.isDay { end = zone.day(after: max(end, start)) }
      return start < range.upperBound && (end > range.lowerBound || start >= range.lowerBound)
    }
  }

  /// Returns the occurrences of an item within a range, in order.
  ///
  /// - Parameters:
  ///   - places: The properties with its times.
  ///   - limit: The most occurrences.
  package func occurrences(
    of record: Record, _ schema: EntitySchema, _ places: EntitySchema.Occurrence,
    in range: Range<Timestamp>, limit: Int
  ) -> [Record] {
    func value(_ index: Int?) -> Value { index.map { record.values[$0] } ?? .null }
    func text(_ index: Int?) -> String? {
      if case .string(let text) = value(index) { text } else { nil }
    }
    guard case .timestamp(let first) = value(places.start) else { return [] }
    var span = Span(start: first)
    if case .timestamp(let end) = value(places.end) { span.end = end }
    if value(places.allDay) == .bool(true) {
      span.start = own.day(after: span.start, by: 0)
      span.end = span.end.map { own.day(after: $0, by: 0) }
    }
    guard let rule = text(places.rule).flatMap({ RepeatRule($0) }) else {
      guard span.overlaps(range, own) else { return [] }
      var record = record
      record.values[places.start] = .timestamp(span.start)
      if let index = places.end, let end = span.end { record.values[index] = .timestamp(end) }
      return [record]
    }
    let rules = span.start.isDay ? own : text(places.zone).flatMap(TimeZoneRules.named) ?? own
    let start = rules.civilTime(at: span.start)
    let changes = Changes(text(places.source), mapping, start: start, rule)
    let length = Self.length(of: span, rules)
    // Wider than the range by the length of an event and the distance of zones.
    let lower = rules.civilTime(at: range.lowerBound).date.adding(days: -length.days - 2)
    let upper = rules.civilTime(at: range.upperBound).date.adding(days: 2)
    var times = Set(changes.added.filter { (lower...upper).contains($0.date) })
    if !changes.isWithoutStart { times.insert(start) }
    switch rule {
    case .afterDone: break
    case .recurrence(let rule):
      let days = rule.days(from: start.date, in: lower...upper, limit: limit, mapping.holidays)
      times.formUnion(days.map { CivilTime(date: $0, secondOfDay: start.secondOfDay) })
    case .calendar(let rule):
      let until = rule.until.map { until in
        until.form == .utc
          ? rules.civilTime(at: until.time.timestamp())
          : CivilTime(
            date: until.time.date, secondOfDay: until.form == .day ? 86_399 : until.time.secondOfDay
          )
      }
      times.formUnion(
        rule.times(
          from: start, until: until, in: CivilTime(date: lower)..<CivilTime(date: upper),
          limit: limit))
    }
    times.subtract(changes.removed)
    var found: [(start: Timestamp, record: Record)] = []
    for time in times {
      let moment = rules.timestamp(of: time)
      var occurrence = Span(start: span.start.isDay ? moment.asDay : moment)
      if span.end != nil {
        occurrence.end =
          span.start.isDay
          ? own.day(after: occurrence.start, by: length.days)
          : Timestamp(seconds: moment.seconds + length.seconds)
      }
      guard occurrence.overlaps(range, own) else { continue }
      var record = record
      record.values[places.start] = .timestamp(occurrence.start)
      if let index = places.end, let end = occurrence.end { record.values[index] = .timestamp(end) }
      found.append((occurrence.start, record))
    }
    for fields in changes.replaced {
      var changed = record
      for (name, value) in mapping.values(of: fields, in: schema) {
        guard let index = schema.properties.firstIndex(where: { $0.name == name }),
          ![places.rule, places.source].contains(index)
        else { continue }
        changed.values[index] = value
      }
      guard case .timestamp(let start) = changed.values[places.start] else { continue }
      var span = Span(start: start)
      if let end = places.end, case .timestamp(let end) = changed.values[end] { span.end = end }
      if span.overlaps(range, own) { found.append((start, changed)) }
    }
    return found.sorted { $0.start < $1.start }.prefix(limit).map(\.record)
  }

  /// The length of an event, in days for whole days.
  private static func length(of span: Span, _ zone: TimeZoneRules) -> (days: Int, seconds: Int64) {
    guard let end = span.end, end > span.start else { return (0, 0) }
    let seconds = end.seconds - span.start.seconds
    let days =
      zone.civilTime(at: end).date.daysSinceEpoch
      - zone.civilTime(at: span.start).date.daysSinceEpoch
    return (days, seconds)
  }

  /// The days on which a series from a calendar differs from its rule.
  private struct Changes {
    var added: [CivilTime] = []
    /// Times that do not take place, or as one of `replaced`.
    var removed: Set<CivilTime> = []
    var replaced: [CalendarMapping.Fields] = []
    /// Whether the rule itself leaves its start out.
    var isWithoutStart = false

    init(_ ical: String?, _ mapping: CalendarMapping, start: CivilTime, _ rule: RepeatRule) {
      if case .recurrence(let rule) = rule { isWithoutStart = rule.exceptions.contains(start.date) }
      let marks = ["RECURRENCE-ID", "RDATE", "EXDATE"]
      guard let ical, marks.contains(where: ical.contains),
        let object = CalendarObject(ical: ical)
      else { return }
      let times = CalendarMapping.Times(object.main, object, mapping)
      added = times.list("RDATE").map(meant)
      // The words of a rule have its exceptions.
      if case .calendar = rule { removed = Set(times.list("EXDATE").map(meant)) }
      for component in object.components {
        var other = object
        other.main = component
        let times = CalendarMapping.Times(component, object, mapping, in: times.rules)
        guard let place = times.list("RECURRENCE-ID").first else { continue }
        removed.insert(meant(place))
        if component["STATUS"]?.value.uppercased() != "CANCELLED" {
          replaced.append(mapping.fields(of: other))
        }
      }
      /// A day stands for its occurrence.
      func meant(_ time: CivilTime) -> CivilTime {
        time.secondOfDay == 0 ? CivilTime(date: time.date, secondOfDay: start.secondOfDay) : time
      }
    }
  }
}
