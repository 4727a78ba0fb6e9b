package import CEL
import ForeignText
package import Items

/// The properties of events and tasks as those of components of calendars (RFC 5545 §3.6), and back.
///
/// Values have one form on both sides, that of JSON: a day or a moment is text, a reference is a global id. A
/// property of a component is written only if its value differs from the one that is read from it, so that the rest
/// goes back as it came.
package struct CalendarMapping {
  /// The values of an item by property.
  package typealias Fields = [String: Value]

  /// The rules of the person's zone.
  let zone: TimeZoneRules
  let holidays: Holidays

  /// The components of entities.
  package static let components: KeyValuePairs<String, String> = [
    "Event": "VEVENT", "Task": "VTODO",
  ]

  package init(zone: TimeZoneRules, holidays: Holidays = .none) {
    (self.zone, self.holidays) = (zone, holidays)
  }

  /// A property that is a single text or a list of texts.
  private static let texts: [(field: String, property: String, entities: String)] = [
    ("title", "SUMMARY", "Event Task"), ("notes", "DESCRIPTION", "Event Task"),
    ("place", "LOCATION", "Event"), ("url", "URL", "Event"),
    ("calendar", "X-ERRAND-CALENDAR", "Event"), ("project", "X-ERRAND-PROJECT", "Task"),
  ]

  // MARK: - Reading

  /// Returns the entity of an object; nil if no entity holds its kind.
  package static func entity(of object: CalendarObject) -> String? {
    components.first { $0.value == object.main.name }?.key
  }

  /// Returns the values that an object gives an item; those that it does not have are null.
  package func fields(of object: CalendarObject) -> Fields {
    let component = object.main
    let entity = Self.entity(of: object) ?? ""
    var fields: Fields = [:]
    for row in Self.texts where row.entities.contains(entity) {
      let property = component[row.property]
      let text = (row.property == "URL" ? property?.value : property?.text) ?? ""
      fields[row.field] = text.isEmpty ? .null : .string(text)
    }
    if fields["title"] == .null { fields["title"] = "(no title)" }
    if fields["calendar"] == .null {
      fields["calendar"] = object.calendar.map(Value.string) ?? .null
    }
    fields["tags"] = .list(
      component.properties.filter { $0.name == "CATEGORIES" }.flatMap(\.texts)
        .map(\.trimmingBlanks).filter { !$0.isEmpty }.distinct.map(Value.string))
    let times = Times(component, object, self)
    fields["repeat"] = repetition(of: component, times).map(Value.string) ?? .null
    if entity == "Event" {
      fields["start"] = times.text(times.start)
      fields["end"] = times.text(times.lastMoment)
      fields["allDay"] = .bool(times.start?.isDay ?? false)
      fields["zone"] = times.zoneName.map(Value.string) ?? .null
      fields["attendees"] = .list(
        component.properties.filter { $0.name == "ATTENDEE" }.map { .string($0.attendee) })
    } else {
      let status = component["STATUS"]?.value.uppercased()
      let isDone =
        status.map { ["COMPLETED", "CANCELLED"].contains($0) }
        ?? (component["COMPLETED"] != nil || component["PERCENT-COMPLETE"]?.value == "100")
      fields["done"] = .bool(isDone)
      fields["due"] = times.text(times.end)
      fields["start"] = times.text(times.start)
      let priority = component["PRIORITY"].flatMap { Int($0.value.trimmingBlanks) } ?? 0
      let names = [1: "high", 2: "high", 3: "high", 4: "high", 5: "medium", 6: "low"]
      fields["priority"] =
        (names[min(priority, 6)]).map(Value.string) ?? .null
      fields["parent"] = related(component, "PARENT").first ?? .null
      fields["after"] = .list(related(component, "DEPENDS-ON"))
      fields["estimate"] =
        component["ESTIMATED-DURATION"].flatMap { DurationValue(calendarText: $0.value) }
        .map { .string($0.text) } ?? .null
      fields["remind"] = .list(
        component.components.compactMap { alarm($0, times) }.distinct.map(Value.string))
    }
    return fields
  }

  /// The tasks that a task refers to in a way (§3.8.4.5, RFC 9253 §9.1).
  private func related(_ component: CalendarComponent, _ kind: String) -> [Value] {
    component.properties
      .filter { $0.name == "RELATED-TO" && ($0["RELTYPE"] ?? "PARENT").uppercased() == kind }
      .map { .string(CalendarObject.globalID(of: $0.text)) }
  }

  // MARK: - Writing

  /// Returns the object of an item, by default that of its property `ical`.
  ///
  /// - Parameters:
  ///   - values: The values of the item; see `fields(of:)` of an item.
  ///   - old: The object to change.
  package func object(
    entity: String, _ values: Fields, uid: String, created: Timestamp?, updated: Timestamp?,
    changing old: CalendarObject?
  ) -> CalendarObject {
    let now = CalendarStamp(CivilTime(updated ?? Timestamp(seconds: 0)), .utc).text
    var object: CalendarObject
    if let old {
      object = old
    } else {
      let name = Self.components.first { $0.key == entity }?.value ?? "VEVENT"
      var component = CalendarComponent(name)
      component.set("UID", [CalendarProperty("UID", texts: [uid])])
      component.set("DTSTAMP", [CalendarProperty("DTSTAMP", now)])
      if let created {
        let text = CalendarStamp(CivilTime(created), .utc).text
        component.set("CREATED", [CalendarProperty("CREATED", text)])
      }
      object = CalendarObject(component, uid: uid)
    }
    let known = fields(of: object)
    var changed = Set(known.keys.filter { values[$0] != nil && values[$0] != known[$0] })
    // Without a zone, an item is in the person's.
    if values["zone"] == .null, known["zone"] == ownZone.map(Value.string) {
      changed.remove("zone")
    }
    if changed.isEmpty { return object }
    var component = object.main
    for name in ["DTSTAMP", "LAST-MODIFIED"] { component.set(name, [CalendarProperty(name, now)]) }
    func text(_ field: String) -> String? {
      if case .string(let text)? = values[field] { text } else { nil }
    }
    func list(_ field: String) -> [String] {
      guard case .list(let list)? = values[field] else { return [] }
      return list.compactMap { if case .string(let text) = $0 { text } else { nil } }
    }
    for row in Self.texts where changed.contains(row.field) {
      component.set(row.property, text(row.field).map { [Self.property(row.property, $0)] } ?? [])
      // The same text in another form.
      if row.field == "notes" { component.set("X-ALT-DESC", []) }
    }
    if changed.contains("tags") {
      let tags = list("tags")
      component.set("CATEGORIES", tags.isEmpty ? [] : [CalendarProperty("CATEGORIES", texts: tags)])
    }
    writeTimes(values, changed, entity, object, &component)
    if changed.contains("attendees") {
      let old = component.properties.filter { $0.name == "ATTENDEE" }
      component.set(
        "ATTENDEE",
        list("attendees").map { name in
          old.first { $0.attendee == name } ?? CalendarProperty(attendee: name)
        })
    }
    if changed.contains("done") {
      let isDone = values["done"] == .bool(true)
      component.set("STATUS", [CalendarProperty("STATUS", isDone ? "COMPLETED" : "NEEDS-ACTION")])
      component.set("COMPLETED", isDone ? [CalendarProperty("COMPLETED", now)] : [])
      component.set("PERCENT-COMPLETE", isDone ? [CalendarProperty("PERCENT-COMPLETE", "100")] : [])
    }
    if changed.contains("priority") {
      let numbers = ["high": "1", "medium": "5", "low": "9"]
      let number = text("priority").flatMap { numbers[$0] }
      component.set("PRIORITY", number.map { [CalendarProperty("PRIORITY", $0)] } ?? [])
    }
    if changed.contains("estimate") {
      let length = text("estimate").flatMap { DurationValue(text: $0) }?.calendarText
      component.set(
        "ESTIMATED-DURATION", length.map { [CalendarProperty("ESTIMATED-DURATION", $0)] } ?? [])
    }
    if changed.contains("parent") || changed.contains("after") {
      let old = component.properties.filter { $0.name == "RELATED-TO" }
      func kept(_ kind: String, _ ids: [String]) -> [CalendarProperty] {
        ids.map { id in
          old.first {
            ($0["RELTYPE"] ?? "PARENT").uppercased() == kind
              && CalendarObject.globalID(of: $0.text) == id
          }
            ?? CalendarProperty("RELATED-TO", id, ["RELTYPE": kind])
        }
      }
      let others = old.filter {
        !["PARENT", "DEPENDS-ON"].contains(($0["RELTYPE"] ?? "PARENT").uppercased())
      }
      component.set(
        "RELATED-TO",
        kept("PARENT", text("parent").map { [$0] } ?? []) + kept("DEPENDS-ON", list("after"))
          + others)
    }
    if changed.contains("remind") {
      let times = Times(component, object, self)
      var wanted = list("remind")
      component.entries.removeAll { entry in
        guard case .component(let alarm) = entry, let text = self.alarm(alarm, times) else {
          return false
        }
        defer { wanted.removeAll { $0 == text } }
        return !wanted.contains(text)
      }
      component.entries += wanted.compactMap { alarm(for: $0, times) }.map { .component($0) }
    }
    object.main = component
    return object
  }

  private static func property(_ name: String, _ text: String) -> CalendarProperty {
    // An address is not escaped (§3.3.13), unless it would end the line.
    name == "URL" && !text.utf8.contains { $0 < 0x20 }
      ? CalendarProperty(name, text) : CalendarProperty(name, texts: [text])
  }

  private func writeTimes(
    _ values: Fields, _ changed: Set<String>, _ entity: String, _ object: CalendarObject,
    _ component: inout CalendarComponent
  ) {
    func moment(_ field: String) -> Timestamp? {
      guard case .string(let text)? = values[field] else { return nil }
      return self.moment(text)
    }
    let old = Times(component, object, self)
    let zoneName: String? = if case .string(let name)? = values["zone"] { name } else { nil }
    let isEvent = entity != "Task"
    let names = isEvent ? ("start", "end", "DTEND") : ("start", "due", "DUE")
    if !changed.isDisjoint(with: [names.0, names.1, "zone", "allDay"]) {
      // Both are written, as one may have been a length.
      let start = moment(names.0)
      var end = moment(names.1)
      if isEvent, let day = end, start?.isDay ?? false {
        end = self.zone.day(after: day)
      }
      let isFloating = old.isFloating && zoneName == nil
      let before = component
      let property = { (name: String, moment: Timestamp) in
        self.property(name, moment, before[name], zoneName, isFloating: isFloating, old)
      }
      component.set("DTSTART", start.map { [property("DTSTART", $0)] } ?? [])
      component.set("DURATION", [])
      component.set(names.2, end.map { [property(names.2, $0)] } ?? [])
    }
    if changed.contains("repeat") {
      let times = Times(component, object, self)
      let lines =
        if case .string(let text)? = values["repeat"], let rule = RepeatRule(text) {
          self.lines(of: rule, times)
        } else { [CalendarProperty]() }
      let isCalendar = lines.first?.name == "RRULE" && lines.count == 1
      for name in ["RRULE", "X-ERRAND-REPEAT"] + (isCalendar ? [] : ["EXDATE"]) {
        component.set(name, lines.filter { $0.name == name })
      }
    }
  }

  /// The name of the person's zone; nil for one without a place.
  private var ownZone: String? {
    zone.name.contains("/") && !zone.name.hasPrefix("/") ? zone.name : nil
  }

  /// A property with a day or a moment, in the zone that it had before if that is still the one.
  private func property(
    _ name: String, _ moment: Timestamp, _ old: CalendarProperty?, _ zoneName: String?,
    isFloating: Bool, _ times: Times
  ) -> CalendarProperty {
    if moment.isDay {
      let stamp = CalendarStamp(zone.civilTime(at: moment), .day)
      return CalendarProperty(name, stamp.text, ["VALUE": "DATE"])
    }
    if isFloating {
      return CalendarProperty(name, CalendarStamp(zone.civilTime(at: moment), .local).text)
    }
    if let named = zoneName ?? ownZone, named != "UTC", let rules = TimeZoneRules.named(named) {
      let known = times.component["DTSTART"]?["TZID"] ?? old?["TZID"]
      let id = known.flatMap { times.zones.name(of: $0) == named ? $0 : nil } ?? named
      return CalendarProperty(
        name, CalendarStamp(rules.civilTime(at: moment), .local).text, ["TZID": id])
    }
    return CalendarProperty(name, CalendarStamp(CivilTime(moment), .utc).text)
  }

  /// Parses a day or a moment.
  func moment(_ text: String) -> Timestamp? {
    if let date = CivilDate(iso8601: text) {
      return zone.timestamp(of: CivilTime(date: date)).asDay
    }
    return Timestamp(rfc3339: text).map { Timestamp(seconds: $0.seconds) }
  }
}

