import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Shares on their way into the library.
@Suite struct InboxTests {
  private static let store = ".local/share/errand/library.db"

  private func names(_ sandbox: Sandbox, _ folder: String) -> [String] {
    let path = "\(sandbox.path)/\(Self.store).\(folder)"
    return ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).sorted()
  }

  @Test func everythingSharedComesIn() throws {
    let sandbox = try Sandbox(["report.txt": "%PDF-1.7 the report"])
    for words in [
      ["https://swift.org/a?b#c", "--title", "Swift", "--from", "browser"],
      ["Buy milk\nand bread"], ["YAML https://yaml.org"],
      ["./report.txt", "--title", "The Report"], ["./report.txt"],
    ] {
      #expect(try sandbox.run(["share-in", "--quiet"] + words) == ProgramRun())
    }
    let run = try sandbox.run("inbox", "drain")
    #expect(
      run
        == ProgramRun(
          err: """
            Processed 5 shares.

            """))
    #expect(
      try sandbox.run("export", "--quiet").out.split(separator: "\n").count == 4)
    #expect(
      try sandbox.run(
        "find", "links", "--sort", "id", "--format",
        "{{ self.url }} {{ self.title }} {{ self.source }}"
      ).out == "https://swift.org/a?b#c Swift browser\nhttps://yaml.org YAML \n")
    #expect(
      try sandbox.run("find", "notes", "--format", "{{ self }}: {{ self.text }}").out
        == "Buy milk: Buy milk\nand bread\n")
    let file = try sandbox.run(
      "find", "files", "--format",
      "{{ self.name }} {{ self.title }} {{ self.mediaType }} {{ self.size }} {{ self.path }}")
    let blobs = names(sandbox, "files")
    #expect(blobs.count == 1)
    #expect(
      file.out
        == "report.txt The Report application/pdf 19 \(sandbox.path)/\(Self.store).files/\(blobs.first ?? "")\n"
    )
    #expect(sandbox.read("\(Self.store).files/\(blobs.first ?? "")") == "%PDF-1.7 the report")
    #expect(names(sandbox, "inbox/new") == [])
    #expect(try sandbox.run("inbox", "drain") == ProgramRun(err: "The inbox is empty.\n"))
    #expect(try sandbox.run("inbox") == ProgramRun())
  }

  @Test func unacceptedSharesStayWithAReason() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("share-in", "x", "--to", "nope", "--quiet") == ProgramRun())
    try sandbox.write("{", to: "\(Self.store).inbox/new/foreign")
    for _ in 0..<2 {
      let run = try sandbox.run("inbox", "drain")
      #expect(run.status == 1)
      #expect(run.err.contains("“x” stays in the inbox: there is no intent or shortcut `nope`\n"))
      #expect(run.err.contains("foreign stays in the inbox: its first line is not a JSON object\n"))
    }
    let list = try sandbox.run("inbox", "--format", "{{ self.what }}: {{ self.reason }}")
    #expect(
      list.out
        == "x: there is no intent or shortcut `nope`\n: its first line is not a JSON object\n")
    // It is retried once a handler of that name accepts it.
    try sandbox.write(
      "shortcut: nope\naccepts: {types: [text]}\nsteps: [{add-note: '{{ coalesce(input.text, \"\") }}!'}]",
      to: ".config/errand/nope.yaml")
    #expect(
      try sandbox.run("inbox", "discard", "foreign") == ProgramRun(err: "Discarded foreign.\n"))
    #expect(try sandbox.run("inbox", "drain", "-q") == ProgramRun())
    #expect(try sandbox.run("find", "notes", "--format", "{{ self.text }}").out == "x!\n")
  }

  @Test func aMailKeepsItsWordsAndNames() throws {
    let sandbox = try Sandbox()
    let mail = """
      Subject: Dinner
      From: Ada <ada@example.com>
      Content-Type: multipart/mixed; boundary=b

      --b
      Content-Type: text/html; charset=utf-8

      <p>See <a href="https://swift.org/a?b=1&amp;c">this</a> and
      <a href="https://yaml.org">https://yaml.org</a>, and bring salt.</p>
      --b
      Content-Type: application/pdf; name=menu.pdf

      %PDF-1.4 menu
      --b
      Content-Type: text/csv; name="who comes.csv"

      ada,2
      --b--
      """
    _ = try sandbox.run(["share-in", "-", "--quiet"], input: Array(mail.utf8))
    // A share with only files keeps its subject, too.
    let scan = """
      Subject: A scan
      From: Ada <ada@example.com>
      Content-Type: application/pdf; name=scan.pdf

      %PDF-1.4 scan
      """
    _ = try sandbox.run(["share-in", "-", "--quiet"], input: Array(scan.utf8))
    #expect(try sandbox.run("inbox", "drain") == ProgramRun(err: "Processed 2 shares.\n"))
    #expect(
      try sandbox.run(
        "find", "notes", "--sort", "id", "--format", "{{ self.text }}|{{ self.link != null }}"
      ).out
        == """
        Dinner

        See this <https://swift.org/a?b=1&c> and https://yaml.org, and bring salt.|true
        A scan|false

        """)
    #expect(
      try sandbox.run("find", "links", "--sort", "id", "--format", "{{ self.url }}").out
        == "https://swift.org/a?b=1&c\nhttps://yaml.org\n")
    #expect(
      try sandbox.run("find", "files", "--sort", "name", "--format", "{{ self }}").out
        == "menu.pdf\nscan.pdf\nwho comes.csv\n")
  }

  @Test func aBareFileComesInByItsName() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("share-in", "x", "-q") == ProgramRun())
    try sandbox.write("%PDF-1.4", to: "\(Self.store).inbox/new/Report 1.pdf")
    try sandbox.write("ada,2\n", to: "\(Self.store).inbox/new/who.csv")
    try sandbox.write("half", to: "\(Self.store).inbox/new/film.mkv.part")
    try sandbox.write("half", to: "\(Self.store).inbox/new/.syncthing.a.tmp")
    let new = sandbox.path + "/\(Self.store).inbox/new"
    _ = try sandbox.shell("touch -d '1 hour ago' '\(new)'/*")
    let list = try sandbox.run("inbox", "--format", "{{ self.state }} {{ self.what }}")
    #expect(
      list.out.split(separator: "\n").sorted() == [
        "queued Report 1.pdf", "queued who.csv", "queued x", "waiting film.mkv.part",
      ])
    let run = try sandbox.run("inbox", "drain")
    #expect(run.status == 1)
    #expect(
      run.err == """
        errand: film.mkv.part “film.mkv.part” stays in the inbox: another program is still writing it
        Processed 3 shares.

        """)
    _ = try sandbox.shell("mv '\(new)/film.mkv.part' '\(new)/film.mkv'")
    #expect(try sandbox.run("inbox", "drain") == ProgramRun(err: "Processed 1 share.\n"))
    #expect(
      try sandbox.run(
        "find", "files", "--sort", "name", "--format", "{{ self.name }} {{ self.size }}"
      )
      .out == "Report 1.pdf 8\nfilm.mkv 4\nwho.csv 6\n")
    #expect(names(sandbox, "inbox/new") == [".syncthing.a.tmp"])
  }

  @Test func drainReportsRemainingShares() throws {
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": """
      shortcut: later
      accepts: {types: [text], where: 'self.from == "later"'}
      steps: [{fail: {message: Not now., code: busy}}]
      """
    ])
    _ = try sandbox.run("share-in", "one", "--from", "later", "-q")
    _ = try sandbox.run("share-in", "two", "-q")
    let first = try sandbox.run("inbox", "drain")
    #expect(first.status == 1 && first.err.contains("Processed 1 share, 1 failed.\n"), "\(first)")
    // It waits until it is due.
    let second = try sandbox.run("inbox", "drain")
    #expect(second.status == 1, "\(second)")
    #expect(second.err.contains("“one” was not accepted by later: Not now. [busy]\n"), "\(second)")
    #expect(second.err.contains("Processed 0 shares.\n"), "\(second)")
    #expect(
      try sandbox.run("inbox", "drain", "--json").out
        == #"{"taken":0,"done":0,"failed":0,"refused":0,"left":1}"# + "\n")
  }

  @Test func anUnknownSubcommandIsNamed() throws {
    #expect(
      try Sandbox().run("inbox", "foo")
        == ProgramRun(
          err: """
            errand: error: unknown subcommand “foo” [usage]
              help: write errand inbox drain, or errand inbox show SHARE, or errand inbox discard SHARE…, or errand inbox retry SHARE…

            """, status: 2))
  }

  @Test func aMailThatIsHTMLAloneIsItsText() throws {
    let sandbox = try Sandbox()
    let mail = """
      Subject: Lunch
      From: Eva <eva@example.org>
      Content-Type: text/html; charset=utf-8

      <html><head><style>p {}</style></head><body><p>See you at <b>noon</b>.</p></body></html>

      """
    let shared = try sandbox.run(["share-in", "-", "--quiet"], input: Array(mail.utf8))
    #expect(shared.status == 0, "\(shared)")
    #expect(try sandbox.run("inbox", "drain", "-q").status == 0)
    let notes = try sandbox.run("find", "notes", "--format", "{{ self.text }}").out
    #expect(notes == "Lunch\n\nSee you at noon.\n")
    // By default, a mail is kept in its original form.
    let picture = mail.replacing("<p>See you at <b>noon</b>.</p>", with: "<img src=x>")
    _ = try sandbox.run(["share-in", "-", "--quiet"], input: Array(picture.utf8))
    #expect(try sandbox.run("inbox", "drain", "-q").status == 0)
    #expect(
      try sandbox.run("find", "files", "--format", "{{ self.mediaType }}").out == "text/html\n")
  }

  @Test func doctorReportsWaitingShares() throws {
    let sandbox = try Sandbox()
    let before = try sandbox.run("doctor").out
    #expect(!before.contains("inbox: "), "\(before)")
    for text in ["a", "b"] { _ = try sandbox.run("share-in", text, "-q") }
    let doctor = try sandbox.run("doctor")
    #expect(doctor.status == 0)
    #expect(
      doctor.out.contains("\nok       inbox: 2 shares waiting, the oldest since "), "\(doctor)")
    #expect(try sandbox.run("doctor", "--json").out.contains(#""inbox":2"#))
    _ = try sandbox.run("inbox", "drain", "-q")
    let after = try sandbox.run("doctor").out
    #expect(
      after.contains("queue: 2 done\n         last 24 hours: 2 done, 0 given up, 100 % done\n"),
      "\(after)")
  }

  /// Leftovers of killed processes: an unpublished store, shares, the bytes of a file.
  @Test func leftoversAreToldAndRemoved() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("share-in", "x", "-q") == ProgramRun())
    #expect(try sandbox.run("inbox", "drain", "-q") == ProgramRun())
    let dead = try sandbox.shell("sh -c 'echo $$'").out.dropLast()
    let left = [
      "library.db.\(dead).77.new", "library.db.\(dead).77.new-wal",
      "library.db.files/.123.draft", "library.db.inbox/tmp/000000000000000001.0000000000000001",
    ]
    let kept = [
      // Files of a live process, young files and files of other programs.
      "library.db.1.77.new", "library.db.inbox/tmp/000000000000000001.0000000000000002",
      "library.db.inbox/tmp/script.1",
    ]
    for name in left + kept { try sandbox.write("x", to: ".local/share/errand/" + name) }
    _ = try sandbox.shell(
      "cd .local/share/errand && touch -d '5 minutes ago' library.db.files/.*.draft "
        + "library.db.inbox/tmp/*1")
    let doctor = try sandbox.run("doctor")
    #expect(doctor.status == 0, "\(doctor)")
    let folder = "\(sandbox.path)/.local/share/errand/"
    #expect(
      doctor.out.hasSuffix(
        "ok       leftovers: 4 files of killed processes\n"
          + [left[0], left[1], left[3], left[2]].map { "         \(folder)\($0)\n" }.joined()
          + "         `errand doctor --repair` removes them\n"), "\(doctor)")
    let repair = try sandbox.run("doctor", "--repair")
    #expect(
      repair.out.hasSuffix("ok       leftovers: removed 4 files of killed processes\n"),
      "\(repair)")
    for name in left { #expect(sandbox.read(".local/share/errand/" + name) == nil, "\(name)") }
    for name in kept { #expect(sandbox.read(".local/share/errand/" + name) == "x", "\(name)") }
    #expect(try !sandbox.run("doctor").out.contains("leftovers"))
  }

  @Test func rejectedShareIsOfferedAgain() throws {
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": """
      shortcut: pick
      accepts: {types: [text], where: 'true'}
      steps:
        - fail: {message: Not today., code: invalid-value}
      ---
      shortcut: other
      accepts: {types: [text], max: 10}
      steps:
        - for: thing
          in: '{{ input }}'
          do: [{add-note: '{{ coalesce(thing.text, "") }}'}]
      """
    ])
    #expect(try sandbox.run("share-in", "a text", "-q") == ProgramRun())
    let run = try sandbox.run("inbox", "drain")
    #expect(
      run.status == 1 && run.err.contains("was not accepted by pick: Not today. [invalid-value]"))
    let list = try sandbox.run(
      "inbox", "--format", "{{ self.state }} {{ self.handler }}: {{ self.reason }}")
    #expect(list.out == "queued pick: Not today. [invalid-value]\n")
    let share = try sandbox.run("inbox", "--format", "{{ self.share }}").out.dropLast()
    #expect(
      try sandbox.run("inbox", "show", String(share), "--format", "{{ self.text }}").out
        == "a text\n")
    #expect(try sandbox.run("inbox", "retry", String(share), "--to", "keep-file").status == 1)
    #expect(try sandbox.run("inbox", "retry", String(share), "--to", "other", "-q") == ProgramRun())
    #expect(try sandbox.run("inbox", "drain", "-q") == ProgramRun())
    #expect(try sandbox.run("find", "notes", "--format", "{{ self.text }}").out == "a text\n")
    #expect(try sandbox.run("inbox") == ProgramRun())
  }

  @Test func workerImportsShares() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("share-in", "by a worker", "-q") == ProgramRun())
    #expect(try sandbox.run("worker", "--once", "-q") == ProgramRun())
    #expect(try sandbox.run("find", "notes", "--format", "{{ self.text }}").out == "by a worker\n")
  }

  @Test func aShareSetsAutomationsOff() throws {
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": """
      automation: count
      on: [{share: [image, url]}]
      steps:
        - add-task: 'Look at {{ coalesce(trigger.item.url, trigger.item.name) }}'
      """
    ])
    #expect(try sandbox.run("share-in", "https://swift.org", "-q") == ProgramRun())
    #expect(try sandbox.run("share-in", "a text", "-q") == ProgramRun())
    #expect(try sandbox.run("worker", "--once", "-q") == ProgramRun())
    #expect(
      try sandbox.run("find", "tasks", "--format", "{{ self.title }}").out
        == "Look at https://swift.org\n")
    #expect(try sandbox.run("find", "links", "--count").out == "1\n")
  }

  @Test func aHugeTextIsAFile() throws {
    let sandbox = try Sandbox()
    let text = String(repeating: "Zeile äöü\n", count: 200_000)
    #expect(try sandbox.run(["share-in", "-", "-q"], input: Array(text.utf8)) == ProgramRun())
    #expect(try sandbox.run("inbox", "drain", "-q") == ProgramRun())
    #expect(
      try sandbox.run("find", "files", "--format", "{{ self.mediaType }} {{ self.size }}").out
        == "text/plain \(text.utf8.count - 1)\n")
  }

  @Test func rulesOfOnesOwnGoFirst() throws {
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": """
      shortcut: papers
      accepts: {types: [url], where: 'self.url.host() == "arxiv.org"'}
      steps: [{save: {url: '{{ input.url }}', tags: [paper]}}]
      ---
      shortcut: album
      accepts: {types: [image], max: 10, where: 'self.from == "camera"'}
      steps: [{add-note: '{{ size(input) }} pictures: {{ input.map(i, coalesce(i.name, "")).join(" ") }}'}]
      ---
      shortcut: never
      accepts: {types: [url, text, file]}
      steps: [{fail: This was not asked for.}]
      """,
      "a": "\u{0}", "b": "x",
    ])
    for name in ["1.png", "2.png"] {
      try sandbox.write(
        bytes: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + Array(name.utf8), to: name)
    }
    for words in [
      ["https://arxiv.org/abs/1"], ["https://swift.org"],
      ["1.png", "2.png", "--from", "camera"], ["1.png", "2.png"],
      ["https://arxiv.org/abs/2", "./1.png", "a text"],
    ] {
      #expect(try sandbox.run(["share-in", "-q"] + words) == ProgramRun())
    }
    #expect(try sandbox.run("inbox", "drain", "-q") == ProgramRun())
    #expect(
      try sandbox.run(
        "find", "links", "--sort", "url", "--format", "{{ self.url }} {{ self.tags }}"
      )
      .out == "https://arxiv.org/abs/1 paper\nhttps://arxiv.org/abs/2 paper\nhttps://swift.org \n")
    #expect(
      try sandbox.run("find", "notes", "--sort", "id", "--format", "{{ self.text }}").out
        == "2 pictures: 1.png 2.png\na text\n")
    #expect(
      try sandbox.run("find", "files", "--sort", "name", "--format", "{{ self.name }}").out
        == "1.png\n2.png\n")
  }

  /// Invalid values of `accepts`.
  static let wrong: [(accepts: String, message: String)] = [
    ("{types: []}", "`accepts` needs `types`"),
    ("{types: [ulr]}", "`ulr` is not a kind of share"),
    ("{types: [url], max: 11}", "`max` must be a number from 1 to 10"),
    ("{types: [url], max: 0}", "`max` must be a number from 1 to 10"),
    ("{types: [url], most: 1}", "`accepts` has no key `most`"),
    ("[url]", "`accepts` must be a mapping of keys"),
    ("{types: [url], where: 'self.ulr == \"x\"'}", "`share` has no field `ulr`"),
    ("{types: [url], where: 'size(self.url)'}", "a condition must be true or false"),
  ]

  @Test(arguments: wrong) func mistakesAreFound(_ row: (accepts: String, message: String)) throws {
    let sandbox = try Sandbox([
      "x.yaml": "shortcut: x\naccepts: \(row.accepts)\nsteps: [{say: Hi}]\n"
    ])
    let run = try sandbox.run("check", "x.yaml")
    #expect(run.status != 0 && (run.out + run.err).contains(row.message), "\(run)")
  }

  @Test func theInputIsTyped() throws {
    let sandbox = try Sandbox([
      "x.yaml": "shortcut: x\naccepts: {types: [url]}\nsteps: [{say: '{{ input.ulr }}'}]\n",
      "y.yaml": "shortcut: y\naccepts: {types: [url]}\ninput: string\nsteps: [{say: Hi}]\n",
      "z.yaml":
        "shortcut: z\naccepts: {types: [url, text]}\nsteps: [{say: '{{ input.kind }} {{ input.url }}{{ input.text }}'}]\n",
    ])
    #expect(try sandbox.run("check", "x.yaml").out.contains("`share` has no field `ulr`"))
    #expect(try sandbox.run("check", "y.yaml").out.contains("remove `input`"))
    #expect(
      try sandbox.run("run", "z.yaml", "https://swift.org")
        == ProgramRun(err: "url https://swift.org\n"))
    #expect(try sandbox.run("run", "z.yaml", "two", "words") == ProgramRun(err: "text two words\n"))
  }
}
