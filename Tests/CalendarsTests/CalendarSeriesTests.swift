import CEL
import Calendars
import ForeignText
import Items
import Testing

/// Occurrences of events within a range.
@Suite struct CalendarSeriesTests {
  private static let schema = EntitySchema(
    name: "Event",
    properties: [
      PropertySchema(name: "title", type: .string), PropertySchema(name: "start", type: .when),
      PropertySchema(name: "end", type: .when, isOptional: true),
      PropertySchema(name: "allDay", type: .bool),
      PropertySchema(name: "zone", type: .string, isOptional: true),
      PropertySchema(name: "repeat", type: .string, isOptional: true),
      PropertySchema(name: "ical", type: .string, isOptional: true, isLong: true),
    ], identities: [],
    occurrence: .init(start: 1, end: 2, allDay: 3, zone: 4, rule: 5, source: 6))

  /// The occurrences of the first entry of a calendar from a day to another, as titles and starts.
  private func found(_ lines: String, _ first: String, _ last: String) throws -> [String] {
    let zone = try #require(TimeZoneRules.named("Europe/Berlin"))
    let text = "BEGIN:VCALENDAR\n\(lines)\nEND:VCALENDAR"
    let object = try #require(
      CalendarObject.all(in: CalendarComponent.all(in: Array(text.utf8))).first)
    let mapping = CalendarMapping(zone: zone)
    var values = [Value](repeating: .null, count: Self.schema.properties.count)
    var fields = mapping.fields(of: object)
    fields["ical"] = .string(object.ical)
    for (name, value) in mapping.values(of: fields, in: Self.schema) {
      values[try #require(Self.schema.properties.firstIndex { $0.name == name })] = value
    }
    func start(_ text: String) throws -> Timestamp {
      zone.timestamp(of: CivilTime(date: try #require(CivilDate(iso8601: text))))
    }
    let places = try #require(Self.schema.occurrence)
    let records = CalendarSeries(zone: zone).occurrences(
      of: Record(values: values), Self.schema, places, in: try start(first)..<(try start(last)),
      limit: 100)
    return records.map { record in
      guard case .timestamp(let moment) = record.values[1] else { return "" }
      let time = CalendarStamp(zone.civilTime(at: moment), moment.isDay ? .day : .local).text
      return "\(record.values[0].text) \(time)"
    }
  }

  @Test func keepsTheLocalTimeOfASeries() throws {
    // Clocks change in New York on 8 March, in Berlin on 29 March.
    let lines = """
      BEGIN:VEVENT
      UID:1
      SUMMARY:Call
      DTSTART;TZID=America/New_York:20260302T090000
      DTEND;TZID=America/New_York:20260302T100000
      RRULE:FREQ=WEEKLY
      END:VEVENT
      """
    #expect(
      try found(lines, "2026-03-01", "2026-04-07") == [
        "Call 20260302T150000", "Call 20260309T140000", "Call 20260316T140000",
        "Call 20260323T140000",
        "Call 20260330T150000", "Call 20260406T150000",
      ])
  }

  @Test func followsChangesOfSomeDays() throws {
    let lines = """
      BEGIN:VEVENT
      UID:1
      SUMMARY:Team
      DTSTART;TZID=Europe/Berlin:20261102T090000
      RRULE:FREQ=DAILY;COUNT=6
      EXDATE;TZID=Europe/Berlin:20261103T090000
      RDATE;TZID=Europe/Berlin:20261120T100000
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      RECURRENCE-ID;TZID=Europe/Berlin:20261104T090000
      SUMMARY:Team late
      DTSTART;TZID=Europe/Berlin:20261104T170000
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      RECURRENCE-ID:20261105T080000Z
      STATUS:CANCELLED
      DTSTART:20261105T080000Z
      END:VEVENT
      """
    #expect(
      try found(lines, "2026-11-01", "2026-12-01") == [
        "Team 20261102T090000", "Team late 20261104T170000", "Team 20261106T090000",
        "Team 20261107T090000",
        "Team 20261120T100000",
      ])
    #expect(try found(lines, "2026-11-06", "2026-11-07") == ["Team 20261106T090000"])
  }

