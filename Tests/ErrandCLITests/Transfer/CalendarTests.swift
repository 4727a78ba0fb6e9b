import TestSupport
import Testing

/// Calendars in and out, and what takes place in a range.
@Suite struct CalendarTests {
  private static let calendar = """
    BEGIN:VCALENDAR
    VERSION:2.0
    X-WR-CALNAME:Work
    BEGIN:VEVENT
    UID:one@example.org
    DTSTAMP:20260101T000000Z
    DTSTART;TZID=Europe/Berlin:20261102T090000
    DTEND;TZID=Europe/Berlin:20261102T093000
    RRULE:FREQ=WEEKLY
    SUMMARY:Stand-up
    X-OWN;A=b:kept
    END:VEVENT
    BEGIN:VTODO
    UID:child@example.org
    SUMMARY:Pack
    RELATED-TO:parent@example.org
    END:VTODO
    BEGIN:VTODO
    UID:parent@example.org
    DUE;VALUE=DATE:20261224
    SUMMARY:Move
    END:VTODO
    BEGIN:VJOURNAL
    UID:j
    END:VJOURNAL
    BEGIN:VEVENT
    UID:bad
    SUMMARY:Never
    END:VEVENT
    END:VCALENDAR

    """

  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox(["work.ics": Self.calendar])
    sandbox.environment["TZ"] = "Europe/Berlin"
    return sandbox
  }

  @Test func importsAndExports() throws {
    let sandbox = try sandbox()
    let first = try sandbox.run("import", sandbox.path + "/work.ics")
    #expect(first.out == "created 3, merged 0, left out 2, bad 0 of 5 entries\n")
    #expect(first.err.contains("a VJOURNAL, which is neither an event nor a task"))
    #expect(first.err.contains("an event without a start: “Never”"))
    let again = try sandbox.run("import", sandbox.path + "/work.ics")
    #expect(again.out == "created 0, merged 3, left out 2, bad 0 of 5 entries\n")
    let parent = try sandbox.run(
      "find", "tasks", "--where", "title == \"Pack\"", "--format", "{{ self.parent.title }}")
    #expect(parent.out == "Move\n")
    let exported = try sandbox.run("export", "--to", "ical").out
    for line in [
      "X-OWN;A=b:kept", "UID:one@example.org", "RRULE:FREQ=WEEKLY", "TZID:Europe/Berlin",
    ] {
      #expect(exported.contains(line + "\r\n"))
    }
    // Another library gets the same.
    sandbox.environment["ERRAND_STORE"] = sandbox.path + "/other.db"
    #expect(
      try sandbox.run("import", "-", input: exported).out
        == "created 3, merged 0, left out 0, bad 0 of 3 entries\n")
    #expect(try sandbox.run("export", "--to", "ical").out == exported)
  }

  @Test func writesOnlyWhatChanged() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("import", sandbox.path + "/work.ics")
    _ = try sandbox.run("update", "event:1", "title=Sit-down")
    let exported = try sandbox.run("export", "events", "--to", "ical").out
    #expect(exported.contains("SUMMARY:Sit-down\r\nX-OWN;A=b:kept\r\n"))
    #expect(exported.contains("DTSTART;TZID=Europe/Berlin:20261102T090000\r\n"))
  }

  @Test func findsOccurrences() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("import", sandbox.path + "/work.ics")
    let found = try sandbox.run(
      "find", "events", "--during", "2026-11", "--format",
      "{{ self.ref }} {{ self.start.format('d HH:mm') }}")
    #expect(
      found.out
        == "event:1 2 09:00\nevent:1 9 09:00\nevent:1 16 09:00\nevent:1 23 09:00\nevent:1 30 09:00\n"
    )
    let some = try sandbox.run(
      "find", "events", "--during", "2026-11", "--where", "start > date('2026-11-10')", "--sort",
      "-start", "--limit", "2",
      "--format", "{{ self.start.format('d') }}")
    #expect(some.out == "30\n23\n")
    #expect(try sandbox.run("find", "events", "--during", "2026-11", "--count").out == "5\n")
    let week = try sandbox.run("find", "events", "--during", "2026-11-09/2026-11-16", "--count")
    #expect(week.out == "2\n")
    for range in ["2026-11-16/2026-11-09", "2026-11-09/2026-11-31", "/", "2026-11-09/2026-11-16/"] {
      #expect(try sandbox.run("find", "events", "--during", range).status == 2, "\(range)")
    }
    let tasks = try sandbox.run(
      "find", "tasks", "--during", "2026-12", "--format", "{{ self.title }}")
    #expect(tasks.out == "Move\n")
    let bad = try sandbox.run("find", "events", "--during", "now and then")
    #expect(bad.err.contains("is not a range of days"))
    #expect(bad.status == 2)
    let links = try sandbox.run("find", "links", "--during", "today")
    #expect(links.err.contains("it has no property with a day"))
  }

  @Test func importsAFolder() throws {
    func entry(_ uid: String) -> String {
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:\(uid)\nDTSTART:20261102T090000Z\nSUMMARY:\(uid)\nEND:VEVENT\nEND:VCALENDAR"
    }
    let sandbox = try Sandbox([
      "all/a/1.ics": entry("x"), "all/b/2.ics": entry("y"), "all/b/color": "red",
    ])
    let run = try sandbox.run("import", sandbox.path + "/all")
    #expect(run.out == "created 2, merged 0, left out 0, bad 0 of 2 entries\n")
  }

  @Test func exportsOtherDays() throws {
    let sandbox = try Sandbox([
      ".config/errand/trip.yaml": "entity: Trip\nproperties: {name: string, day: 'date?'}"
    ])
    _ = try sandbox.run("create", "trip", "name=Rome", "day=2026-12-01")
    _ = try sandbox.run("create", "trip", "name=Sometime")
    let text = try sandbox.run("export", "trips", "--to", "ical").out
    #expect(text.contains("DTSTART;VALUE=DATE:20261201\r\n"))
    #expect(text.contains("SUMMARY:Rome\r\n"))
    #expect(!text.contains("Sometime"))
    let links = try sandbox.run("export", "links", "--to", "ical")
    #expect(links.err.contains("a Link has no day, which this format needs"))
  }
}
