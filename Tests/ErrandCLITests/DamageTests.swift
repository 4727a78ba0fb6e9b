import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Handling of a damaged store.
@Suite struct DamageTests {
  private static let count = 400

  /// Creates a store and overwrites the page that contains some bytes.
  private func damaged(pageWith needle: String) throws -> Sandbox {
    let sandbox = try Sandbox()
    var lines = ""
    for number in 0..<Self.count {
      lines += "{\"url\":\"https://h\(number).example\",\"title\":\"ZEBRA \(number)\"}\n"
    }
    #expect(try sandbox.run("import", "-", "--store", "s.db", input: lines).status == 0)
    #expect(try sandbox.run("vacuum", "--store", "s.db").status == 0)
    #expect(try sandbox.run("backup", "damaged.db", "--store", "s.db").status == 0)
    let file = URL(filePath: sandbox.path + "/damaged.db")
    var bytes = [UInt8](try Data(contentsOf: file))
    let place = try #require(bytes.firstRange(of: Array(needle.utf8))).lowerBound / 4096 * 4096
    for index in place..<place + 4096 { bytes[index] = 0x5A }
    try Data(bytes).write(to: file)
    return sandbox
  }

  @Test func aTextIndexIsMadeAnew() throws {
    // Items contain the word in capitals.
    let sandbox = try damaged(pageWith: "zebra")
    let check = try sandbox.run("doctor", "--store", "damaged.db")
    #expect(check.status == 1)
    #expect(check.out.contains("--repair"), "\(check.out)")
    let repair = try sandbox.run("doctor", "--repair", "--store", "damaged.db")
    #expect(repair.status == 0, "\(repair.out)\(repair.err)")
    #expect(repair.out.contains("repaired: "))
    #expect(repair.out.contains("the previous store is kept in "))
    #expect(try sandbox.run("doctor", "--store", "damaged.db").status == 0)
    for words in [["find", "links", "zebra"], ["find", "links"]] {
      let found = try sandbox.run(words + ["--store", "damaged.db"]).out
      #expect(found.split(separator: "\n").count == Self.count)
    }
  }

  @Test func itemsAreRescued() throws {
    let sandbox = try damaged(pageWith: "ZEBRA 200")
    let check = try sandbox.run("doctor", "--repair", "--store", "damaged.db")
    #expect(check.status == 1)
    #expect(check.out.contains("--rescue"), "\(check.out)")
    #expect(!check.out.contains("repaired: "))
    let rescue = try sandbox.run("doctor", "--rescue", "new.db", "--store", "damaged.db")
    #expect(rescue.out.contains("saved"), "\(rescue.out)\(rescue.err)")
    #expect(try sandbox.run("doctor", "--store", "new.db").status == 0)
    let found = try sandbox.run("find", "links", "zebra", "--store", "new.db").out
    let saved = found.split(separator: "\n").count
    #expect(saved > Self.count / 2 && saved < Self.count)
    #expect(rescue.out.contains("\(saved) saved, \(Self.count - saved) lost"), "\(rescue.out)")
  }

  @Test func runsComeAlongAndJobsWait() throws {
    let sandbox = try Sandbox([
      "t.yaml": """
      shortcut: t
      durable: true
      steps:
        - create: {entity: Task, set: {title: first}}
        - enqueue: {name: add-task, with: {title: later}}
        - exec: {shell: 'test -e go || kill -9 $PPID'}
          onResume: retry
        - value: done

      """
    ])
    #expect(try sandbox.run("run", "t.yaml", "--store", "s.db").status == 128 + SIGKILL)
    let rescue = try sandbox.run("doctor", "--rescue", "new.db", "--store", "s.db")
    #expect(rescue.status == 0, "\(rescue)")
    #expect(rescue.out.contains("runs: 1 saved\njobs: 1 saved\n"), "\(rescue)")
    let json = try sandbox.run("doctor", "--rescue", "other.db", "--store", "s.db", "--json")
    #expect(
      json.out.contains(
        #""records":[{"kind":"runs","saved":1,"lost":0,"ended":0},{"kind":"jobs","saved":1,"#))
    #expect(
      try sandbox.run("queue", "--store", "new.db", "--quiet", "--format", "{{ self.state }}").out
        == "suspended\n")
    #expect(try sandbox.run("doctor", "--store", "new.db").status == 0)
    try sandbox.write("", to: "go")
    #expect(try sandbox.run("resume", "1", "--store", "new.db") == ProgramRun(out: "done\n"))
  }

