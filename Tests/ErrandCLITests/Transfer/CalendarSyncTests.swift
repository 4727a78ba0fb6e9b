import Glibc
import TestSupport
import Testing

/// `errand calendar`: a folder and the library in step.
@Suite struct CalendarSyncTests {
  private func entry(_ uid: String, _ lines: String, kind: String = "VEVENT") -> String {
    let times = kind == "VEVENT" ? "DTSTART:20261102T090000Z\r\n" : ""
    return
      "BEGIN:VCALENDAR\r\nX-OF:other\r\nBEGIN:\(kind)\r\nUID:\(uid)\r\n\(times)\(lines)\r\nEND:\(kind)\r\n"
      + "END:VCALENDAR\r\n"
  }

  /// A library with a calendar of some entries.
  private func sandbox(_ count: Int) throws -> Sandbox {
    let sandbox = try Sandbox(["work/displayname": "Work\n"])
    for number in 0..<count {
      try sandbox.write(
        entry("u\(number)", "SUMMARY:E\(number)\r\nX-OWN:\(number)"), to: "work/u\(number).ics")
    }
    let added = try sandbox.run("calendar", "add", sandbox.path + "/work", "--tasks")
    #expect(added.out + added.err == "Added the calendar Work.\nWork: \(count) received, 0 sent.\n")
    return sandbox
  }

  private func sync(_ sandbox: Sandbox, _ words: String...) throws -> ProgramRun {
    try sandbox.run(["calendar", "sync"] + words)
  }

  private func titles(_ sandbox: Sandbox) throws -> [String] {
    try sandbox.run("find", "events", "--quiet", "--sort", "title", "--format", "{{ self.title }}")
      .out
      .split(separator: "\n").map(String.init)
  }

  @Test func mergesBothSides() throws {
    let sandbox = try sandbox(3)
    #expect(try titles(sandbox) == ["E0", "E1", "E2"])
    _ = try sandbox.run("update", "event:1", "title=Mine")
    try sandbox.write(entry("u0", "SUMMARY:E0\r\nLOCATION:There\r\nX-OWN:0"), to: "work/u0.ics")
    try sandbox.write(entry("u9", "SUMMARY:New"), to: "work/u9.ics")
    _ = try sandbox.run("create", "event", "title=Own", "start=2026-12-01", "calendar=Work")
    _ = try sandbox.run("create", "event", "title=Elsewhere", "start=2026-12-01")
    _ = try sandbox.run("create", "task", "title=Do")
    #expect(try sync(sandbox).status == 0)
    let merged = try #require(sandbox.read("work/u0.ics"))
    for line in ["SUMMARY:Mine", "LOCATION:There", "X-OWN:0", "X-OF:other"] {
      #expect(merged.contains(line + "\r\n"))
    }
    #expect(try titles(sandbox) == ["E1", "E2", "Elsewhere", "Mine", "New", "Own"])
    let files = try sandbox.shell("cat work/*.ics").out
    #expect(files.contains("SUMMARY:Own\r\n"))
    #expect(files.contains("SUMMARY:Do\r\n"))
    #expect(!files.contains("Elsewhere"))
    // Both sides are the same now.
    let again = try sync(sandbox)
    #expect((again.out + again.err).contains("Work: 0 received, 0 sent."))
  }

  @Test func keepsTheLaterOfTwoValues() throws {
    let sandbox = try sandbox(2)
    _ = try sandbox.run("update", "event:1", "title=Here")
    try sandbox.write(
      entry("u0", "SUMMARY:There\r\nLAST-MODIFIED:20200101T000000Z"), to: "work/u0.ics")
    let run = try sync(sandbox)
    #expect((run.out + run.err).contains("1 conflict: errand hub conflicts"))
    #expect(try titles(sandbox) == ["E1", "Here"])
    let conflicts = try sandbox.run("hub", "conflicts").out
    #expect(conflicts.contains("There"))
    #expect(try sandbox.run("hub", "conflicts", "restore", "1").status == 0)
    #expect(try titles(sandbox) == ["E1", "There"])
  }

