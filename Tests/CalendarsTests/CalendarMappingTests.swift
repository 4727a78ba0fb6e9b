import CEL
import Calendars
import ForeignText
import Items
import Testing

/// Events and tasks as components of calendars.
@Suite struct CalendarMappingTests {
  private let mapping = CalendarMapping(zone: TimeZoneRules.named("Europe/Berlin") ?? .utc)

  private func object(_ lines: String) throws -> CalendarObject {
    let text = "BEGIN:VCALENDAR\n\(lines)\nEND:VCALENDAR"
    return try #require(CalendarObject.all(in: CalendarComponent.all(in: Array(text.utf8))).first)
  }

  private func event(_ lines: String) throws -> CalendarObject {
    try object("BEGIN:VEVENT\nUID:u\n\(lines)\nEND:VEVENT")
  }

  private func task(_ lines: String) throws -> CalendarObject {
    try object("BEGIN:VTODO\nUID:u\n\(lines)\nEND:VTODO")
  }

  /// Values of a field that are read from lines, for events.
  @Test(
    arguments: [
      ("DTSTART:20261120T140000Z", "start", "2026-11-20T14:00:00Z"),
      ("DTSTART;TZID=America/New_York:20261120T090000", "start", "2026-11-20T14:00:00Z"),
      ("DTSTART;TZID=America/New_York:20261120T090000", "zone", "America/New_York"),
      ("DTSTART;TZID=Eastern Standard Time:20261120T090000", "zone", "America/New_York"),
      ("DTSTART:20261120T150000", "start", "2026-11-20T14:00:00Z"),
      ("DTSTART:20261120T150000", "zone", nil), ("DTSTART:20261120T140000Z", "zone", "UTC"),
      ("DTSTART;VALUE=DATE:20261120", "start", "2026-11-20"),
      // A whole day ends where the next begins.
      ("DTSTART;VALUE=DATE:20261120\nDTEND;VALUE=DATE:20261121", "end", nil),
      ("DTSTART;VALUE=DATE:20261120\nDTEND;VALUE=DATE:20261123", "end", "2026-11-22"),
      ("DTSTART;VALUE=DATE:20261120\nDURATION:P2D", "end", "2026-11-21"),
      ("DTSTART:20261120T140000Z\nDURATION:PT1H30M", "end", "2026-11-20T15:30:00Z"),
      ("DTSTART:20261120T140000Z", "end", nil), ("LOCATION:A\\, b", "place", "A, b"),
      ("X-APPLE-STRUCTURED-LOCATION:geo:1,2", "place", nil), ("SUMMARY:", "title", "(no title)"),
    ] as [(String, String, String?)])
  func readsEvents(_ lines: String, _ field: String, _ value: String?) throws {
    let found = mapping.fields(of: try event(lines))[field]
    #expect(found == (value.map(Value.string) ?? .null))
  }

  @Test func readsPeopleAndTags() throws {
    let fields = mapping.fields(
      of: try event(
        """
        CATEGORIES:a,b\\, c
        CATEGORIES:d
        ATTENDEE;CN="Lee, Ann";PARTSTAT=ACCEPTED:mailto:ann@a.example
        ATTENDEE:MAILTO:bo@a.example
        ATTENDEE;CN=Cy:invalid:nomail
        """))
    #expect(fields["tags"] == .list(["a", "b, c", "d"]))
    #expect(fields["attendees"] == .list(["Lee, Ann <ann@a.example>", "bo@a.example", "Cy"]))
  }

