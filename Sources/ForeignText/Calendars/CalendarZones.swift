package import CEL

/// The time zones that a calendar defines (RFC 5545 §3.6.5), and the times in them.
package struct CalendarZones: Sendable {
  /// A part of a definition: the times from which an offset applies.
  private struct Observance {
    let start: CivilTime
    let from: Int
    let to: Int
    let rule: CalendarRule?
    let others: [CivilTime]

    init?(_ component: CalendarComponent) {
      guard let start = component["DTSTART"].flatMap({ CalendarStamp($0.value) }),
        let to = component["TZOFFSETTO"].flatMap({ Self.offset($0.value) })
      else { return nil }
      self.start = start.time
      self.to = to
      from = component["TZOFFSETFROM"].flatMap { Self.offset($0.value) } ?? to
      rule = component["RRULE"].flatMap { CalendarRule($0.value) }
      others = component.properties.filter { $0.name == "RDATE" }.flatMap(\.texts)
        .compactMap { CalendarStamp($0)?.time }
    }

    /// Returns the last time at or before another from which the offset applies.
    func onset(before time: CivilTime) -> CivilTime? {
      var times = (others + [start]).filter { $0 <= time }
      if let rule, start <= time {
        let year = CivilTime(date: time.date.adding(days: -800), secondOfDay: 0)
        let until = rule.until.map { until in
          until.form == .utc
            ? CivilTime(until.time.timestamp(), offset: from) : until.time
        }
        let end = CivilTime(date: time.date, secondOfDay: time.secondOfDay + 1)
        times += rule.times(from: start, until: until, in: min(year, time)..<end, limit: 10)
        // One that ended long ago applies from its last time on.
        if let until, until < year {
          times += rule.times(
            from: start, until: until,
            in: CivilTime(date: until.date.adding(days: -800))..<end, limit: 10)
        }
      }
      return times.max()
    }

    /// Parses an offset such as `+0530` and returns seconds (§3.3.14).
    private static func offset(_ text: String) -> Int? {
      let text = text.trimmingBlanks
      guard let number = Int(text.prefix(5)), abs(number) < 2_400 else { return nil }
      return (number / 100 * 60 + number % 100) * 60
    }
  }

  /// The names in the system's database of the zones that the calendar defines.
  private var names: [String: String] = [:]
  /// The definitions of those without one.
  private var definitions: [String: [Observance]] = [:]

  /// Reads the zones of a calendar; without one, only names are known.
  ///
  /// - Parameter own: The person's zone, which is tried first for a zone without a known name.
  package init(_ calendar: CalendarComponent? = nil, own: TimeZoneRules? = nil) {
    for component in calendar?.components ?? [] where component.name == "VTIMEZONE" {
      guard let zone = component["TZID"]?.text, names[zone] == nil else { continue }
      let location = component["X-LIC-LOCATION"].flatMap { Self.known($0.text) }
      if let name = Self.known(zone) ?? location ?? Self.named(onWindows: zone) {
        names[zone] = name
        continue
      }
      let observances = component.components.compactMap { Observance($0) }
      if let name = Self.name(like: observances, own) {
        names[zone] = name
      } else if !observances.isEmpty {
        definitions[zone] = observances
      }
    }
  }

  /// Returns the name in the system's database of a zone, by its own name, a name that its definition
  /// gives, its name on Windows, or the offsets of its definition; nil if unknown.
  package func name(of zone: String) -> String? {
    if let name = names[zone] ?? Self.known(zone) ?? Self.named(onWindows: zone) { return name }
    return definitions[zone] == nil ? Self.shown(zone) : nil
  }

  /// The zone of a name as programs show it, such as `(UTC+01:00) Amsterdam, Berlin`,
  /// `Eastern Time (US & Canada)`, `europe/berlin` or `GMT+0100`: by a city, or else by its offset.
  private static func shown(_ name: String) -> String? {
    // The names of all zones are shorter.
    guard name.utf8.count < 100 else { return nil }
    let isOffset = ["(UTC", "(GMT", "UTC", "GMT"].contains { name.uppercased().hasPrefix($0) }
    let offset = isOffset ? name.drop { !"+-−".contains($0) }.prefix { $0 != ")" } : ""
    let words = name.drop { isOffset && $0 != ")" }.split { "),".contains($0) }
    let regions = ["", "Europe/", "America/", "Asia/", "Africa/", "Australia/", "Pacific/"]
    for word in words + (isOffset ? [] : [name[...]]) {
      let word = String(word).trimmingBlanks
      if let end = word.firstRange(of: " Time"),
        let found = named(onWindows: String(word[..<end.lowerBound]))
      {
        return found
      }
      let city = word.split(separator: "/").map { part in
        part.split { $0 == " " || $0 == "_" }.map {
          $0.prefix(1).uppercased() + $0.dropFirst().lowercased()
        }
        .joined(separator: "_")
      }.joined(separator: "/")
      if city.isEmpty { continue }
      let found = regions.lazy.map { $0 + city }.first {
        $0.contains("/") && TimeZoneRules.named($0) != nil
      }
      if let found { return found }
    }
    if name.lowercased().hasSuffix("/utc") || isOffset && offset.isEmpty { return "UTC" }
    let digits = offset.dropFirst().filter { $0.isASCII && $0.isNumber }
    let number = String((digits.count > 2 ? digits : digits + "00").suffix(4))
    let zone =
      (offset.first == "+" ? "+" : "-") + (number.count < 4 ? "0" : "") + number.dropLast(2) + ":"
      + number.suffix(2)
    return isOffset && TimeZoneRules.named(zone) != nil ? zone : nil
  }

  private static func named(onWindows zone: String) -> String? {
    let short = zone.hasSuffix(" Standard Time") ? String(zone.dropLast(14)) : zone
    guard let name = WindowsZones.names[short], TimeZoneRules.named(name) != nil else { return nil }
    return name
  }

  /// The name of a zone with the same offsets.
  private static func name(like observances: [Observance], _ own: TimeZoneRules?) -> String? {
    if observances.isEmpty { return nil }
    // The middle of each month of a year in which all parts of the definition apply.
    let year = max(2_020, observances.map(\.start.date.year).max() ?? 0)
    let times = (1...12).compactMap { CivilDate(year: year, month: $0, day: 15) }
      .map { CivilTime(date: $0, secondOfDay: 43_200) }
    let offsets = times.map { offset(at: $0, observances) }
    func fits(_ zone: TimeZoneRules) -> Bool {
      times.map { zone.offset(at: zone.timestamp(of: $0)) } == offsets
    }
    if let own, own.name.contains("/"), !own.name.hasPrefix("/"), fits(own) { return own.name }
    return WindowsZones.names.values.sorted().lazy.compactMap(TimeZoneRules.named).first(
      where: fits)?
      .name
  }

  /// A name that the system knows, perhaps after a prefix such as `/mozilla.org/20050126_1/`.
  private static func known(_ name: String) -> String? {
    if name.isEmpty { return nil }
    if !name.hasPrefix("/") { return TimeZoneRules.named(name) == nil ? nil : name }
    let parts = name.split(separator: "/")
    return (1...3).lazy.map { parts.suffix($0).joined(separator: "/") }
      .first { $0.contains("/") && TimeZoneRules.named($0) != nil }
  }

  private static func offset(at time: CivilTime, _ observances: [Observance]) -> Int {
    let last = observances.compactMap { part in part.onset(before: time).map { ($0, part.to) } }
      .max { $0.0 < $1.0 }
    return last?.1 ?? observances.min { $0.start < $1.start }?.from ?? 0
  }

  /// Returns the moment of a date or a time, whose zone its parameter `TZID` names.
  ///
  /// - Parameter local: Converts a time without a zone, or of an unknown one.
  package func timestamp(
    of stamp: CalendarStamp, zone: String?, local: (CivilTime) -> Timestamp
  ) -> Timestamp {
    switch stamp.form {
    case .utc: return stamp.time.timestamp()
    case .day: return local(stamp.time).asDay
    case .local:
      guard let zone else { return local(stamp.time) }
      if let rules = name(of: zone).flatMap(TimeZoneRules.named) {
        return rules.timestamp(of: stamp.time)
      }
      guard let observances = definitions[zone] else { return local(stamp.time) }
      return stamp.time.timestamp(offset: Self.offset(at: stamp.time, observances))
    }
  }

  /// Returns the definition of a named zone for other programs, from a year on; nil if unknown.
  package static func definition(of name: String, from year: Int) -> CalendarComponent? {
    guard let zone = TimeZoneRules.named(name) else { return nil }
    var zoneComponent = CalendarComponent("VTIMEZONE", [.property(CalendarProperty("TZID", name))])
    let start = CivilTime(
      date: CivilDate(year: min(year, lastYear) - 1, month: 1, day: 1) ?? .init(daysSinceEpoch: 0))
    var moment = start.timestamp().seconds
    var before = zone.period(at: moment)
    // Each kind of change is one part, with its times as a list.
    var parts: [(from: Int, to: TimeZoneRules.Period, times: [CivilTime])] = [
      (before.offset, before, [start])
    ]
    while let next = zone.nextTransition(after: moment), parts.count < 100 {
      let period = zone.period(at: next)
      let time = CivilTime(Timestamp(seconds: next), offset: before.offset)
      guard time.date.year <= lastYear else { break }
      if let index = parts.firstIndex(where: { $0.from == before.offset && $0.to == period }),
        index > 0
      {
        parts[index].times.append(time)
      } else {
        parts.append((before.offset, period, [time]))
      }
      (moment, before) = (next, period)
    }
    for part in parts {
      let texts = part.times.map { CalendarStamp($0, .local).text }
      var properties = [
        CalendarProperty("DTSTART", texts[0]),
        CalendarProperty("TZOFFSETFROM", offsetText(part.from)),
        CalendarProperty("TZOFFSETTO", offsetText(part.to.offset)),
        CalendarProperty("TZNAME", texts: [part.to.abbreviation]),
      ]
      if texts.count > 1 {
        properties.append(CalendarProperty("RDATE", texts.dropFirst().joined(separator: ",")))
      }
      zoneComponent.entries.append(
        .component(
          CalendarComponent(
            part.to.isDaylightSaving ? "DAYLIGHT" : "STANDARD",
            properties.map(CalendarComponent.Entry.property))))
    }
    return zoneComponent
  }

  /// The last year of definitions; that of the system's files, too.
  private static let lastYear = 2_037

  private static func offsetText(_ seconds: Int) -> String {
    let minutes = abs(seconds) / 60
    let number = String(10_000 + minutes / 60 * 100 + minutes % 60).dropFirst()
    return (seconds < 0 ? "-" : "+") + number
  }
}