  @Test func deletesOnBothSides() throws {
    let sandbox = try sandbox(12)
    _ = try sandbox.run("delete", "event:1", "--yes")
    _ = try sandbox.shell("rm work/u1.ics")
    #expect(try sync(sandbox).status == 0)
    #expect(sandbox.read("work/u0.ics") == nil)
    #expect(try titles(sandbox).count == 10)
    // A change on the other side keeps it.
    _ = try sandbox.run("update", "event:5", "title=Kept here")
    _ = try sandbox.shell("rm work/u2.ics")
    _ = try sandbox.run("delete", "event:6", "--yes")
    try sandbox.write(entry("u3", "SUMMARY:Kept there"), to: "work/u3.ics")
    #expect(try sync(sandbox).status == 0)
    #expect(sandbox.read("work/u2.ics")?.contains("Kept here") == true)
    #expect(try titles(sandbox).filter { $0.hasPrefix("Kept") } == ["Kept here", "Kept there"])
  }

  @Test func asksBeforeManyDeletions() throws {
    let sandbox = try sandbox(10)
    _ = try sandbox.shell("rm work/u[0-4].ics")
    let refused = try sync(sandbox)
    #expect(refused.status != 0)
    #expect(refused.err.contains("The calendar Work lacks 5 of 10 entries"))
    #expect(try titles(sandbox).count == 10)
    // A folder that is not there is not an empty one.
    _ = try sandbox.shell("mv work away")
    #expect(try sync(sandbox).err.contains("there is no calendar at"))
    _ = try sandbox.shell("mv away work")
    #expect(try sync(sandbox, "--force").status == 0)
    #expect(try titles(sandbox).count == 5)
  }

