import TestSupport
import Testing

/// Import from JSON Lines.
@Suite struct ImportTests {
  @Test func aLineWithoutAnEntityIsALink() throws {
    let sandbox = try Sandbox([
      "in.jsonl": """
      {"url":"https://swift.org","title":"Swift","tags":["a"],"createdAt":"2012-09-11T00:00:00Z"}

      {"entity":"Task","title":"Read","due":"2026-11-20"}
      """
    ])
    let run = try sandbox.run("import", "in.jsonl")
    #expect(run == ProgramRun(out: "created 2, merged 0, bad 0 of 2 lines\n"))
    let format = "{{ self.createdAt }} {{ self.tags }} {{ self }}"
    #expect(try sandbox.run("find", "Link", "--format", format).out == "2012-09-11 a Swift\n")
    #expect(try sandbox.run("find", "Task", "--format", "{{ self.due }}").out == "2026-11-20\n")
  }

  @Test func runningItAgainAddsNothingTwice() throws {
    let lines = """
      {"url":"https://swift.org","title":"Swift"}
      {"entity":"Note","text":"no identity, found again by its contents"}
      {"entity":"Task","title":"t","uid":"0190a5b2-0000-7000-8000-000000000001"}

      """
    let sandbox = try Sandbox()
    let first = try sandbox.run("import", "-", input: lines)
    #expect(first.out == "created 3, merged 0, bad 0 of 3 lines\n")
    let again = try sandbox.run("import", "-", input: lines)
    #expect(
      again
        == ProgramRun(
          out: "created 0, merged 3, bad 0 of 3 lines\n",
          err: "errand: nothing is new: all of it is here already\n"))
  }

  @Test(
    arguments: [
      ("nonsense", "not valid JSON"), ("[1]", "a line must be a JSON object"),
      ("7", "a line must be a JSON object"),
      (#"{"url":"swift.org"}"#, "`url`: it must begin with http:// or https://"),
      (
        #"{"entity":"Lynk","url":"https://a.org"}"#,
        "there is no entity `Lynk` (did you mean `Link`?)"
      ),
      (#"{"entity":7}"#, "`entity` must be text"),
      (#"{"url":"https://a.org","tags":"x"}"#, "`tags` must be a list, not “x”"),
      (#"{"url":"https://a.org","tags":[1]}"#, "`tags` must be text, not 1"),
      (#"{"url":"https://a.org","tags":[null]}"#, "`tags` contains null"),
      (#"{"url":"https://a.org","title":7}"#, "`title` must be text, not 7"),
      (#"{"url":"https://a.org","status":"lost"}"#, "must be one of queued"),
      (#"{"url":"https://a.org","createdAt":"soon"}"#, "`createdAt` must be a time such as"),
      (#"{"url":"https://a.org","createdAt":7}"#, "`createdAt` must be a time such as"),
      (#"{"url":"https://a.org","uid":"x"}"#, "must be a UUID"),
      (#"{"url":"https://a.org","title":"a\u0000b"}"#, "NUL"), ("{}", "Link.url needs a value"),
      (
        #"{"entity":"Task","title":"t","done":"maybe"}"#,
        "`done` must be true or false, not “maybe”"
      ),
      (
        #"{"entity":"Task","title":"t","due":"today"}"#,
        "`due` must be a day or a time such as 2026-11-20"
      ),
      (
        #"{"entity":"Note","text":"t","link":"https://none.org"}"#,
        "`link`: there is no https://none.org"
      ),
      (#"{"entity":"Note","text":"t","link":"link:7"}"#, "`link`: there is no link:7"),
      (#"{"entity":"Note","text":"t","link":true}"#, "`link` must be a reference such as link:42"),
      (#"{"url":"https://a.org","url":"https://b.org"}"#, "same key twice"),
    ])
  func badLineIsReportedAndSkipped(_ line: String, _ message: String) throws {
    let sandbox = try Sandbox(["in.jsonl": "\n\(line)\n{\"url\":\"https://good.org\"}\n"])
    let run = try sandbox.run("import", "in.jsonl")
    #expect(run.out == "created 1, merged 0, bad 1 of 2 lines\n")
    #expect(run.err.hasPrefix("in.jsonl:2: "))
    #expect(run.err.contains(message), "\(run.err)")
    #expect(run.err.split(separator: "\n").count == 1)
    #expect(run.status == 1)
  }

  @Test func bytesThatAreNoTextAreABadLine() throws {
    let sandbox = try Sandbox()
    var lines = Array(#"{"url":"https://a.org","title":""#.utf8) + [0xFF, 0xFE]
    lines += Array("\"}\n\0x\n{\"url\":\"https://b.org\"}".utf8)
    let run = try sandbox.run(["import", "-"], input: lines)
    #expect(run.out == "created 1, merged 0, bad 2 of 3 lines\n")
    #expect(run.err.contains("stdin:1: "))
    #expect(run.err.contains("stdin:2: "))
  }

  @Test func afterTwentyBadLinesTheRestIsCounted() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.run(
      "import", "-", input: String(repeating: "x\n", count: 31) + "{\"url\":\"https://a.org\"}\n")
    #expect(run.out == "created 1, merged 0, bad 31 of 32 lines\n")
    let told = run.err.split(separator: "\n")
    #expect(told.count == 21)
    #expect(told.last == "… and 11 more bad lines")
  }

  @Test func theSumHoldsForManyBatches() throws {
    var lines: [String] = []
    for number in 0..<12_345 {
      switch number % 10 {
      case 3: lines.append("bad \(number)")
      case 7: lines.append(#"{"url":"https://a.org/\#(number - 1)"}"#)
      default: lines.append(#"{"url":"https://a.org/\#(number)","tags":["t\#(number % 5)"]}"#)
      }
    }
    let sandbox = try Sandbox()
    let run = try sandbox.run("import", "-", input: lines.joined(separator: "\n"))
    #expect(run.out == "created 9876, merged 1234, bad 1235 of 12345 lines\n")
    let count = try sandbox.run("find", "Link", "--json", "--limit", "20000")
    #expect(count.out.split(separator: "{").count - 1 == 9876)
  }

  @Test func importResolvesReferencesToLaterLines() throws {
    let sandbox = try Sandbox([
      "in.jsonl": """
      {"entity":"Note","text":"first","link":"https://later.org"}
      {"entity":"Note","text":"second","link":"https://never.org"}
      {"url":"https://later.org","title":"Later"}
      """
    ])
    let run = try sandbox.run("import", "in.jsonl")
    #expect(run.out == "created 2, merged 0, bad 1 of 3 lines\n")
    #expect(run.err == "in.jsonl:2: `link`: there is no https://never.org\n")
    #expect(try sandbox.run("find", "Note", "--format", "{{ self.link }}").out == "Later\n")
  }

  @Test func otherProgramsGetNumbers() throws {
    let run = try Sandbox().run("import", "-", "--json", input: "{\"url\":\"https://a.org\"}\nx\n")
    #expect(
      run.out == #"{"created":1,"merged":0,"changed":0,"added":{},"bad":1,"lines":2,"leftOut":[]}"#
        + "\n")
  }

  @Test(arguments: [
    ("bin.dat", "\u{1}\0\u{2}\u{3}abc", [], "bin.dat is not a text file"),
    ("empty", "", [], "the file is empty: empty"),
    ("blank", " \n\n", [], "the file is empty: blank"),
    (
      "l.yaml", "url: https://a.org\n", [],
      "l.yaml: this looks like YAML; import reads JSON Lines, "
    ),
    ("list", "- url: https://a.org\n", [], "list: this looks like YAML; import reads JSON Lines, "),
    ("list", "# ours\n---\nurl: x\n", [], "list: this looks like YAML; import reads JSON Lines, "),
    (
      "t.jsonl", "{\"url\":\"https://a.org\"}\n", ["--from", "netscape"],
      "t.jsonl contains no bookmarks in the format netscape; it looks like jsonl"
    ),
    (
      "t.jsonl", "{\"url\":\"https://a.org\"}\n", ["--from", "netscape", "--dry-run"],
      "t.jsonl contains no bookmarks in the format netscape; it looks like jsonl"
    ),
  ])
  func aFileOfAnotherKindIsToldAsAWhole(
    _ name: String, _ content: String, _ flags: [String], _ message: String
  ) throws {
    let sandbox = try Sandbox()
    try sandbox.write(bytes: Array(content.utf8), to: name)
    let run = try sandbox.run(["import", name] + flags)
    #expect(run.out == "")
    #expect(run.err.hasPrefix("errand: error: \(message)"), "\(run.err)")
    #expect(run.status == 1)
  }

  /// An item must not refer to a file of the person that the library does not keep.
  @Test func importChecksHashAndPathOfKeptFiles() throws {
    let hash = String(repeating: "0a", count: 32)
    func line(_ hash: String, _ path: String) -> String {
      "{\"entity\":\"File\",\"name\":\"a\",\"hash\":\"\(hash)\",\"path\":\"\(path)\"}\n"
    }
    let sandbox = try Sandbox([
      "bad.jsonl": line("../../victim", "/etc/passwd") + line(hash, "/etc/passwd")
        + line("../../victim", "/home/b/library.db.files/../../victim")
        + line(hash, "/etc/\(hash)"),
      "good.jsonl": line(hash, "/home/b/library.db.files/\(hash)"),
    ])
    let bad = try sandbox.run("import", "bad.jsonl")
    #expect(bad.out == "created 0, merged 0, bad 4 of 4 lines\n")
    let told = bad.err.split(separator: "\n")
    #expect(told.count == 4)
    #expect(told.first?.contains("File.hash must be the SHA-256 of its bytes") == true)
    #expect(told.last?.contains("File.path must be where the library keeps its bytes") == true)
    // Files of another library lie in the folder of this one.
    #expect(
      try sandbox.run("import", "good.jsonl").out == "created 1, merged 0, bad 0 of 1 lines\n")
    let path = try sandbox.run("find", "File", "--format", "{{ self.path }}").out
    #expect(path.hasSuffix(".files/\(hash)\n") && !path.hasPrefix("/home/b/"))
  }

  @Test(arguments: [
    ("hash: \(String(repeating: "0a", count: 32)), path: /etc/passwd", "File.path must be"),
    ("hash: ../../victim, path: /etc/passwd", "File.hash must be"),
  ])
  func noStepCanRedirectAKeptFile(_ values: String, _ message: String) throws {
    let sandbox = try Sandbox([
      "a.txt": "content",
      "change.yaml": """
      shortcut: change
      steps:
        - create: {entity: File, from: a.txt}
          as: kept
        - update: {item: '{{ kept }}', set: {\(values)}}
      """,
      "make.yaml": """
      shortcut: make
      steps:
        - create: {entity: File, set: {name: a, \(values)}}
      """,
    ])
    for file in ["change.yaml", "make.yaml"] {
      let run = try sandbox.run("run", file)
      #expect(run.status == 1 && run.err.contains(message), "\(file): \(run)")
    }
  }

  @Test func aCompressedFileIsRefusedAsAWhole() throws {
    let sandbox = try Sandbox()
    try sandbox.write(bytes: [0x1F, 0x8B, 8, 0, 10, 10], to: "in.jsonl.gz")
    let run = try sandbox.run("import", "in.jsonl.gz")
    #expect(run.status == 1)
    #expect(
      run.err == """
        errand: error: in.jsonl.gz is compressed [invalid-value]
          help: gzip -dc FILE | errand import -

        """)
  }

  @Test func aFileThatIsNotThere() throws {
    let run = try Sandbox().run("import", "none.jsonl")
    #expect(run.status == 1)
    #expect(run.err.contains("none.jsonl cannot be read"))
    #expect(run.out == "")
  }

  @Test func anEmptyFileIsNoLines() throws {
    let run = try Sandbox().run("import", "-", input: "")
    #expect(run == ProgramRun(out: "created 0, merged 0, bad 0 of 0 lines\n"))
  }
}
