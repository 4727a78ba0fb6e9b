import TestSupport
import Testing

@testable import ErrandCLI

/// Repeated values: lists are united; anything else is an error that names both.
@Suite struct RepeatedValueTests {
  private func sandbox() throws -> Sandbox {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift", "--tags", "x")
    return sandbox
  }

  private func tags(_ sandbox: Sandbox) throws -> String {
    try sandbox.run("get", "link:1", "--format", "{{ self.tags }}").out
  }

  @Test func fieldsOfAListUnite() throws {
    let sandbox = try sandbox()
    #expect(try sandbox.run("update", "link:1", "tags=a", "tags=b,c").status == 0)
    #expect(try tags(sandbox) == "a, b, c\n")
    _ = try sandbox.run("update", "link:1", "--add", "tags=d", "--add", "tags=e")
    _ = try sandbox.run("update", "link:1", "--remove", "tags=a", "--remove", "tags=c")
    #expect(try tags(sandbox) == "b, d, e\n")
    _ = try sandbox.run("create", "link", "url=https://a.example", "tags=one", "tags=two")
    #expect(
      try sandbox.run("get", "link:2", "--format", "{{ self.tags }}").out == "one, two\n")
  }

  @Test func flagsOfAListUnite() throws {
    let sandbox = try sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--tags", "a,b", "--tags", "c", "-p", "tags=d")
    #expect(try tags(sandbox) == "x, a, b, c, d\n")
  }

  @Test(arguments: [
    (["update", "link:1", "title=A", "title=B"], "`title` is given twice: “A” and “B”"),
    (["create", "note", "text=A", "text=B"], "`text` is given twice: “A” and “B”"),
    (["recent", "--limit", "2", "-n", "3"], "--limit is given twice: “2” and “3”"),
    (["find", "links", "-n", "1", "-n", "2"], "--limit is given twice: “1” and “2”"),
    (["recent", "--color", "never", "--colour=always"], "--color is given twice"),
    (["recent", "--limit", "2", "-p", "limit=3"], "`limit` is given twice: “2” and “3”"),
    (["recent", "-p", "limit=2", "-p", "limit=3"], "`limit` is given twice: “2” and “3”"),
    (["eval", "x", "--var", "x=1", "--var", "x=2"], "`x` is given twice: “1” and “2”"),
  ])
  func aSingleValueIsGivenOnce(_ words: [String], _ message: String) throws {
    let run = try sandbox().run(words)
    #expect(run.status == 2 && run.out == "", "\(run)")
    #expect(run.err.contains(message) && run.err.contains("help: keep one of them"), "\(run)")
  }
}