  @Test func leavesAloneWhatItCannotRead() throws {
    let sandbox = try sandbox(1)
    let two = entry("a", "SUMMARY:A") + entry("b", "SUMMARY:B")
    try sandbox.write(two, to: "work/two.ics")
    try sandbox.write("nothing", to: "work/bad.ics")
    try sandbox.write(entry("j", "SUMMARY:J", kind: "VJOURNAL"), to: "work/j.ics")
    let run = try sync(sandbox)
    #expect(
      (run.out + run.err).contains(
        "Left alone, since it is not one event or task: bad.ics, j.ics, two.ics"))
    #expect(sandbox.read("work/two.ics") == two)
    #expect(sandbox.read("work/bad.ics") == "nothing")
    #expect(try titles(sandbox) == ["E0"])
  }

  @Test func aFileWithAnotherNameIsTheSameEntry() throws {
    let sandbox = try sandbox(2)
    _ = try sandbox.shell(
      "mv work/u0.ics work/moved.ICS; sed s/SUMMARY:E1/SUMMARY:Edited/ work/u1.ics >work/x.ics")
    _ = try sandbox.shell("rm work/u1.ics")
    for _ in 0..<3 { #expect(try sync(sandbox).status == 0) }
    #expect(try titles(sandbox) == ["E0", "Edited"])
    #expect(try sandbox.shell("ls work").out == "displayname\nmoved.ICS\nx.ics\n")
    _ = try sandbox.run("update", "event:1", "title=Here")
    #expect(try sync(sandbox).status == 0)
    #expect(try sandbox.shell("cat work/moved.ICS").out.contains("SUMMARY:Here\r\n"))
  }

  @Test func ofTwoFilesWithOneIdentifierOneIsLeftAlone() throws {
    let sandbox = try sandbox(2)
    let twin = entry("u0", "SUMMARY:Twin")
    try sandbox.write(twin, to: "work/twin.ics")
    for _ in 0..<2 {
      let run = try sync(sandbox)
      #expect(run.status == 1)
      #expect((run.out + run.err).contains("it has the UID of u0.ics: twin.ics"))
    }
    #expect(try titles(sandbox) == ["E0", "E1"])
    #expect(sandbox.read("work/twin.ics") == twin)
    // Now it is the entry.
    _ = try sandbox.shell("rm work/u0.ics")
    #expect(try sync(sandbox).status == 0)
    #expect(try titles(sandbox) == ["E1", "Twin"])
  }

  @Test func aFileThatIsBrokenForAMomentIsStillThere() throws {
    let sandbox = try sandbox(2)
    let whole = try #require(sandbox.read("work/u0.ics"))
    for broken in ["", String(whole.prefix(60))] {
      try sandbox.write(broken, to: "work/u0.ics")
      #expect(try sync(sandbox).status == 0)
      #expect(sandbox.read("work/u0.ics") == broken)
      try sandbox.write(whole, to: "work/u0.ics")
      #expect(try sync(sandbox).status == 0)
    }
    #expect(try sandbox.shell("ls work").out == "displayname\nu0.ics\nu1.ics\n")
    #expect(try titles(sandbox) == ["E0", "E1"])
  }

  @Test func aLinkToAFileStaysOne() throws {
    let sandbox = try Sandbox(["out/real.ics": entry("x", "SUMMARY:X"), "work/displayname": "Work"])
    _ = try sandbox.shell("ln -s ../out/real.ics work/x.ics")
    _ = try sandbox.run("calendar", "add", sandbox.path + "/work")
    _ = try sandbox.run("update", "event:1", "place=There")
    #expect(try sync(sandbox).status == 0)
    #expect(sandbox.read("out/real.ics")?.contains("LOCATION:There") == true)
    #expect(try sandbox.shell("readlink work/x.ics").out == "../out/real.ics\n")
  }

  @Test func aCalendarThatFailsDoesNotStopOthers() throws {
    let sandbox = try sandbox(1)
    for name in ["a", "z"] {
      try sandbox.write(entry(name, "SUMMARY:\(name)"), to: "\(name)/\(name).ics")
      _ = try sandbox.run("calendar", "add", sandbox.path + "/" + name)
    }
    _ = try sandbox.shell("mv a away; sed -i s/SUMMARY:z/SUMMARY:zz/ z/z.ics")
    let run = try sync(sandbox)
    #expect(run.status == 1)
    #expect(run.err.contains("errand: a: there is no calendar at"))
    #expect(try titles(sandbox) == ["E0", "a", "zz"])
  }

  @Test func addressesStayAsTheyAre() throws {
    let address = "https://example.org/a,b;c?d=e\\f"
    let sandbox = try Sandbox(["work/displayname": "Work"])
    _ = try sandbox.run("calendar", "add", sandbox.path + "/work")
    _ = try sandbox.run(
      "add-event", "Lunch", "--start", "2026-12-01", "--calendar", "Work", "--url", address)
    #expect(try sync(sandbox).status == 0)
    #expect(try sandbox.shell("cat work/*.ics").out.contains("\r\nURL:\(address)\r\n"))
    #expect((try sync(sandbox).err).contains("0 received, 0 sent"))
  }

  @Test func writesNothingIntoAReadOnlyOne() throws {
    let sandbox = try Sandbox(["all.ics": entry("x", "SUMMARY:X")])
    _ = try sandbox.run("calendar", "add", sandbox.path + "/all.ics")
    _ = try sandbox.run("update", "event:1", "title=Mine")
    #expect(try sync(sandbox).status == 0)
    #expect(sandbox.read("all.ics") == entry("x", "SUMMARY:X"))
    #expect(try titles(sandbox) == ["Mine"])
    #expect(try sandbox.run("calendar", "list").out.contains("read-only"))
    #expect(try sandbox.run("calendar", "remove", "all").status == 0)
    #expect(try titles(sandbox) == ["Mine"])
  }

  /// Random edits of both sides, with syncs that are killed at any point, end in the same state, and nothing is lost.
  @Test(arguments: [1, 2, 3]) func survivesRandomEdits(_ seed: UInt64) throws {
    let sandbox = try sandbox(5)
    var random = SeededGenerator(seed: seed)
    // The title that an entry last got; nil where it was deleted.
    var expected: [String: String?] = [:]
    for number in 0..<5 { expected["u\(number)"] = "E\(number)" }
    for round in 0..<12 {
      for _ in 0..<3 {
        let uid = "u\(Int.random(in: 0..<8, using: &random))"
        let title = "T\(round)-\(Int.random(in: 0..<1_000, using: &random))"
        let isThere = sandbox.read("work/\(uid).ics") != nil
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where isThere:
          _ = try sandbox.shell("rm work/\(uid).ics")
          expected[uid] = .some(nil)
        case 1 where isThere:
          let ref = try sandbox.run(
            "find", "events", "--quiet", "--where", "ical.contains(\"UID:\(uid)\")", "--format",
            "{{ self.ref }}"
          ).out
          guard let ref = ref.split(separator: "\n").first else { continue }
          _ = try sandbox.run("update", String(ref), "title=\(title)")
          expected[uid] = title
        default:
          try sandbox.write(entry(uid, "SUMMARY:\(title)\r\nX-OWN:\(uid)"), to: "work/\(uid).ics")
          expected[uid] = title
        }
        // A sync that is cut off, then a whole one, so that each edit follows what both sides know.
        let delay = Int.random(in: 1...60, using: &random)
        _ = try sandbox.shell(
          "timeout -s KILL 0.0\(delay < 10 ? "0" : "")\(delay) errand calendar sync --force")
        #expect(try sync(sandbox, "--force").status == 0)
      }
    }
    let wanted = expected.values.compactMap { $0 }.sorted()
    #expect(try titles(sandbox) == wanted)
    let there = try sandbox.shell(
      "cat work/*.ics 2>/dev/null | grep '^SUMMARY' | tr -d '\\r' | sed 's/SUMMARY://'"
    ).out
    #expect(there.split(separator: "\n").map(String.init).sorted() == wanted)
    let again = try sync(sandbox)
    #expect((again.out + again.err).contains("Work: 0 received, 0 sent."))
  }

  /// An event is never put where it would stay unsent.
  @Test func refusesAnEventInACalendarThatIsOnlyRead() throws {
    let sandbox = try Sandbox(["holidays/displayname": "Holidays\n"])
    try sandbox.write(entry("h", "SUMMARY:Easter"), to: "holidays/h.ics")
    let added = try sandbox.run("calendar", "add", sandbox.path + "/holidays", "--read-only")
    #expect((added.out + added.err).contains("Holidays: 1 received, 0 sent."))
    let reason = "Holidays is only read"
    let new = try sandbox.run(
      "add-event", "Mine", "--start", "2030-05-01", "--calendar", "Holidays")
    #expect(new.status != 0)
    #expect(new.err.contains(reason))
    #expect(try sandbox.run("add-event", "Mine", "--start", "2030-05-01").status == 0)
    let moved = try sandbox.run("update", "event:2", "calendar=Holidays")
    #expect(moved.status != 0)
    #expect(moved.err.contains(reason))
    // What comes from there goes on to come.
    try sandbox.write(entry("h", "SUMMARY:Easter Sunday"), to: "holidays/h.ics")
    try sandbox.write(entry("i", "SUMMARY:Monday"), to: "holidays/i.ics")
    #expect(try sync(sandbox).status == 0)
    #expect(try titles(sandbox) == ["Easter Sunday", "Mine", "Monday"])
  }

  @Test func waitsForNoOtherSyncOfACalendar() throws {
    let sandbox = try sandbox(1)
    try sandbox.write(entry("u5", "SUMMARY:Later"), to: "work/u5.ics")
    let held = try sandbox.shell(
      "flock \"$(find . -name '*.calendar-*')\" errand calendar sync Work")
    #expect(held.status != 0)
    #expect(held.err.contains("another process is syncing the calendar Work"))
    #expect(try titles(sandbox) == ["E0"])
    #expect(try sync(sandbox).status == 0)
    #expect(try titles(sandbox) == ["E0", "Later"])
  }

  @Test func keepsChangesOfAllLaterDays() throws {
    let sandbox = try sandbox(0)
    let series = """
      BEGIN:VEVENT\r
      UID:s\r
      SUMMARY:Team\r
      DTSTART:20261102T090000Z\r
      RRULE:FREQ=WEEKLY;COUNT=4\r
      RRULE:FREQ=MONTHLY;COUNT=2\r
      END:VEVENT\r
      BEGIN:VEVENT\r
      UID:s\r
      RECURRENCE-ID;RANGE=THISANDFUTURE:20261116T090000Z\r
      SUMMARY:Late\r
      DTSTART:20261116T150000Z\r
      END:VEVENT\r
      """
    let text = "BEGIN:VCALENDAR\r\n\(series)\nEND:VCALENDAR\r\n"
    try sandbox.write(text, to: "work/s.ics")
    _ = try sync(sandbox)
    #expect(sandbox.read("work/s.ics") == text)
    _ = try sandbox.run("update", "event:1", "place=Corner")
    _ = try sync(sandbox)
    let changed = try #require(sandbox.read("work/s.ics"))
    for line in [
      "RRULE:FREQ=WEEKLY;COUNT=4", "RRULE:FREQ=MONTHLY;COUNT=2", "LOCATION:Corner",
      "RECURRENCE-ID;RANGE=THISANDFUTURE:20261116T090000Z", "SUMMARY:Late",
    ] {
      #expect(changed.contains(line + "\r\n"), "\(line)")
    }
  }
}