  /// Some tables do not exist yet, and none is created before the store is sound.
  @Test(arguments: ["zebra", "ZEBRA 200"])
  func checkDoesNotChangeADamagedStore(_ needle: String) throws {
    let sandbox = try damaged(pageWith: needle)
    let file = URL(filePath: sandbox.path + "/damaged.db")
    let before = try Data(contentsOf: file)
    #expect(try sandbox.run("doctor", "--store", "damaged.db").status == 1)
    #expect(try Data(contentsOf: file) == before)
    #expect(try sandbox.shell("ls -A | grep damaged").out == "damaged.db\n")
  }

  @Test func missingStoreIsNotCreated() throws {
    let sandbox = try Sandbox()
    for words in [["doctor"], ["doctor", "--repair"], ["vacuum"]] {
      #expect(try sandbox.run(words).status == 0)
    }
    #expect(try sandbox.run("doctor").out.contains("store: no library yet"))
    for words in [
      ["doctor"], ["doctor", "--repair"], ["vacuum"], ["backup", "b.db"],
      ["doctor", "--rescue", "r.db"],
    ] {
      let run = try sandbox.run(words + ["--store", "typo.db"])
      #expect(run.status == 1, "\(words)")
      #expect((run.out + run.err).contains("there is no store “typo.db”"), "\(run)")
    }
    #expect(try sandbox.run("backup", "b.db").status == 1)
    #expect(try sandbox.shell("find . -name '*.db*'").out == "")
  }

  @Test func theNewFileNeedsAName() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org")
    #expect(try sandbox.run("backup", "").status == 2)
    #expect(try sandbox.run("doctor", "--rescue", "").status == 2)
    let run = try sandbox.run("doctor", "--rescue", "r.db", "--store", ".")
    #expect(run.status == 1)
    #expect(run.err.contains("is not a regular file"), "\(run)")
  }

  @Test func programsReadTheResultAsJSON() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--store", "s.db")
    let sound = try sandbox.run("doctor", "--json", "--store", "s.db")
    #expect(sound.out.hasPrefix("{\"ok\":true,\"definitions\":{\"count\":"), "\(sound)")
    #expect(sound.out.hasSuffix(",\"store\":\"s.db\",\"problems\":[]}\n"), "\(sound)")
    let absent = try sandbox.run("doctor", "--json", "--store", "typo.db")
    #expect(absent.status == 1)
    #expect(
      absent.out.hasSuffix(
        "\"problems\":[{\"kind\":\"store\",\"entity\":null,"
          + "\"message\":\"there is no store “typo.db”\"}]}\n"), "\(absent)")
    let events = try sandbox.run("doctor", "--events", "--store", "s.db")
    #expect(events.out.hasPrefix("{\"event\":\"result\",\"value\":{\"ok\":true"), "\(events)")
    let rescue = try sandbox.run("doctor", "--rescue", "r.db", "--json", "--store", "s.db")
    #expect(rescue.status == 0)
    #expect(rescue.out.contains("{\"entity\":\"Link\",\"saved\":1,\"lost\":0,"), "\(rescue)")
    let again = try sandbox.run("doctor", "--rescue", "r.db", "--json", "--store", "s.db")
    #expect(again.err.hasPrefix("{\"error\":{\"code\":\"conflict\""), "\(again)")
  }
}
