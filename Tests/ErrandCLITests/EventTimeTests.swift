import TestSupport
import Testing

/// The times of events at every door.
@Suite struct EventTimeTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    sandbox.environment["TZ"] = "Europe/Berlin"
    return sandbox
  }

  private func times(_ sandbox: Sandbox) throws -> String {
    try sandbox.run(
      "get", "event:1", "--format",
      "{{ self.start.format('d MMM HH:mm') }}, {{ self.end.format('d MMM HH:mm') }}"
    ).out
  }

  @Test(arguments: [
    (["--start", "2030-05-03 18:00", "--end", "20:00"], "3 May 18:00, 3 May 20:00"),
    (["--start", "2030-05-03 22:00", "--end", "2:00"], "3 May 22:00, 4 May 02:00"),
    (
      ["--start", "2030-05-03 09:00", "--end", "10:00", "--zone", "America/New_York"],
      "3 May 15:00, 3 May 16:00"
    ),
    (
      ["--start", "2030-05-03T09:00:00Z", "--end", "12:00", "--zone", "Asia/Tokyo"],
      "3 May 11:00, 4 May 05:00"
    ),
  ])
  func followTheStartInTheirZone(_ flags: [String], _ times: String) throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run(["add-event", "E"] + flags).status == 0)
    #expect(try self.times(sandbox) == times + "\n")
  }

  @Test func areDaysInAnyZone() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("add-event", "E", "--start", "2030-05-03", "--zone", "Asia/Tokyo")
    let run = try sandbox.run("get", "event:1", "--format", "{{ self.start }} {{ self.allDay }}")
    #expect(run.out == "2030-05-03 true\n")
  }

  @Test func refuseAnUnknownZone() throws {
    let sandbox = try sandbox()
    for (zone, name) in [("Europe/Berln", "Europe/Berlin"), ("berlin", "Europe/Berlin")] {
      let run = try sandbox.run("add-event", "E", "--start", "2030-05-03 9:00", "--zone", zone)
      #expect(run.status == 2)
      #expect(run.err.contains("unknown time zone “\(zone)”"))
      #expect(run.err.contains("did you mean \(name)?"))
    }
    _ = try sandbox.run("add-event", "E", "--start", "2030-05-03 9:00")
    let update = try sandbox.run("update", "event:1", "zone=Europe/Berln")
    #expect(update.status != 0)
    #expect(update.err.contains("did you mean Europe/Berlin?"))
  }

  @Test func doNotEndBeforeTheyStart() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run(
      "add-event", "E", "--start", "2030-05-03 9:00", "--end", "2030-05-03 10:00")
    for change in ["end=2030-05-03 8:00", "start=2030-05-03 11:00", "end=2030-05-02"] {
      let run = try sandbox.run("update", "event:1", change)
      #expect(run.status != 0, "\(change)")
      #expect(run.err.contains("would end before it starts"), "\(run)")
    }
    #expect(try times(sandbox) == "3 May 09:00, 3 May 10:00\n")
    let both = try sandbox.run(
      "update", "event:1", "start=2030-05-04 9:00", "end=2030-05-04 10:00")
    #expect(both.status == 0)
    let new = try sandbox.run("create", "event", "title=F", "start=2030-05-04", "end=2030-05-03")
    #expect(new.err.contains("would end before it starts"))
  }
}
