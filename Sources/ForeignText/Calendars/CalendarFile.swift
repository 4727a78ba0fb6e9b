package import CEL

/// A reader of the events, tasks and notes in calendars (RFC 5545).
package enum CalendarFile {
  private static let maxEntries = 100_000
  private static let kinds = ["VEVENT": "event", "VTODO": "task", "VJOURNAL": "note"]

  /// Returns the entries of a text in order; nil if it is not a calendar.
  ///
  /// - Parameter local: Converts a time without a zone to a timestamp.
  /// - Complexity: O(bytes).
  package static func entries(
    in text: String, local: @escaping (CivilTime) -> Timestamp
  ) -> [Value]? {
    let calendars = CalendarComponent.all(in: Array(text.utf8)).filter { $0.name == "VCALENDAR" }
    if calendars.isEmpty { return nil }
    var entries: [Value] = []
    for calendar in calendars {
      let zones = CalendarZones(calendar)
      for component in calendar.components {
        guard let kind = kinds[component.name], entries.count < maxEntries else { continue }
        entries.append(entry(component, kind, zones, local))
      }
    }
    return entries
  }

  private static func entry(
    _ component: CalendarComponent, _ kind: String, _ zones: CalendarZones,
    _ local: (CivilTime) -> Timestamp
  ) -> Value {
    func text(_ name: String) -> Value { component[name].map { .string($0.text) } ?? .null }
    func moment(_ stamp: CalendarStamp, of property: CalendarProperty) -> Timestamp {
      Timestamp(
        seconds: zones.timestamp(of: stamp, zone: property["TZID"], local: local).seconds)
    }
    func moment(_ name: String) -> Timestamp? {
      guard let property = component[name],
        let stamp = CalendarStamp(property.value.trimmingBlanks)
      else { return nil }
      return moment(stamp, of: property)
    }
    func moments(_ name: String) -> Value {
      let properties = component.properties.filter { $0.name == name }
      return .list(
        properties.flatMap { property in
          // Of a period, the start.
          property.texts.compactMap {
            CalendarStamp(String($0.prefix { $0 != "/" }).trimmingBlanks)
          }
          .map { .timestamp(moment($0, of: property)) }
        })
    }
    let start = moment("DTSTART")
    var end = moment("DTEND") ?? moment("DUE")
    if end == nil, let start,
      let length = component["DURATION"].flatMap({
        DurationValue(calendarText: $0.value.trimmingBlanks)
      })
    {
      end = Timestamp(seconds: start.seconds + length.seconds)
    }
    var map = MapValue()
    map["kind"] = .string(kind)
    map["uid"] = text("UID")
    map["title"] = text("SUMMARY")
    map["start"] = start.map { .timestamp($0) } ?? .null
    map["end"] = end.map { .timestamp($0) } ?? .null
    map["allDay"] = .bool(component["DTSTART"].map { !$0.value.contains("T") } ?? false)
    map["place"] = text("LOCATION")
    map["description"] = text("DESCRIPTION")
    map["url"] = text("URL")
    map["status"] = text("STATUS")
    map["zone"] =
      component["DTSTART"]?["TZID"].flatMap(zones.name).map { .string($0) } ?? .null
    map["repeats"] = text("RRULE")
    let rules = component.properties.filter { $0.name == "RRULE" }
    map["rules"] = .list(rules.map { .string($0.text) })
    map["except"] = moments("EXDATE")
    map["also"] = moments("RDATE")
    map["organizer"] = component["ORGANIZER"].map { .string($0.person) } ?? .null
    let people = component.properties.filter { $0.name == "ATTENDEE" }
    map["attendees"] = .list(people.map { .string($0.person) })
    let tags = component.properties.filter { $0.name == "CATEGORIES" }.flatMap(\.texts)
    map["tags"] = .list(tags.map { .string($0.trimmingBlanks) })
    return .map(map)
  }
}

extension CalendarProperty {
  /// The name of a person, or else the address.
  package var person: String {
    if let name = self["CN"], !name.isEmpty { return name }
    return value.lowercased().hasPrefix("mailto:") ? String(value.dropFirst(7)) : value
  }
}
