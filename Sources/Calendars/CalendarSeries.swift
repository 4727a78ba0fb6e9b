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
    // Wider than the range by the length of an event, the distance of zones and that of moved ones.
    let days = changes.following.map(\.days)
    let lower = rules.civilTime(at: range.lowerBound).date
      .adding(days: -max(length.days, changes.following.map(\.length.days).max() ?? 0) - 2)
      .adding(days: -max(0, days.max() ?? 0))
    let upper = rules.civilTime(at: range.upperBound).date.adding(days: 2 - min(0, days.min() ?? 0))
    // Of a rule within days, the times before would be too many.
    let earliest = CivilTime(
      Timestamp(
        seconds: rules.civilTime(at: range.lowerBound).timestamp().seconds - length.seconds
          - Int64(Self.mostBefore) - 86_400 * Int64(max(0, days.max() ?? 0))))
    func ruleTimes(_ rule: CalendarRule) -> [CivilTime] {
      let until = rule.until.map { until in
        until.form == .utc
          ? rules.civilTime(at: until.time.timestamp())
          : CivilTime(
            date: until.time.date, secondOfDay: until.form == .day ? 86_399 : until.time.secondOfDay
          )
      }
      return rule.times(
        from: start, until: until,
        in: (rule.frequency.seconds == nil ? CivilTime(date: lower) : earliest)..<CivilTime(
          date: upper),
        limit: limit + Self.mostBefore)
    }
    var times = Set(changes.added.filter { (lower...upper).contains($0.date) })
    if !changes.isWithoutStart { times.insert(start) }
    switch rule {
    case .afterDone: break
    case .recurrence(let rule):
      let days = rule.days(from: start.date, in: lower...upper, limit: limit, mapping.holidays)
      times.formUnion(days.map { CivilTime(date: $0, secondOfDay: start.secondOfDay) })
    case .calendar(let rule): times.formUnion(ruleTimes(rule))
    }
    times.formUnion(changes.rules.flatMap(ruleTimes).filter { !changes.except.contains($0) })
    times.subtract(changes.removed)
    var found: [(start: Timestamp, record: Record)] = []
    /// The record of an occurrence that has the values of another component.
    func changed(_ fields: CalendarMapping.Fields) -> Record {
      var changed = record
      for (name, value) in mapping.values(of: fields, in: schema) {
        guard let index = schema.properties.firstIndex(where: { $0.name == name }),
          ![places.rule, places.source].contains(index)
        else { continue }
        changed.values[index] = value
      }
      return changed
    }
    for time in times {
      // The last change that is of this and all later ones.
      let change = changes.following.last { $0.first <= time }
      if change?.isCancelled ?? false { continue }
      let (isDay, length) = (change?.isDay ?? span.start.isDay, change?.length ?? length)
      let moment = rules.timestamp(of: change?.moved(time) ?? time)
      var occurrence = Span(start: isDay ? own.day(after: moment, by: 0) : moment)
      if change?.hasEnd ?? (span.end != nil) {
        occurrence.end =
          isDay
          ? own.day(after: occurrence.start, by: length.days)
          : Timestamp(seconds: moment.seconds + length.seconds)
      }
      guard occurrence.overlaps(range, own) else { continue }
      var record = change.map { changed($0.fields) } ?? record
      record.values[places.start] = .timestamp(occurrence.start)
      if let index = places.end, let end = occurrence.end { record.values[index] = .timestamp(end) }
      found.append((occurrence.start, record))
    }
    for fields in changes.replaced {
      let changed = changed(fields)
      guard case .timestamp(let start) = changed.values[places.start] else { continue }
      var span = Span(start: start)
      if let end = places.end, case .timestamp(let end) = changed.values[end] { span.end = end }
      if span.overlaps(range, own) { found.append((start, changed)) }
    }
    return found.sorted { $0.start < $1.start }.prefix(limit).map(\.record)
  }

  /// The seconds by which clocks change at most, and the times of a rule before a range because of that.
  private static let mostBefore = 7_200

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
    /// The changes of an occurrence and all later ones, in the order of time.
    var following: [Following] = []
    /// The rules besides that of the item, and the times that they leave out.
    var rules: [CalendarRule] = []
    var except: Set<CivilTime> = []
    /// Whether the rule itself leaves its start out.
    var isWithoutStart = false

    init(_ ical: String?, _ mapping: CalendarMapping, start: CivilTime, _ rule: RepeatRule) {
      if case .recurrence(let rule) = rule { isWithoutStart = rule.exceptions.contains(start.date) }
      let marks = ["RECURRENCE-ID", "RDATE", "EXDATE"]
      guard let ical,
        marks.contains(where: ical.contains) || ical.ranges(of: "RRULE").count > 1,
        let object = CalendarObject(ical: ical)
      else { return }
      let times = CalendarMapping.Times(object.main, object, mapping)
      added = times.list("RDATE").map(meant)
      except = Set(times.list("EXDATE").map(meant))
      // The words of a rule have its exceptions.
      if case .calendar = rule { removed = except }
      // A rule that was changed here takes the place of all.
      if mapping.repetition(of: object.main, times) == rule.text {
        rules = object.main.properties.filter { $0.name == "RRULE" }.dropFirst()
          .compactMap { CalendarRule($0.value.trimmingBlanks) }
      }
      for component in object.components {
        var other = object
        other.main = component
        let times = CalendarMapping.Times(component, object, mapping, in: times.rules)
        guard let place = times.list("RECURRENCE-ID").first.map(meant) else { continue }
        if component["RECURRENCE-ID"]?["RANGE"]?.uppercased() == "THISANDFUTURE" {
          following.append(
            Following(from: place, times, component, fields: mapping.fields(of: other)))
          continue
        }
        removed.insert(place)
        if component["STATUS"]?.value.uppercased() != "CANCELLED" {
          replaced.append(mapping.fields(of: other))
        }
      }
      following.sort { $0.first < $1.first }
      /// A day stands for its occurrence.
      func meant(_ time: CivilTime) -> CivilTime {
        time.secondOfDay == 0 ? CivilTime(date: time.date, secondOfDay: start.secondOfDay) : time
      }
    }
  }

  /// A change of an occurrence and all later ones (RFC 5545 §3.2.13).
  private struct Following {
    /// The time that the rule gives the first of them.
    let first: CivilTime
    let fields: CalendarMapping.Fields
    let isCancelled: Bool
    let isDay: Bool
    let hasEnd: Bool
    let length: (days: Int, seconds: Int64)
    /// The seconds by which local times are later.
    private let shift: Int64

    init(
      from first: CivilTime, _ times: CalendarMapping.Times, _ component: CalendarComponent,
      fields: CalendarMapping.Fields
    ) {
      (self.first, self.fields) = (first, fields)
      isCancelled = component["STATUS"]?.value.uppercased() == "CANCELLED"
      isDay = times.start?.isDay ?? false
      hasEnd = times.lastMoment != nil
      length =
        times.start.map {
          CalendarSeries.length(of: Span(start: $0, end: times.lastMoment), times.rules)
        } ?? (0, 0)
      let start = times.start.map(times.local)
      shift = start.map { $0.timestamp().seconds - first.timestamp().seconds } ?? 0
    }

    /// The days by which they are later.
    var days: Int { Int(shift / 86_400) + (shift > 0 ? 1 : shift < 0 ? -1 : 0) }

    func moved(_ time: CivilTime) -> CivilTime {
      CivilTime(Timestamp(seconds: time.timestamp().seconds + shift))
    }
  }
}
