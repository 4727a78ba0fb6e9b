import TestSupport
import Testing

/// Events that take place every second or minute, beside others.
@Suite struct FrequentEventTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox([
      "often.ics": """
      BEGIN:VCALENDAR
      BEGIN:VEVENT
      UID:1
      SUMMARY:Tick
      DTSTART:20300501T000000Z
      RRULE:FREQ=SECONDLY
      END:VEVENT
      BEGIN:VEVENT
      UID:2
      SUMMARY:Lunch
      DTSTART:20300502T120000Z
      DTEND:20300502T130000Z
      END:VEVENT
      END:VCALENDAR
      """
    ])
    sandbox.environment["TZ"] = "UTC"
    _ = try sandbox.run("import", sandbox.path + "/often.ics")
    return sandbox
  }

  @Test func areCutAndNamed() throws {
    let sandbox = try sandbox()
    let run = try sandbox.run("find", "events", "--during", "2030-05", "--count")
    #expect(run.status == 0)
    #expect(run.out == "10001\n")
    #expect(run.err.contains("event:1 takes place more than 10000 times in this range"))
  }

  @Test func doNotHideOthers() throws {
    let sandbox = try sandbox()
    let run = try sandbox.run(
      "find", "events", "--during", "2030-05-02", "--where", "title == 'Lunch'", "--format",
      "{{ self.title }} {{ self.start.format('HH:mm') }}")
    #expect(run.out == "Lunch 12:00\n")
  }

  @Test func minutesOfADayAreWhole() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("delete", "event:1", "--yes")
    try sandbox.write(
      "BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:3\nSUMMARY:M\nDTSTART:20300101T000000Z\n"
        + "RRULE:FREQ=MINUTELY;INTERVAL=10\nEND:VEVENT\nEND:VCALENDAR", to: "minutes.ics")
    _ = try sandbox.run("import", sandbox.path + "/minutes.ics")
    let run = try sandbox.run("find", "events", "--during", "2030-05-03", "--count")
    #expect(run.out == "144\n")
    #expect(run.err == "")
  }
}
