import CEL
import ForeignText
import Items

extension CalendarMapping {
  /// The times of a component in its zone.
  struct Times {
    let component: CalendarComponent
    let zones: CalendarZones
    let start: Timestamp?
    /// The end as the component has it: that of a whole day is the day after.
    let end: Timestamp?
    /// The name of the zone in the system's database; nil for none, and for whole days.
    let zoneName: String?
    /// The rules of the zone, or the person's.
    let rules: TimeZoneRules
    /// Whether its times are local times without a zone.
    let isFloating: Bool
    private let own: TimeZoneRules

    /// - Parameter series: The zone of the series that it belongs to; by default its own.
    init(
      _ component: CalendarComponent, _ object: CalendarObject, _ mapping: CalendarMapping,
      in series: TimeZoneRules? = nil
    ) {
      self.component = component
      own = mapping.zone
      let own = mapping.zone
      zones = CalendarZones(
        CalendarComponent("VCALENDAR", object.zones.map { .component($0) }), own: own)
      let zones = zones
      func moment(_ property: CalendarProperty?) -> Timestamp? {
        guard let property, let stamp = CalendarStamp(property.value.trimmingBlanks) else {
          return nil
        }
        return zones.timestamp(of: stamp, zone: property["TZID"]) { own.timestamp(of: $0) }
      }
      let endName = component.name == "VTODO" ? "DUE" : "DTEND"
      let first = component["DTSTART"] ?? component[endName]
      let stamp = first.flatMap { CalendarStamp($0.value.trimmingBlanks) }
      start = moment(component["DTSTART"])
      var end = moment(component[endName])
      if end == nil, let start,
        let length = component["DURATION"].flatMap({
          DurationValue(calendarText: $0.value.trimmingBlanks)
        })
      {
        end =
          start.isDay
          ? own.day(after: start, by: Int(length.seconds / 86_400))
          : Timestamp(seconds: start.seconds + length.seconds)
      }
      self.end = end
      isFloating = stamp?.form == .local && first?["TZID"] == nil
      zoneName =
        switch stamp?.form {
        case .utc: "UTC"
        case .local: first?["TZID"].flatMap { zones.name(of: $0) }
        default: nil
        }
      rules = series ?? zoneName.flatMap(TimeZoneRules.named) ?? own
    }

    /// The last day of a whole event, if it has several, or the end of another.
    var lastMoment: Timestamp? {
      guard let start, let end, end > start else { return nil }
      guard start.isDay else { return end }
      let last = own.day(after: end, by: -1)
      return last > start ? last : nil
    }

    /// The local time of a moment in the zone, for a day that of the person.
    func local(_ moment: Timestamp) -> CivilTime {
      (moment.isDay ? own : rules).civilTime(at: moment)
    }

    /// The local time from which a rule counts.
    var reference: CivilTime? {
      (component.name == "VTODO" ? end ?? start : start).map(local)
    }

    /// The local time of a property with a stamp in any form; a day is its end.
    func local(_ stamp: CalendarStamp, isEnd: Bool = false) -> CivilTime {
      switch stamp.form {
      case .utc: rules.civilTime(at: stamp.time.timestamp())
      case .local: stamp.time
      case .day: isEnd ? CivilTime(date: stamp.time.date, secondOfDay: 86_399) : stamp.time
      }
    }

    /// A day or a moment as text.
    func text(_ moment: Timestamp?) -> Value {
      guard let moment else { return .null }
      return .string(moment.isDay ? own.civilTime(at: moment).date.iso8601 : moment.text)
    }

    /// The local times of a property that lists some, such as `EXDATE`.
    func list(_ name: String) -> [CivilTime] {
      component.properties.filter { $0.name == name }.flatMap { property in
        // Of a period, the start.
        property.texts.compactMap { CalendarStamp(String($0.prefix { $0 != "/" }).trimmingBlanks) }
          .map { stamp in
            if stamp.form == .day { return stamp.time }
            return local(
              zones.timestamp(of: stamp, zone: property["TZID"]) { own.timestamp(of: $0) })
          }
      }
    }
  }

  // MARK: - Repetition

  /// The rule of a component, in words if they can say it; nil for none.
  func repetition(of component: CalendarComponent, _ times: Times) -> String? {
    let ruleText = component["RRULE"]?.value.trimmingBlanks
    // The words from which the rule was written, unless another program has changed it.
    if let words = component["X-ERRAND-REPEAT"]?.text, let rule = RepeatRule(words) {
      let lines = lines(of: rule, times).filter { $0.name != "X-ERRAND-REPEAT" }
      let known = component.properties.filter { ["RRULE", "EXDATE"].contains($0.name) }
      if Set(lines) == Set(known) { return rule.text }
    }
    guard let ruleText, let rule = CalendarRule(ruleText) else { return nil }
    guard let start = times.reference else { return RepeatRule.calendar(rule).text }
    let until = rule.until.map { times.local($0, isEnd: true) }
    let exceptions = Set(times.list("EXDATE").map(\.date))
    let words = Recurrence(rule, from: start, until: until, exceptions: exceptions)
    return (words.map(RepeatRule.recurrence) ?? .calendar(rule)).text
  }

