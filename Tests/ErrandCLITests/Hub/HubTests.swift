import Foundation
import TestSupport
import Testing

/// `errand hub` with a real server; skipped where PostgreSQL is not installed.
@Suite(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed"))
struct HubTests {
  private let hub: TestHub
  private var server: PostgreSQLServer { hub.server }

  init() throws { hub = try TestHub() }

  private func join(_ name: String) throws -> Sandbox { try hub.join(name) }

  private func titles(_ machine: Sandbox) throws -> String {
    try machine.run("find", "links", "--format", "{{ self.uid }} {{ self.title }} {{ self.tags }}")
      .out
      .split(separator: "\n").sorted().joined(separator: "\n")
  }

  @Test func changesReachTheOtherMachine() throws {
    let (one, two) = (try join("one"), try join("two"))
    #expect(try one.run("save", "https://swift.org", "--title", "Swift").status == 0)
    #expect(try one.run("hub", "sync").err == "Sent 1 change; nothing new here.\n")
    #expect(try two.run("hub", "sync").err == "Sent 0 changes; 1 item changed here.\n")
    #expect(try two.run("update", "swift", "title=Language").status == 0)
    #expect(try two.run("hub", "sync").status == 0)
    #expect(try one.run("hub", "sync").status == 0)
    #expect(try one.run("search", "language", "--format", "{{ self.title }}").out == "Language\n")
    #expect(try titles(one) == titles(two))
  }

  @Test func followingSendsAndMergesAsItComes() throws {
    let (one, two) = (try join("one"), try join("two"))
    let started = try two.shell("errand hub sync --follow >log 2>&1 </dev/null & echo $!")
    let process = started.out.filter(\.isNumber)
    defer { _ = try? two.shell("kill -KILL \(process)") }
    func until(_ machine: Sandbox, _ command: String, is count: Int) throws -> String {
      try machine.shell(
        """
        for _ in $(seq 600); do [ "$(\(command))" = \(count) ] && break; sleep 0.05; done
        \(command)
        """
      ).out
    }
    let count = "errand find links --count"
    for number in 1...3 {
      #expect(try one.run("save", "https://example.org/\(number)").status == 0)
      #expect(try one.run("hub", "sync").status == 0)
      #expect(try until(two, count, is: 2 * number - 1) == "\(2 * number - 1)\n")
      #expect(try two.run("save", "https://example.net/\(number)").status == 0)
      let merged = "errand hub sync 2>out; \(count)"
      #expect(try until(one, merged, is: 2 * number) == "\(2 * number)\n")
    }
  }

  @Test func aGlobalIDNamesAnItemOnEachMachine() throws {
    let (one, two) = (try join("one"), try join("two"))
    #expect(try two.run("save", "https://other.example").status == 0)
    #expect(try one.run("save", "https://swift.org", "--title", "Swift").status == 0)
    for machine in [one, two] { #expect(try machine.run("hub", "sync").status == 0) }
    let uid = try one.run("get", "link:1", "--format", "{{ self.uid }}").out.dropLast()
    for machine in [one, two] {
      for name in ["link:\(uid)", "errand://open/link:\(uid)"] {
        let found = try machine.run("update", name, "title=Language", "--format", "{{ self.url }}")
        #expect(found.out == "https://swift.org\n", "\(found)")
      }
    }
    #expect(try two.run("get", "link:\(uid.reversed())").status == 1)
  }

  @Test func undoPassesOverChangesFromTheHub() throws {
    let (one, two) = (try join("one"), try join("two"))
    #expect(try one.run("add-note", "mine").status == 0)
    #expect(try two.run("save", "https://sqlite.org").status == 0)
    #expect(try two.run("hub", "sync").status == 0)
    #expect(try one.run("hub", "sync").status == 0)
    #expect(try one.run("undo").err.contains("note:1"))
    #expect(try one.run("find", "links", "--count").out == "1\n")
  }

  @Test func conflictsAreShownAndGivenBack() throws {
    let (one, two) = (try join("one"), try join("two"))
    #expect(try one.run("save", "https://swift.org", "--title", "Swift").status == 0)
    for machine in [one, two] { #expect(try machine.run("hub", "sync").status == 0) }
    #expect(try one.run("update", "link:1", "title=First").status == 0)
    #expect(try two.run("update", "link:1", "title=Second").status == 0)
    for machine in [one, two, one] { #expect(try machine.run("hub", "sync").status == 0) }
    for machine in [one, two] {
      #expect(
        try machine.run("hub", "conflicts").out
          == "1\tlink:1\ttitle was set twice\tFirst\tSecond\n")
      #expect(try machine.run("find", "links", "--format", "{{ self.title }}").out == "Second\n")
    }
    #expect(
      try one.run("hub", "conflicts", "restore", "1").err
        == "link:1 has the lost value of title again.\n")
    #expect(try one.run("hub", "conflicts").out == "")
    for machine in [one, two] { #expect(try machine.run("hub", "sync").status == 0) }
    #expect(try two.run("find", "links", "--format", "{{ self.title }}").out == "First\n")
  }

  @Test func membersCannotWriteAsOthersNorChangeTheLog() throws {
    let one = try join("one")
    _ = try join("two")
    #expect(try one.run("save", "https://swift.org").status == 0)
    #expect(try one.run("hub", "sync").status == 0)
    let number = try server.query("SELECT number FROM errand.machines WHERE name = 'one'").out
      .filter(\.isNumber)
    for statement in [
      """
      INSERT INTO errand.changes (name, machine, kind, entity, uid, delta) \
      VALUES (gen_random_uuid(), \(number), 0, 'Link', gen_random_uuid(), '{}')
      """, "DELETE FROM errand.changes", "UPDATE errand.changes SET delta = ''",
      "INSERT INTO errand.machines (number, name, login) VALUES (1, 'x', 'one')",
    ] {
      #expect(try server.query(statement, as: "two").status != 0, "\(statement)")
    }
  }

  @Test func unreachableAndForeignHubsAreReported() throws {
    let one = try join("one")
    one.environment["PGHOST"] = "/nonexistent"
    let away = try one.run("hub", "sync")
    #expect(away.status == 1)
    #expect(away.err.hasPrefix("errand: error: cannot reach the hub: "))
    one.environment["PGHOST"] = server.socket
    one.environment["PGUSER"] = "stranger"
    #expect(try one.run("hub", "sync").err.hasPrefix("errand: error: the hub refused: "))
    one.environment["PGUSER"] = "owner"
    #expect(try server.query("UPDATE errand.hub SET version = 99").status == 0)
    #expect(try one.run("hub", "sync").err.contains("later release"))
    #expect(
      try server.query("UPDATE errand.hub SET version = 3, name = gen_random_uuid()").status == 0)
    #expect(try one.run("hub", "sync").err.contains("another hub"))
  }

  @Test func whatCannotBeReadIsKeptAndNamed() throws {
    let (one, two) = (try join("one"), try join("two"))
    #expect(try one.run("save", "https://swift.org").status == 0)
    #expect(try one.run("hub", "sync").status == 0)
    for text in [#"{"later":1}"#, "[]", "{", "null", ""] {
      let made = try server.query(
        """
        INSERT INTO errand.changes (name, machine, kind, entity, uid, delta) SELECT \
        gen_random_uuid(), number, 0, 'Link', gen_random_uuid(), '\(text)' FROM errand.machines \
        WHERE name = 'one'
        """)
      #expect(made.status == 0, "\(made)")
    }
    #expect(try two.run("hub", "sync").err == "Sent 0 changes; 1 item changed here.\n")
    #expect(try two.run("hub").err.contains("5 changes of other machines cannot be read"))
    #expect(try two.run("hub", "sync").status == 0)
    #expect(try two.run("doctor").status == 0)
  }

  @Test func impossibleNumbersStopNobody() throws {
    let (one, two) = (try join("one"), try join("two"))
    #expect(try one.run("save", "https://swift.org", "--title", "Swift").status == 0)
    for machine in [one, two] { #expect(try machine.run("hub", "sync").status == 0) }
    let uid = try one.run("get", "link:1", "--format", "{{ self.uid }}").out.dropLast()
    let title = #""v":{"title":"hostile"}"#
    let deltas = [
      #"{"l":1,"b":[9223372036854775806,1],\#(title)}"#,
      #"{"l":1,"b":[7258118400000000,1],\#(title)}"#,
      #"{"l":9223372036854775807,"b":[1,1],\#(title)}"#,
      #"{"l":1,"e":{"tags":{"a":[9223372036854775807,1,1]}}}"#,
      #"{"l":1,"e":{"tags":{"a":[-1,1,1]}}}"#,
      #"{"l":1,"o":{"tags":[[1,9223372036854775807],["a"]]}}"#,
      #"{"l":1,"b":[1,1],"p":{"title":[9223372036854775807,1]}}"#,
    ]
    for delta in deltas {
      let made = try server.query(
        """
        INSERT INTO errand.changes (name, machine, kind, entity, uid, delta) SELECT \
        gen_random_uuid(), number, 0, 'Link', '\(uid)', '\(delta)' FROM errand.machines \
        WHERE name = 'two'
        """, as: "two")
      #expect(made.status == 0, "\(made)")
    }
    for words in [
      ["hub", "sync"], ["update", "link:1", "title=Mine"], ["hub", "sync"],
      ["update", "link:1", "--add", "tags=b"], ["hub", "sync"], ["delete", "link:1", "--yes"],
      ["hub", "sync"], ["undo"], ["hub", "sync"],
    ] {
      let run = try one.run(words)
      #expect(run.status == 0, "\(words) \(run)")
    }
    #expect(try one.run("hub").err.contains("7 changes of other machines cannot be read"))
    #expect(try one.run("doctor").out.contains("hub: 7 changes of other machines"))
    #expect(try two.run("hub", "sync").status == 0)
    #expect(try titles(two).contains("Mine"))
    #expect(try titles(two) == titles(one))
  }

  @Test func numbersAreTheHubsOnly() throws {
    let (one, two) = (try join("one"), try join("two"))
    func insert(_ number: Int64, as login: String) throws -> ProgramRun {
      try server.query(
        """
        INSERT INTO errand.changes (number, name, machine, kind, entity, uid, delta) \
        OVERRIDING SYSTEM VALUE SELECT \(number), gen_random_uuid(), number, 0, 'Link', \
        gen_random_uuid(), '{}' FROM errand.machines WHERE name = 'two'
        """, as: login)
    }
    #expect(try insert(.max, as: "two").status != 0)
    #expect(try insert(.max, as: "owner").status == 0)
    #expect(try one.run("save", "https://swift.org").status == 0)
    #expect(try one.run("hub", "sync").err.contains("1 row of the hub with numbers that it never"))
    #expect(try two.run("hub", "sync").err.contains("1 item changed here"))
    // A hub of an earlier release, on which members could do it.
    let old = "UPDATE errand.hub SET version = 2; GRANT INSERT ON errand.changes TO errand_member"
    #expect(try server.query(old).status == 0)
    #expect(try insert(.max - 1, as: "two").status == 0)
    #expect(try one.run("hub", "sync").err.contains("`errand hub init`"))
    let owner = try server.machine("owner")
    #expect(try owner.run("hub", "init").status == 0)
    #expect(try insert(.max - 2, as: "two").status != 0)
    #expect(try two.run("hub", "sync").err == "Sent 0 changes; nothing new here.\n")
  }

  /// The number of rounds in which machines save, sync and are killed, and the server crashes.
  private static let rounds = Amount.of("ERRAND_HUB_KILLS", quick: 6, whole: 200)

  private static let machines = rounds > 50 ? 16 : 3

  @Test func syncsOfOneLibraryTakeTurns() throws {
    let one = try join("one")
    for number in 1...3 {
      #expect(try one.run("save", "https://example.org/\(number)").status == 0)
      let all = try one.shell(
        "for n in 1 2 3 4; do (errand hub sync >out$n 2>&1; echo $? >>status) & done; wait; cat status; rm status"
      )
      #expect(all.out == "0\n0\n0\n0\n", "\(all)")
    }
    #expect(try server.query("SELECT count(*) FROM errand.machines").out == "1\n")
    #expect(try server.query("SELECT count(*) FROM errand.changes").out == "3\n")
  }

  @Test func nothingSavedIsLostByKillsAndCrashes() throws {
    let machines = try (1...Self.machines).map { try join("machine\($0)") }
    var random = SeededGenerator(seed: 7)
    var saved: Set<String> = []
    for round in 0..<Self.rounds {
      for (index, machine) in machines.enumerated() {
        let address = "https://example.org/\(round)/\(index)"
        let run = try machine.run("save", address, "--title", "\(round) \(index)")
        try #require(run.status == 0, "\(run)")
        saved.insert(address)
        if let other = saved.sorted().randomElement(using: &random) {
          // Not there yet, if it is another machine's.
          _ = try machine.run("update", other, "title=\(round)", "--add", "tags=\(index)")
        }
        let delay = Double.random(in: 0.005...0.06, using: &random)
        _ = try machine.shell("timeout -s KILL \(delay) errand hub sync >out 2>&1; true")
      }
      if round % 2 == 1 { try server.crash() }
    }
    for machine in machines + machines {
      let run = try machine.run("hub", "sync")
      try #require(run.status == 0, "\(run)")
    }
    for machine in machines {
      let found = try machine.run("find", "links", "--format", "{{ self.url }}").out
        .split(separator: "\n").map(String.init)
      #expect(Set(found) == saved)
      #expect(found.count == saved.count)
      #expect(try titles(machine) == titles(machines[0]))
      #expect(try machine.run("doctor").status == 0)
    }
  }
}
