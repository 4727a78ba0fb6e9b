import TestSupport
import Testing

/// Import of bookmarks from other programs, and export for them.
@Suite struct BookmarkTests {
  private let page = """
    <!DOCTYPE NETSCAPE-Bookmark-file-1>
    <H1>Bookmarks</H1>
    <DL><p>
        <DT><H3>Reading</H3>
        <DL><p>
            <DT><A HREF="https://a.org/" ADD_DATE="1577836800" TAGS="x,y">A &amp; B</A>
            <DD>A note
            <DT><A HREF="javascript:void(0)">Mark</A>
        </DL><p>
        <DT><A HREF="https://b.org/" ADD_DATE="13222310400000000">B</A>
    </DL><p>

    """

  @Test func formatIsDetectedFromTheContent() throws {
    let sandbox = try Sandbox(["b.html": page])
    let run = try sandbox.run("import", "b.html")
    #expect(
      run
        == ProgramRun(
          out: "created 2, merged 0, left out 1, bad 0 of 3 bookmarks\n",
          err: "b.html:8: left out: not a web page: javascript:void(0) “Mark”\n"))
    let format =
      "{{ self.createdAt }} {{ self.tags }} {{ self }} {{ coalesce(self.summary, \"-\") }}"
    #expect(
      try sandbox.run("find", "Link", "--sort", "url", "--format", format).out
        == "2020-01-01 x, y, Reading A & B A note\n2020-01-01  B -\n")
    let again = try sandbox.run("import", "-", "--folders", "none", input: page)
    #expect(again.out == "created 0, merged 2, left out 1, bad 0 of 3 bookmarks\n")
  }

  @Test func dryRunOfAnImportCountsAndChangesNothing() throws {
    let sandbox = try Sandbox(["b.html": page])
    let first = try sandbox.run("import", "b.html", "--dry-run")
    #expect(
      first.out == """
          {"url":"https://a.org/","title":"A & B","summary":"A note","tags":["x","y","Reading"],"createdAt":"2020-01-01T00:00:00Z"}
          {"url":"https://b.org/","title":"B","createdAt":"2020-01-01T00:00:00Z"}
        would have created 2, merged 0, left out 1, bad 0 of 3 bookmarks

        """)
    #expect(sandbox.read(".local/share/errand/library.db") == nil)
    _ = try sandbox.run("save", "https://a.org/", "--quiet")
    let second = try sandbox.run("import", "b.html", "--dry-run", "--json")
    #expect(
      second.out
        == #"{"created":1,"merged":1,"changed":1,"added":{"summary":1,"tags":1,"title":1},"#
        + #""bad":0,"lines":3,"skipped":1,"damaged":false,"format":"netscape","leftOut":[]}"#
        + "\n")
    #expect(try sandbox.run("find", "Link", "--format", "{{ self.url }}").out == "https://a.org/\n")
  }

  @Test func truncatedFileIsImportedUpToItsEnd() throws {
    let end = try #require(page.firstRange(of: "https://b.org"))
    let run = try Sandbox().run("import", "-", input: String(page[..<end.upperBound]))
    #expect(run.out == "created 1, merged 0, left out 1, bad 0 of 2 bookmarks\n")
    #expect(
      run.err == """
        stdin:8: left out: not a web page: javascript:void(0) “Mark”
        stdin:10: the file ends in the middle of a tag

        """)
    #expect(run.status == 1)
  }

  @Test func aProfileIsFoundInItsFolder() throws {
    let file = """
      {"checksum": "x", "roots": {"bookmark_bar": {"children": [
        {"date_added": "13222310400000000", "name": "A", "type": "url", "url": "https://a.org/"}
      ], "name": "Bar", "type": "folder"}}, "version": 1}
      """
    let sandbox = try Sandbox(["chrome/Default/Bookmarks": file, "chrome/Local State": "{}"])
    let run = try sandbox.run("import", "chrome")
    #expect(run == ProgramRun(out: "created 1, merged 0, left out 0, bad 0 of 1 bookmarks\n"))
    try sandbox.write(file, to: "chrome/Profile 1/Bookmarks")
    let several = try sandbox.run("import", "chrome")
    #expect(
      several
        == ProgramRun(
          err: """
            errand: error: several profiles in the folder chrome [ambiguous]
              help: choose one: chrome/Default/Bookmarks, chrome/Profile 1/Bookmarks

            """, status: 3))
    let none = try sandbox.run("import", ".config")
    #expect(none.status == 1)
  }

  @Test(arguments: ["netscape", "csv", "markdown", "opml", "jsonl"])
  func exportsAreImportedUnchanged(_ format: String) throws {
    let sandbox = try Sandbox()
    sandbox.environment["TZ"] = "Australia/Lord_Howe"
    let lines = #"""
      {"url":"https://a.org/x?a=1&b=(2)","title":"A <b> \"q\" & \\ [x](y) `z` *s*","tags":["x","two words","a,b","#d"],"createdAt":"2020-01-01T00:00:00.123456Z","updatedAt":"2021-01-01T00:00:00Z"}
      {"url":"https://b.org/","title":"https://b.org/","summary":"  lines\n\n# with\n- a [link](https://c.org) -->\n","status":"archived","source":"a test"}
      {"url":"https://c.org/","title":"","summary":"one\ntwo","tags":["ü"],"createdAt":"1960-01-01T00:00:00Z"}
      {"url":"https://d.org/<x>","title":"control \u0001 and\nbreak","summary":"{\"a\": 1}"}
      {"url":"https://e.org/","title":"[1, 2]","summary":"=1+1","tags":["{}"],"wrappedLink":"https://w.org/w/1"}
      """#
    #expect(try sandbox.run("import", "-", input: lines).out.hasPrefix("created 5, merged 0"))
    let out = try sandbox.run("export", "links", "--to", format)
    #expect(out.status == 0)
    #expect(out.err == "")
    let before = try sandbox.run("export", "links").out
    sandbox.environment["ERRAND_STORE"] = sandbox.path + "/other.db"
    let back = try sandbox.run("import", "-", input: out.out)
    #expect(back.out.hasPrefix("created 5, merged 0"), "\(back)")
    #expect(back.err == "errand: created a new store, \(sandbox.path)/other.db\n")
    #expect(try sandbox.run("export", "links").out == before)
    #expect(try sandbox.run("export", "links", "--to", format).out == out.out)
  }

  @Test(arguments: ["netscape", "csv", "markdown", "opml"])
  func privateLinksStayOutOfWhatOthersGet(_ format: String) throws {
    let sandbox = try Sandbox()
    let lines = #"""
      {"url":"https://a.org/","private":true}
      {"url":"https://b.org/"}
      """#
    _ = try sandbox.run("import", "-", input: lines)
    let out = try sandbox.run("export", "links", "--to", format)
    #expect(!out.out.contains("https://a.org/") && out.out.contains("https://b.org/"))
    #expect(out.err == "errand: left out 1 private link; --private includes them\n")
    let all = try sandbox.run("export", "links", "--to", format, "--private")
    #expect(all.out.contains("https://a.org/") && all.err == "")
    #expect(try sandbox.run("export", "links").out.contains("https://a.org/"))
    sandbox.environment["ERRAND_STORE"] = sandbox.path + "/other.db"
    _ = try sandbox.run("import", "-", input: all.out)
    let found = try sandbox.run("find", "Link", "--where", "private", "--format", "{{ self.url }}")
    #expect(found.out == "https://a.org/\n")
  }

  @Test func exportReportsEntitiesWithoutURL() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("create", "Note", "text=n", "--quiet")
    let all = try sandbox.run("export", "--to", "netscape")
    #expect(all.status == 0)
    #expect(all.err == "errand: not exported, since they have no URL: Note\n")
    let notes = try sandbox.run("export", "Note", "--to", "opml")
    #expect(
      notes
        == ProgramRun(
          err: """
            errand: error: a Note has no URL, which this format needs [invalid-value]
              help: use --to csv or --to jsonl

            """, status: 2))
    let table = try sandbox.run("export", "Note", "--to", "csv")
    #expect(
      table.out.hasPrefix("entity,uid,text,tags,link,pinned,createdAt,updatedAt,_refs\nNote,"))
  }

  @Test(
    arguments: [
      (["import", "-", "--from", "netscap"], "did you mean `netscape`?"),
      (["import", "-", "--folders", "all"], "choose each, path, last or none"),
      (["export", "--to", "html5"], "choose one of"),
      (["import", "-", "--from", "firefox"], ""),
    ])
  func aMistypedFormat(_ words: [String], _ help: String) throws {
    let run = try Sandbox().run(words, input: Array("{\"bookmarks\":[]}".utf8))
    if help.isEmpty {
      #expect(run.status == 0)
    } else {
      #expect(run.status == 2)
      #expect(run.err.contains(help), "\(run)")
    }
  }
}
