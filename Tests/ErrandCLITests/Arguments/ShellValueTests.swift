import TestSupport
import Testing

@testable import ErrandCLI

/// Values as they are typed in a shell: JSON, files, addresses without a scheme, lines.
@Suite struct ShellValueTests {
  private func sandbox() throws -> Sandbox {
    try Sandbox([
      ".config/errand/hook.yaml": """
      intent: hook
      parameters:
        payload: {type: 'map<any>', default: {}}
        rows: {type: 'list<map<any>>', default: []}
        names: {type: list<string>, default: []}
        page: {type: url?}
      steps: [{value: '{{ {"payload": payload, "rows": rows, "names": names, "page": page} }}'}]
      """,
      "payload.json": "{\"a\": 3}", "readme.org": "here", "bad.json": "{\"a\": }",
    ])
  }

  @Test(arguments: [
    (["--payload", "{\"a\":1}"], "{\"payload\":{\"a\":1}"),
    (["-p", "payload={\"a\":2}"], "{\"payload\":{\"a\":2}"),
    (["--payload", "@payload.json"], "{\"payload\":{\"a\":3}"),
    (["--payload", "-"], "{\"payload\":{\"a\":4}"),
    (["--rows", "[{\"a\":1}]", "--rows", "{\"b\":2}"], "\"rows\":[{\"a\":1},{\"b\":2}]"),
    (["--names", "[\"a, b\"]"], "\"names\":[\"a, b\"]"),
    (["--names", "@home,x"], "\"names\":[\"@home\",\"x\"]"),
    (["--page", "swift.org/blog"], "\"page\":\"https://swift.org/blog\""),
  ])
  func flagsTakeJSONAndFiles(_ flags: [String], _ part: String) throws {
    let run = try sandbox().run(["hook", "--json"] + flags, input: Array("{\"a\":4}\n".utf8))
    #expect(run.status == 0 && run.out.contains(part), "\(run)")
  }

  @Test(arguments: [
    (["--payload", "a=1"], "`payload`: “a=1” is not JSON: line 1, column 1"),
    (["--payload", "@bad.json"], "line 1, column 7"),
    (["--payload", "@none.json"], "`payload`: none.json cannot be read"),
    (["--payload", "@@none"], "“@none” is not JSON"),
    (["--page", "readme.org"], "is not a URL"), (["--page", "notes.md"], "is not a URL"),
  ])
  func aMistakeIsNamed(_ flags: [String], _ part: String) throws {
    let run = try sandbox().run(["hook"] + flags)
    #expect(run.status == 2 && run.err.contains(part), "\(run)")
  }

  /// An address of a page cannot make a flag read a file.
  @Test func anAddressReadsNoFile() throws {
    let run = try sandbox().run(
      "follow", "errand://run/hook?payload=@payload.json", "--answer", "follow=y")
    #expect(run.err.contains("“@payload.json” is not JSON"), "\(run)")
  }

  @Test func eachLineIsSaved() throws {
    let sandbox = try sandbox()
    let run = try sandbox.run(
      ["save", "-"], input: Array("# mine\nhttps://a.example\n\nnonsense\nswift.org\n".utf8))
    #expect(run.status == 2 && run.out == "https://a.example\nhttps://swift.org\n", "\(run)")
    #expect(run.err.contains("errand: line 4: `url`: “nonsense” is not a URL"), "\(run)")
    #expect(try sandbox.run("save", "-", input: "#\n").status == 2)
    #expect(try sandbox.run("undo").err.contains("link:1 to link:2"))
  }

  @Test func anAddressNamesALink() throws {
    let sandbox = try sandbox()
    let saved = try sandbox.run("save", "swift.org", "--quiet")
    #expect(saved.out == "https://swift.org\n")
    #expect(
      try sandbox.run("save", "swift.org").err.contains("swift.org is taken for https://swift.org"))
    _ = try sandbox.run("save", "swift.org/blog", "swift.org/blog/swift")
    let shown = try sandbox.run("open", "swift.org/blog", "--dry-run", "--quiet", "--json")
    #expect(shown.out.contains("\"https://swift.org/blog\""), "\(shown)")
  }
}