  @Test(
    arguments: [
      ("STATUS:COMPLETED", "done", .bool(true)), ("STATUS:NEEDS-ACTION", "done", .bool(false)),
      ("COMPLETED:20261120T140000Z", "done", .bool(true)),
      ("STATUS:CANCELLED", "done", .bool(true)),
      ("PRIORITY:1", "priority", "high"), ("PRIORITY:5", "priority", "medium"),
      ("PRIORITY:9", "priority", "low"),
      ("PRIORITY:0", "priority", .null), ("DUE;VALUE=DATE:20261224", "due", "2026-12-24"),
      ("DTSTART:20261120T140000Z\nDURATION:PT1H", "due", "2026-11-20T15:00:00Z"),
      ("ESTIMATED-DURATION:PT2H", "estimate", "7200s"),
      (
        "RELATED-TO:00000000-0000-7000-8000-000000000001", "parent",
        "00000000-0000-7000-8000-000000000001"
      ),
      ("RELATED-TO;RELTYPE=CHILD:x", "parent", .null),
      (
        "DUE:20261120T140000Z\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER;RELATED=END:-PT15M\nEND:VALARM",
        "remind", .list(["15m before"])
      ),
      (
        "DUE:20261120T140000Z\nBEGIN:VALARM\nACTION:AUDIO\nTRIGGER:PT0S\nEND:VALARM", "remind",
        .list(["at due"])
      ),
      (
        "DUE:20261120T140000Z\nBEGIN:VALARM\nACTION:DISPLAY\nTRIGGER:-P1D\nEND:VALARM", "remind",
        .list(["1d before"])
      ),
      (
        "BEGIN:VALARM\nACTION:DISPLAY\nTRIGGER;VALUE=DATE-TIME:20261120T140000Z\nEND:VALARM",
        "remind", .list(["2026-11-20T14:00:00Z"])
      ),
      ("BEGIN:VALARM\nACTION:EMAIL\nTRIGGER:-PT5M\nEND:VALARM", "remind", .list([])),
    ] as [(String, String, Value)])
  func readsTasks(_ lines: String, _ field: String, _ value: Value) throws {
    #expect(mapping.fields(of: try task(lines))[field] == value)
  }

  /// Rules that words can say, and what they are written as.
  @Test(
    arguments: [
      ("20261204", "FREQ=DAILY", "every day"),
      ("20261204", "FREQ=DAILY;INTERVAL=3;COUNT=5", "every 3 days 5 times"),
      ("20261204", "FREQ=WEEKLY;BYDAY=MO,TH", "every monday, thursday"),
      ("20261204", "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR", "every weekday"),
      ("20261204", "FREQ=WEEKLY;INTERVAL=2;BYDAY=FR", "every 2 weeks on friday"),
      ("20261204", "FREQ=WEEKLY;UNTIL=20270630", "every week until 2027-06-30"),
      ("20261204", "FREQ=MONTHLY;BYMONTHDAY=1,15,-1", "every month on 1, 15, last"),
      ("20261204", "FREQ=MONTHLY;BYDAY=-1FR", "every month on last friday"),
      ("20261204", "FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1", "every month on last workday"),
      ("20261204", "FREQ=MONTHLY;BYMONTHDAY=28,29,30,31;BYSETPOS=-1", "every month on 31"),
      ("20261204", "FREQ=YEARLY", "every year"),
      (
        "20261204", "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=28,29;BYSETPOS=-1",
        "every year on 29 february"
      ),
      ("20261126", "FREQ=YEARLY;BYMONTH=11;BYDAY=4TH", "every year on 4th thursday of november"),
    ])
  func saysRules(_ start: String, _ rule: String, _ words: String) throws {
    let old = try event("DTSTART;VALUE=DATE:\(start)\nRRULE:\(rule)")
    #expect(mapping.fields(of: old)["repeat"] == .string(words))
    var fields = mapping.fields(of: try event("DTSTART;VALUE=DATE:\(start)"))
    fields["repeat"] = .string(words)
    let new = mapping.object(
      entity: "Event", fields, uid: "u", created: nil, updated: nil,
      changing: try event("DTSTART;VALUE=DATE:\(start)"))
    #expect(new.main["RRULE"]?.value == rule)
    #expect(new.main["X-ERRAND-REPEAT"] == nil)
  }

  /// Rules that words cannot say stay as they came.
  @Test(arguments: [
    "FREQ=HOURLY;INTERVAL=6", "FREQ=MONTHLY;BYMONTHDAY=31", "FREQ=YEARLY;BYDAY=20MO",
    "FREQ=WEEKLY;INTERVAL=2;WKST=SU;BYDAY=MO,SU", "FREQ=MONTHLY;BYDAY=MO,TU;BYSETPOS=2",
    "FREQ=DAILY;BYMONTH=1",
  ])
  func keepsOtherRules(_ rule: String) throws {
    let text = mapping.fields(of: try event("DTSTART:20261204T090000Z\nRRULE:\(rule)"))["repeat"]
    #expect(text == .string("RRULE:\(rule)"))
  }

