import TestSupport
import Testing

/// Export as JSON Lines and import into another store.
@Suite struct ExportTests {
  /// Items of every type, referring to one another.
  private let definition = """
    entity: Part
    properties:
      name: {type: string}
      parent: {type: 'Part?'}
      links: {type: 'list<Link>', default: []}
      byName: {type: 'map<Link>?'}
      count: {type: 'int?'}
      size: {type: 'double?'}
      isSpare: {type: 'bool?'}
      day: {type: 'date?'}
      moment: {type: 'timestamp?'}
      span: {type: 'duration?'}
      path: {type: 'file?'}
      kind: {type: 'enum?', values: [small, large]}
      extra: {type: any}
    """

  /// Lines without item numbers, which differ between stores.
  private func withoutNumbers(_ lines: String) -> [String] {
    lines.split(separator: "\n").map { line in
      guard let start = line.firstRange(of: "\"id\":"), let end = line.firstRange(of: "\"uid\":")
      else { return String(line) }
      return String(line[..<start.lowerBound]) + line.suffix(from: end.lowerBound)
    }
  }

  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox([".config/errand/part.yaml": definition])
    // A zone in which a day differs from the UTC day.
    sandbox.environment["TZ"] = "Pacific/Auckland"
    return sandbox
  }

  @Test func exportsAreImportedUnchanged() throws {
    let sandbox = try sandbox()
    let lines = """
      {"url":"https://b.org","title":"B ünï 漢 \\"q\\" \\\\ \\u0001","tags":["x","y"],"status":"ready"}
      {"url":"https://a.org","createdAt":"2012-01-02T03:04:05.123456Z"}
      {"entity":"Note","text":"about\\nb","link":"https://b.org"}
      {"entity":"Task","title":"t","due":"2026-11-20","done":true}
      {"entity":"Part","uid":"00000000-0000-7000-8000-000000000001","name":"root","links":["https://b.org","https://a.org"],"byName":{"a":"https://a.org"},"count":-7,"size":0.1,"isSpare":false,"day":"2024-02-29","moment":"1969-12-31T23:59:59.999999Z","span":"-1.5s","path":"/tmp/ x","kind":"large","extra":{"a":[1,2.5,null,{"b":"c"}]}}
      {"entity":"Part","name":"leaf","parent":"00000000-0000-7000-8000-000000000001","size":3}

      """
    let first = try sandbox.run("import", "-", input: lines)
    #expect(first == ProgramRun(out: "created 6, merged 0, bad 0 of 6 lines\n"))
    let exported = try sandbox.run("export")
    #expect(exported.status == 0)
    #expect(exported.out.split(separator: "\n").count == 6)

    // Another store, in which the same links have other numbers.
    sandbox.environment["ERRAND_STORE"] = sandbox.path + "/other.db"
    _ = try sandbox.run("save", "https://c.org")
    let second = try sandbox.run("import", "-", input: exported.out)
    #expect(second == ProgramRun(out: "created 6, merged 0, bad 0 of 6 lines\n"))
    let refs = try sandbox.run("find", "Note", "--format", "{{ self.link.ref }}")
    #expect(refs.out == "link:3\n")

    sandbox.environment["ERRAND_STORE"] = sandbox.path + "/third.db"
    let third = try sandbox.run("import", "-", input: exported.out)
    #expect(third.status == 0)
    let again = try sandbox.run("export")
    #expect(withoutNumbers(again.out) == withoutNumbers(exported.out))
  }

  @Test func exportedLinesAreComplete() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run(
      "import", "-",
      input: """
        {"url":"https://a.org","uid":"00000000-0000-7000-8000-00000000000a","createdAt":"2020-01-01T00:00:00Z"}
        {"entity":"Note","text":"n","link":"https://a.org","uid":"00000000-0000-7000-8000-00000000000b","createdAt":"2020-01-02T00:00:00Z"}
        """)
    #expect(
      try sandbox.run("export", "Link").out == """
        {"entity":"Link","id":1,"ref":"link:1","uid":"00000000-0000-7000-8000-00000000000a",\
        "url":"https://a.org","title":null,"summary":null,"tags":[],"status":"queued",\
        "reading":null,"favourite":false,"pinned":false,"private":false,"source":null,"wrappedLink":null,\
        "pageTitle":null,"pageText":null,"page":null,"pageState":null,"fetched":null,"problem":null,"merged":[],\
        "createdAt":"2020-01-01T00:00:00Z",\
        "updatedAt":"2020-01-01T00:00:00Z"}

        """)
    #expect(
      try sandbox.run("export", "Note").out == """
        {"entity":"Note","id":1,"ref":"note:1","uid":"00000000-0000-7000-8000-00000000000b",\
        "text":"n","tags":[],"link":"link:1","pinned":false,"createdAt":"2020-01-02T00:00:00Z",\
        "updatedAt":"2020-01-02T00:00:00Z",\
        "_refs":{"link:1":"00000000-0000-7000-8000-00000000000a"}}

        """)
  }

  @Test func cyclicReferencesAreImported() throws {
    let sandbox = try sandbox()
    let a = "00000000-0000-7000-8000-00000000000a"
    let b = "00000000-0000-7000-8000-00000000000b"
    let gone = "00000000-0000-7000-8000-00000000000c"
    let run = try sandbox.run(
      "import", "-",
      input: """
        {"entity":"Part","name":"a","uid":"\(a)","parent":"part:8","_refs":{"part:8":"\(b)"}}
        {"entity":"Part","name":"b","uid":"\(b)","parent":"part:7","_refs":{"part:7":"\(a)"}}
        {"entity":"Part","name":"c","uid":"\(a.dropLast())d","parent":"part:9","_refs":{"part:9":"\(gone)"}}
        """)
    #expect(run.out == "created 3, merged 0, bad 0 of 3 lines\n")
    #expect(run.err == "stdin:3: `parent`: there is no part:9, so it was left out\n")
    let parents = try sandbox.run(
      "find", "Part", "--sort", "name", "--format",
      "{{ self.name }}<{{ self.parent == null ? \"\" : self.parent.name }}")
    #expect(parents.out == "a<b\nb<a\nc<\n")
  }

  @Test func longChainInReverseOrderIsImported() throws {
    func uid(_ number: Int) -> String {
      "00000000-0000-7000-8000-" + String(String(1_000_000_000_000 + number).dropFirst())
    }
    // The first line refers to the last across everything in between.
    let lines = (0..<120).map { number in
      number == 119
        ? #"{"entity":"Part","name":"p119","uid":"\#(uid(119))"}"#
        : #"{"entity":"Part","name":"p\#(number)","uid":"\#(uid(number))","parent":"part:1","_refs":{"part:1":"\#(uid(number + 1))"}}"#
    }
    let sandbox = try sandbox()
    let run = try sandbox.run("import", "-", input: lines.joined(separator: "\n"))
    #expect(run == ProgramRun(out: "created 120, merged 0, bad 0 of 120 lines\n"))
    let orphans = try sandbox.run(
      "find", "Part", "--where", "parent == null", "--format", "{{ self.name }}")
    #expect(orphans.out == "p119\n")
  }

  @Test func exportWithoutItemsIsEmpty() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("export") == ProgramRun())
    #expect(try sandbox.run("export", "Nope").status == 2)
  }

  @Test func closedPipeEndsExportQuietly() throws {
    let sandbox = try sandbox()
    let lines = (0..<3000).map { #"{"url":"https://a.org/\#($0)"}"# }
    _ = try sandbox.run("import", "-", input: lines.joined(separator: "\n"))
    let run = try sandbox.shell(
      "errand export | head -n 1 | wc -l; errand export > /dev/full; echo $?")
    #expect(run.out == "1\n1\n")
    #expect(run.err == "errand: cannot write to standard output: No space left on device\n")
  }

  /// A definitions folder given in one call is not loaded in the next.
  @Test func exportReportsUndefinedEntities() throws {
    let sandbox = try Sandbox(["defs/part.yaml": definition])
    _ = try sandbox.run("save", "https://a.org", "--quiet")
    let created = try sandbox.run("create", "part", "name=n", "extra=1", "--catalog", "defs")
    #expect(created.status == 0, "\(created)")
    let run = try sandbox.run("export")
    #expect(run.status == 0)
    #expect(run.out.split(separator: "\n").count == 1)
    #expect(
      run.err
        == "errand: not exported, since they are not defined here: Part; "
        + "give the folder of the definitions with --catalog DIR\n")
    #expect(try sandbox.run("export", "links").err == "")
    #expect(try sandbox.run("export", "--catalog", "defs").err == "")
    let undo = try sandbox.run("undo")
    #expect(undo == ProgramRun(err: "Undone: the creation of part:1 by create.\n"))
    #expect(try sandbox.run("export").err == "")
  }
}
