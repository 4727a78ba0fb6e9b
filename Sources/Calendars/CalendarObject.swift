package import ForeignText
import Items
import Links

/// The components of a calendar that belong to one event or task: its series, and what is different on some
/// days (RFC 4791 §4.1).
package struct CalendarObject: Hashable, Sendable {
  /// The identifier that all of them share.
  package let uid: String
  /// The series or the single event first, then those of some days.
  package var components: [CalendarComponent]
  /// The definitions of zones without a known name, which go back with it.
  package var zones: [CalendarComponent] = []
  /// The name of the calendar.
  package var calendar: String?

  /// The component that stands for all.
  package var main: CalendarComponent {
    get { components[0] }
    set { components[0] = newValue }
  }

  /// Creates the object of a new item.
  init(_ component: CalendarComponent, uid: String) {
    (self.uid, components) = (uid, [component])
  }

  /// Reads the objects of calendars, in the order of their first components.
  package static func all(in calendars: [CalendarComponent]) -> [CalendarObject] {
    var objects: [CalendarObject] = []
    for calendar in calendars where calendar.name == "VCALENDAR" {
      let known = CalendarZones(calendar)
      let zones = calendar.components.filter { zone in
        zone.name == "VTIMEZONE" && zone["TZID"].map { known.name(of: $0.text) != $0.text } ?? false
      }
      let name = (calendar["X-WR-CALNAME"] ?? calendar["NAME"])?.text
      var indices: [String: Int] = [:]
      for component in calendar.components where component.name != "VTIMEZONE" {
        // Some programs leave it out.
        let uid = component["UID"]?.text ?? SHA256.hex(of: component.text)
        let key = component.name + uid
        if let index = indices[key] {
          let isSeries = component["RECURRENCE-ID"] == nil
          objects[index].components.insert(
            component, at: isSeries ? 0 : objects[index].components.count)
          continue
        }
        indices[key] = objects.count
        var object = CalendarObject(component, uid: uid)
        object.calendar = name
        objects.append(object)
      }
      for index in indices.values {
        let used = Set(objects[index].components.flatMap(zoneNames))
        objects[index].zones = zones.filter { $0["TZID"].map { used.contains($0.text) } ?? false }
      }
    }
    return objects
  }

  /// Reads the object of an item's property `ical`; nil if there is none.
  init?(ical: String) {
    let components = CalendarComponent.all(in: Array(ical.utf8))
    let zones = components.prefix { $0.name == "VTIMEZONE" }
    guard let main = components.dropFirst(zones.count).first else { return nil }
    uid = main["UID"]?.text ?? SHA256.hex(of: main.text)
    self.components = Array(components.dropFirst(zones.count))
    self.zones = Array(zones)
  }

  /// The text for an item's property `ical`.
  package var ical: String { (zones + components).map(\.text).joined() }

  /// The object as a calendar of its own, with the zones that it refers to.
  package var calendarText: String {
    var zones: Set<String> = []
    let times = components.compactMap { $0["DTSTART"] ?? $0["DUE"] }
    let year = times.compactMap { Int($0.value.prefix(4)) }.min() ?? 2_000
    return Self.beginning() + text(declaring: &zones, from: year) + Self.ending
  }

  /// The text of a calendar in which this object takes the place of its former components.
  package func text(replacing old: String) -> String {
    guard
      var calendar = CalendarComponent.all(in: Array(old.utf8)).first(where: {
        $0.name == "VCALENDAR"
      })
    else { return calendarText }
    let kinds = Set(components.map(\.name))
    func isOwn(_ entry: CalendarComponent.Entry) -> Bool {
      if case .component(let component) = entry { kinds.contains(component.name) } else { false }
    }
    let place = calendar.entries.firstIndex(where: isOwn) ?? calendar.entries.count
    calendar.entries.removeAll(where: isOwn)
    var known = Set(
      calendar.components.filter { $0.name == "VTIMEZONE" }.compactMap { $0["TZID"]?.text })
    let new = CalendarComponent.all(in: Array(text(declaring: &known).utf8))
    calendar.entries.insert(contentsOf: new.map { .component($0) }, at: place)
    return calendar.text
  }

  /// The beginning of a calendar.
  package static func beginning(name: String? = nil) -> String {
    "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//Errand//Errand//EN\r\n"
      + (name.map { CalendarProperty("X-WR-CALNAME", texts: [$0]).lines } ?? "")
  }

  /// The end of a calendar.
  package static let ending = "END:VCALENDAR\r\n"

  /// The components within a calendar, after the definitions of the zones that they refer to.
  ///
  /// - Parameters:
  ///   - known: The zones that the calendar defines already.
  ///   - year: The year from which a definition is needed.
  package func text(declaring known: inout Set<String>, from year: Int = 1_970) -> String {
    var text = ""
    for name in Set(components.flatMap(Self.zoneNames)).sorted() where known.insert(name).inserted {
      let zone =
        zones.first { $0["TZID"]?.text == name } ?? CalendarZones.definition(of: name, from: year)
      text += zone?.text ?? ""
    }
    return text + components.map(\.text).joined()
  }

  /// The zones that the properties of a component refer to.
  private static func zoneNames(_ component: CalendarComponent) -> [String] {
    component.properties.compactMap { $0["TZID"] } + component.components.flatMap(zoneNames)
  }

  /// The global id of the item: its own one, or one made from another form of identifier.
  package static func globalID(of uid: String) -> String {
    if let own = GlobalID(text: uid), own.text == uid.lowercased() { return own.text }
    let bytes = Array(SHA256.hash(uid.utf8).prefix(16))
    guard let id = GlobalID(bytes: bytes) else { return uid }
    // Version 8 (RFC 9562 §5.8).
    return GlobalID(high: id.high & ~0xF000 | 0x8000, low: id.low & ~(3 << 62) | 1 << 63).text
  }
}