  /// A change of an occurrence and all later ones (RFC 5545 §3.2.13): their times are shifted by the same
  /// distance, across a change of clocks, and they have its other properties.
  @Test func followsChangesOfAllLaterDays() throws {
    let lines = """
      BEGIN:VEVENT
      UID:1
      SUMMARY:Team
      DTSTART;TZID=Europe/Berlin:20261005T090000
      DTEND;TZID=Europe/Berlin:20261005T100000
      RRULE:FREQ=WEEKLY;COUNT=6
      EXDATE;TZID=Europe/Berlin:20261102T090000
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20261019T090000
      SUMMARY:Team late
      DTSTART;TZID=Europe/Berlin:20261020T170000
      DTEND;TZID=Europe/Berlin:20261020T190000
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      RECURRENCE-ID;TZID=Europe/Berlin:20261026T090000
      SUMMARY:Once
      DTSTART;TZID=Europe/Berlin:20261026T080000
      END:VEVENT
      """
    #expect(
      try found(lines, "2026-10-01", "2026-12-01") == [
        "Team 20261005T090000", "Team 20261012T090000", "Team late 20261020T170000",
        "Once 20261026T080000", "Team late 20261110T170000",
      ])
    // The day of the rule is not that of the occurrence.
    #expect(try found(lines, "2026-10-19", "2026-10-20").isEmpty)
    #expect(try found(lines, "2026-11-10", "2026-11-11") == ["Team late 20261110T170000"])
  }

  @Test func endsWithACancellationOfAllLaterDays() throws {
    let lines = """
      BEGIN:VEVENT
      UID:1
      SUMMARY:Fair
      DTSTART;VALUE=DATE:20261101
      RRULE:FREQ=DAILY
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20261103
      SUMMARY:Fair moved
      DTSTART;VALUE=DATE:20261110
      DTEND;VALUE=DATE:20261112
      END:VEVENT
      BEGIN:VEVENT
      UID:1
      RECURRENCE-ID;VALUE=DATE;RANGE=THISANDFUTURE:20261105
      STATUS:CANCELLED
      DTSTART;VALUE=DATE:20261105
      END:VEVENT
      """
    #expect(
      try found(lines, "2026-11-01", "2026-12-01") == [
        "Fair 20261101", "Fair 20261102", "Fair moved 20261110", "Fair moved 20261111",
      ])
    #expect(try found(lines, "2026-11-12", "2026-11-13") == ["Fair moved 20261111"])
  }

  @Test func readsEachRuleAndEachLineOfDays() throws {
    let lines = """
      BEGIN:VEVENT
      UID:1
      SUMMARY:E
      DTSTART:20261102T090000Z
      RRULE:FREQ=WEEKLY;COUNT=3
      RRULE:FREQ=MONTHLY;BYMONTHDAY=20,21
      RDATE:20261105T090000Z
      RDATE:20261106T090000Z
      EXDATE:20261109T090000Z
      EXDATE:20261121T090000Z
      END:VEVENT
      """
    #expect(
      try found(lines, "2026-11-01", "2026-12-01") == [
        "E 20261102T100000", "E 20261105T100000", "E 20261106T100000", "E 20261116T100000",
        "E 20261120T100000",
      ])
  }

  @Test func followsRulesThatWordsCannotSay() throws {
    let lines = """
      BEGIN:VEVENT
      UID:1
      SUMMARY:Pill
      DTSTART:20261102T060000
      RRULE:FREQ=HOURLY;INTERVAL=12;UNTIL=20261103T060000
      EXDATE:20261102T180000
      END:VEVENT
      """
    #expect(
      try found(lines, "2026-11-01", "2026-12-01") == [
        "Pill 20261102T060000", "Pill 20261103T060000",
      ])
  }

  /// An event that begins before a range and ends in it is there; one that ends at its start is not.
  @Test func findsWhatGoesOn() throws {
    func event(_ times: String) -> String { "BEGIN:VEVENT\nUID:1\nSUMMARY:E\n\(times)\nEND:VEVENT" }
    let night = event("DTSTART:20261102T220000\nDTEND:20261103T020000")
    #expect(try found(night, "2026-11-03", "2026-11-04").count == 1)
    #expect(
      try found(event("DTSTART:20261102T220000\nDTEND:20261103T000000"), "2026-11-03", "2026-11-04")
        .isEmpty)
    #expect(try found(event("DTSTART:20261103T000000"), "2026-11-03", "2026-11-04").count == 1)
    let fair = event("DTSTART;VALUE=DATE:20261102\nDTEND;VALUE=DATE:20261105\nRRULE:FREQ=MONTHLY")
    #expect(try found(fair, "2026-12-04", "2026-12-05") == ["E 20261202"])
    #expect(try found(fair, "2026-12-05", "2026-12-06").isEmpty)
    #expect(try found(fair, "2026-11-04", "2026-11-05") == ["E 20261102"])
  }

  @Test func furtherDaysMayBePeriods() throws {
    let lines = """
      BEGIN:VEVENT
      UID:1
      SUMMARY:S
      DTSTART:20261205T100000Z
      RDATE;VALUE=PERIOD:20261206T100000Z/20261206T120000Z,20261207T100000Z/PT1H
      RRULE:FREQ=DAILY;COUNT=1
      END:VEVENT
      """
    #expect(try found(lines, "2026-12-05", "2026-12-09").count == 3)
  }

  @Test func isBounded() throws {
    let lines =
      "BEGIN:VEVENT\nUID:1\nSUMMARY:S\nDTSTART:20260101T000000\nRRULE:FREQ=SECONDLY\nEND:VEVENT"
    #expect(try found(lines, "2026-01-01", "2027-01-01").count == 100)
    // The first of the range, not of the days before it.
    #expect(try found(lines, "2026-03-01", "2026-03-02").first == "S 20260301T000000")
  }
}