extension TimeZoneRules {
  /// The start of the day some days after that of a moment.
  func day(after moment: Timestamp, by days: Int = 1) -> Timestamp {
    timestamp(of: CivilTime(date: civilTime(at: moment).date.adding(days: days))).asDay
  }
}

extension Sequence where Element: Hashable {
  /// The elements without repetitions, in order.
  var distinct: [Element] {
    var seen: Set<Element> = []
    return filter { seen.insert($0).inserted }
  }
}

extension CalendarProperty {
  /// A person with name and address, such as `Ada <ada@example.org>`, or one of them.
  fileprivate var attendee: String {
    let address = value.lowercased().hasPrefix("mailto:") ? String(value.dropFirst(7)) : value
    guard let name = self["CN"], !name.isEmpty, name != address else { return address }
    return address == Self.noAddress ? name : "\(name) <\(address)>"
  }

  /// The address of a person without one, as Outlook writes it.
  private static let noAddress = "invalid:nomail"

  fileprivate init(attendee text: String) {
    let parts = text.split(separator: "<", maxSplits: 1)
    if parts.count == 2, text.hasSuffix(">") {
      self.init(
        "ATTENDEE", "mailto:" + parts[1].dropLast(), ["CN": String(parts[0]).trimmingBlanks])
    } else if text.contains("@") || text.contains(":") {
      self.init("ATTENDEE", text.contains(":") ? text : "mailto:" + text)
    } else {
      self.init("ATTENDEE", Self.noAddress, ["CN": text])
    }
  }
}
