import CEL
import Calendars
import ForeignText

/// Reads events and tasks in calendars (RFC 5545).
struct CalendarRecords: RecordReader {
  private let objects: [CalendarObject]
  private let mapping: CalendarMapping
  private var place = 0
  let leftovers = Leftovers()

  /// - Parameter zone: The person's zone, for times without one.
  init(_ bytes: [UInt8], zone: TimeZoneRules) {
    objects = CalendarObject.all(in: CalendarComponent.all(in: bytes))
    mapping = CalendarMapping(zone: zone)
  }

  mutating func next() -> ImportRecord? {
    guard place < objects.count else {
      defer { place = .max }
      return place == 0
        ? ImportRecord(number: 1, content: .nothing("the calendar has no entries")) : nil
    }
    place += 1
    return record(objects[place - 1], place)
  }

  private func record(_ object: CalendarObject, _ number: Int) -> ImportRecord {
    func left(_ reason: String) -> ImportRecord {
      ImportRecord(number: number, content: .skipped(reason))
    }
    let main = object.main
    guard let entity = CalendarMapping.entity(of: object) else {
      return left("a \(main.name), which is neither an event nor a task")
    }
    let fields = mapping.fields(of: object)
    if entity == "Event", fields["start"] == .null {
      return left("an event without a start: “\(Bookmark.shortened(fields["title"]?.text ?? ""))”")
    }
    var members = MapValue([
      ("entity", .string(entity)), ("uid", .string(CalendarObject.globalID(of: object.uid))),
      ("ical", .string(object.ical)),
    ])
    for (name, value) in fields.sorted(by: { $0.key < $1.key }) where !value.isNull {
      members[name] = value
    }
    for (name, property) in [("createdAt", "CREATED"), ("updatedAt", "LAST-MODIFIED")] {
      if let stamp = main[property].flatMap({ CalendarStamp($0.value) }), stamp.form == .utc {
        members[name] = .string(stamp.time.timestamp().text)
      }
    }
    // A task may refer to one that comes later.
    var references = MapValue()
    for case .string(let id)? in [fields["parent"]] { references[id] = .string(id) }
    if case .list(let ids)? = fields["after"] {
      for case .string(let id) in ids { references[id] = .string(id) }
    }
    if references.count > 0 { members[ImportRecord.referencesMember] = .map(references) }
    var losses: [String] = []
    if let rule = main["RRULE"], fields["repeat"] == .null {
      losses.append("its rule is kept, but not followed: \(Bookmark.shortened(rule.value))")
    }
    return ImportRecord(number: number, content: .item(.map(members)), losses: losses)
  }
}