  /// The properties of a rule; with its words where a calendar cannot say the same.
  func lines(of rule: RepeatRule, _ times: Times) -> [CalendarProperty] {
    guard case .recurrence(let recurrence) = rule, let start = times.reference else {
      if case .calendar(let rule) = rule { return [CalendarProperty("RRULE", rule.text)] }
      return [CalendarProperty("X-ERRAND-REPEAT", texts: [rule.text])]
    }
    let first = times.component.name == "VTODO" ? times.end ?? times.start : times.start
    let isDay = first?.isDay ?? true
    let text = recurrence.calendarRule(from: start.date) { day in
      if isDay { return CalendarStamp(CivilTime(date: day), .day).text }
      let end = CivilTime(date: day, secondOfDay: 86_399)
      if times.isFloating { return CalendarStamp(end, .local).text }
      return CalendarStamp(CivilTime(times.rules.timestamp(of: end)), .utc).text
    }
    var lines = text.map { [CalendarProperty("RRULE", $0)] } ?? []
    var exceptions = recurrence.exceptions
    if recurrence.skipsHolidays {
      var all = recurrence
      all.skipsHolidays = false
      let years = start.date...start.date.adding(months: 36)
      exceptions.formUnion(
        all.days(from: start.date, in: years, limit: 2_000).filter(holidays.contains))
    }
    if !lines.isEmpty, !exceptions.isEmpty {
      let texts = exceptions.sorted().map { day in
        let time = CivilTime(date: day, secondOfDay: start.secondOfDay)
        if isDay { return CalendarStamp(time, .day).text }
        return times.zoneName == "UTC"
          ? CalendarStamp(CivilTime(times.rules.timestamp(of: time)), .utc).text
          : CalendarStamp(time, .local).text
      }
      let zone = (times.component["DTSTART"] ?? times.component["DUE"])?["TZID"]
      lines.append(
        CalendarProperty(
          "EXDATE", texts.joined(separator: ","),
          ["VALUE": isDay ? "DATE" : nil, "TZID": isDay ? nil : zone]))
    }
    // A word of ours that is read back differently stays beside the rule.
    let until = recurrence.until.map { CivilTime(date: $0, secondOfDay: 86_399) }
    let read = text.flatMap { CalendarRule($0) }.flatMap {
      Recurrence($0, from: start, until: until, exceptions: exceptions)
    }
    if read != recurrence {
      lines.append(CalendarProperty("X-ERRAND-REPEAT", texts: [recurrence.text]))
    }
    return lines
  }

  // MARK: - Reminders

  /// The reminder that an alarm means; nil for one of another kind.
  func alarm(_ alarm: CalendarComponent, _ times: Times) -> String? {
    guard alarm.name == "VALARM", let trigger = alarm["TRIGGER"],
      alarm["ACTION"]?.value.uppercased() != "EMAIL"
    else { return nil }
    if let words = alarm["X-ERRAND-REMIND"]?.text, let rule = ReminderRule(words) {
      return rule.text
    }
    if let stamp = CalendarStamp(trigger.value), stamp.form == .utc {
      return ReminderRule.moment(stamp.time.timestamp()).text
    }
    guard var length = DurationValue(calendarText: trigger.value)?.seconds else { return nil }
    if trigger["RELATED"]?.uppercased() != "END", let start = times.start, let end = times.end {
      length += start.seconds - end.seconds
    }
    if length > 0 { return nil }
    if length == 0 { return ReminderRule.atDue.text }
    return ReminderRule(length % 86_400 == 0 ? "\(-length / 86_400)d" : "\(-length)s")?.text
  }

  /// The alarm of a reminder; nil for a text that is none.
  func alarm(for text: String, _ times: Times) -> CalendarComponent? {
    guard let rule = ReminderRule(text) else { return nil }
    let due = times.end ?? times.start
    let trigger: CalendarProperty
    func before(_ seconds: Int64) -> CalendarProperty {
      CalendarProperty(
        "TRIGGER", DurationValue(seconds: -seconds).calendarText,
        ["RELATED": times.end == nil ? nil : "END"])
    }
    func at(_ moment: Timestamp) -> CalendarProperty {
      CalendarProperty(
        "TRIGGER", CalendarStamp(CivilTime(moment), .utc).text, ["VALUE": "DATE-TIME"])
    }
    switch rule {
    case .atDue: trigger = before(0)
    case .timeBefore(let length): trigger = before(length.seconds)
    case .daysBefore(let period):
      let day = due.map { zone.civilTime(at: $0).date }
      let days = day.map { $0.daysSinceEpoch - $0.adding(months: -period.months).daysSinceEpoch }
      trigger = before(Int64(period.days + (days ?? period.months * 30)) * 86_400)
    case .at(let time): trigger = at(zone.timestamp(of: time))
    case .moment(let moment): trigger = at(moment)
    }
    var alarm = CalendarComponent(
      "VALARM",
      [
        .property(CalendarProperty("ACTION", "DISPLAY")), .property(trigger),
        .property(CalendarProperty("DESCRIPTION", texts: [times.component["SUMMARY"]?.text ?? ""])),
      ])
    if self.alarm(alarm, times) != rule.text {
      alarm.set("X-ERRAND-REMIND", [CalendarProperty("X-ERRAND-REMIND", texts: [rule.text])])
    }
    return alarm
  }
}