  /// Words that a calendar cannot say come back through one.
  @Test(arguments: [
    "3d after done", "every month on 1, last friday", "every month on last workday except holidays",
    "every month on 1, 31", "every monday except 2026-12-07",
  ])
  func keepsWords(_ words: String) throws {
    let start = try task("DUE:20261204T090000Z")
    var fields = mapping.fields(of: start)
    fields["repeat"] = .string(words)
    let new = mapping.object(
      entity: "Task", fields, uid: "u", created: nil, updated: nil, changing: start)
    let read = try #require(
      CalendarObject.all(in: CalendarComponent.all(in: Array(new.calendarText.utf8))).first)
    #expect(mapping.fields(of: read)["repeat"] == .string(words))
    // A rule that another program sets instead counts.
    var other = read
    other.main.set("RRULE", [CalendarProperty("RRULE", "FREQ=DAILY")])
    other.main.set("EXDATE", [])
    #expect(mapping.fields(of: other)["repeat"] == "every day")
  }

  @Test func keepsWhatItDoesNotKnow() throws {
    let old = try event(
      """
      DTSTAMP:20260101T000000Z
      DTSTART;TZID=W. Europe Standard Time:20261120T150000
      DURATION:PT1H
      SUMMARY;LANGUAGE=de:Tee
      X-GOOGLE-CONFERENCE:https://a.example
      BEGIN:VALARM
      ACTION:DISPLAY
      TRIGGER:-PT10M
      END:VALARM
      """)
    let fields = mapping.fields(of: old)
    let same = mapping.object(
      entity: "Event", fields, uid: "u", created: nil, updated: nil, changing: old)
    #expect(same.ical == old.ical)
    var changed = fields
    changed["title"] = "Kaffee"
    changed["start"] = "2026-11-20T15:00:00Z"
    changed["end"] = "2026-11-20T16:30:00Z"
    let new = mapping.object(
      entity: "Event", changed, uid: "u", created: nil, updated: Timestamp(seconds: 0),
      changing: old)
    #expect(
      new.main.text
        == """
        BEGIN:VEVENT\r
        UID:u\r
        DTSTAMP:19700101T000000Z\r
        DTSTART;TZID=W. Europe Standard Time:20261120T160000\r
        SUMMARY:Kaffee\r
        X-GOOGLE-CONFERENCE:https://a.example\r
        LAST-MODIFIED:19700101T000000Z\r
        DTEND;TZID=W. Europe Standard Time:20261120T173000\r
        BEGIN:VALARM\r
        ACTION:DISPLAY\r
        TRIGGER:-PT10M\r
        END:VALARM\r
        END:VEVENT\r

        """)
    #expect(mapping.fields(of: new) == changed)
  }

  /// Every value that is set is read again.
  @Test func writesWhatItReads() throws {
    let wanted: CalendarMapping.Fields = [
      "title": "A; b, c\nd", "notes": "x\\y", "done": .bool(true), "due": "2026-12-24T09:00:00Z",
      "start": "2026-12-01T08:00:00Z",
      "tags": .list(["one", "two, three"]), "repeat": "every monday", "priority": "low",
      "project": "Home",
      "parent": "00000000-0000-7000-8000-000000000001",
      "after": .list(["00000000-0000-7000-8000-000000000002"]),
      "estimate": "5400s",
      "remind": .list(["15m before", "1mo before", "at due", "2026-12-01T09:00"]),
    ]
    let made = mapping.object(
      entity: "Task", wanted, uid: "u", created: nil, updated: nil, changing: nil)
    let read = try #require(
      CalendarObject.all(in: CalendarComponent.all(in: Array(made.calendarText.utf8))).first)
    #expect(mapping.fields(of: read) == wanted)
    var fewer = wanted
    fewer["remind"] = .list(["at due"])
    fewer["done"] = .bool(false)
    for name in ["notes", "due", "repeat", "priority", "project", "parent", "estimate"] {
      fewer[name] = .null
    }
    fewer["after"] = .list([])
    fewer["tags"] = .list([])
    let bare = mapping.object(
      entity: "Task", fewer, uid: "u", created: nil, updated: nil, changing: read)
    #expect(mapping.fields(of: bare) == fewer)
  }

  @Test func makesGlobalIDs() {
    let own = "00000000-0000-7000-8000-000000000001"
    #expect(CalendarObject.globalID(of: own) == own)
    let other = CalendarObject.globalID(of: "abc@google.com")
    #expect(GlobalID(text: other)?.text == other)
    #expect(other == CalendarObject.globalID(of: "abc@google.com"))
    #expect(other != CalendarObject.globalID(of: "abd@google.com"))
  }
}
