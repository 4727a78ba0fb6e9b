import Glibc
import TestSupport
import Testing

/// Bad input gets one clear, located message and the right exit status, and loses no data.
@Suite struct BadInputTests {
  private static func billionLaughs() -> String {
    var text =
      "shortcut: t\nsteps:\n  - value:\n      value:\n        a0: &a0 [lol, lol, lol, lol, lol, lol, lol]\n"
    for level in 1..<20 {
      let aliases = Array(repeating: "*a\(level - 1)", count: 9).joined(separator: ", ")
      text += "        a\(level): &a\(level) [\(aliases)]\n"
    }
    return text
  }

  /// A file with an error, and the expected message.
  struct File: CustomTestStringConvertible, Sendable {
    let name: String
    let text: String
    /// First line of the message, after the position.
    let message: String

    init(_ name: String, _ text: String, _ message: String) {
      self.name = name
      self.text = text
      self.message = message
    }

    var testDescription: String { name }
  }

  @Test(arguments: [
    File(
      "malformed", "shortcut: t\nsteps: [\n",
      "2:8: error: this `[` is never closed [yaml-syntax]"),
    File(
      "a tab", "shortcut: t\n\tsteps: []\n", "2:1: error: a tab cannot indent in YAML [yaml-syntax]"
    ),
    File(
      "a billion laughs", billionLaughs(),
      "10:28: error: more than 200000 nodes after expanding aliases [yaml-limit]"),
    File(
      "a 200-level nest",
      "shortcut: t\nsteps: " + String(repeating: "[", count: 200)
        + String(repeating: "]", count: 200),
      "2:107: error: nested more than 100 levels deep [yaml-limit]"),
    File(
      "unknown keys", "shortcut: t\nstep: []\nsteps: [stop]\n",
      "2:1: error: a shortcut has no key `step` [unknown-key]"),
    File(
      "wrong types", "shortcut: t\nsteps: [{recent: {limit: lots}}]\n",
      "2:26: error: “lots” is not a whole number [invalid-value]"),
    File(
      "an unclosed {{", "shortcut: t\nsteps: [{say: 'a {{ b'}]\n",
      "2:18: error: this `{{` is never closed [unclosed-template]"),
    File("nothing in it", "# nothing\n", "1:1: error: there is no document in it [no-documents]"),
    File(
      "an expression without end", "shortcut: t\nsteps: [{say: '{{ (((1 }}'}]\n",
      "2:21: error: this `(` is not closed before the `}}` [unclosed-template]"),
  ])
  func badFiles(_ file: File) throws {
    let sandbox = try Sandbox(["bad.yaml": file.text])
    let run = try sandbox.run("run", "bad.yaml")
    #expect(run.status == 2)
    #expect(run.out.isEmpty)
    #expect(run.err.split(separator: "\n").first.map(String.init) == "bad.yaml:" + file.message)
  }

  @Test(
    arguments: [
      ([0xFF, 0xD8, 0xFF, 0xE0, 0], "is an image, and read-file reads text"),
      (Array("%PDF-1.7\n".utf8) + [0xE2, 0xE3], "is a PDF, and read-file reads text"),
      ([0x1F, 0x8B, 8, 0], "is an archive, and read-file reads text"),
      ([0xE4, 0x20], "is not text in utf-8"),
    ] as [([UInt8], String)])
  func binaryFileIsReportedByItsKind(_ bytes: [UInt8], _ message: String) throws {
    let sandbox = try Sandbox(["a.yaml": "shortcut: a\nsteps: [{read-file: x.jpg}]\n"])
    try sandbox.write(bytes: bytes, to: "x.jpg")
    let run = try sandbox.run("run", "a.yaml")
    #expect(run.err.contains("error: x.jpg \(message)"), "\(run)")
    #expect(run.status == 1)
  }

  @Test func bytesThatAreNoText() throws {
    let sandbox = try Sandbox()
    try sandbox.write(
      bytes: Array("shortcut: t\nsteps: [{say: ".utf8) + [0xFF, 0xFE] + Array("}]\n".utf8),
      to: "bad.yaml")
    let run = try sandbox.run("run", "bad.yaml")
    #expect(run.status == 2)
    #expect(run.err.hasPrefix("bad.yaml:2:15: error: this byte is not valid UTF-8 [invalid-utf8]"))
    try sandbox.write(
      bytes: Array("shortcut: t\nsteps: [{say: a".utf8) + [0] + Array("b}]\n".utf8), to: "nul.yaml")
    #expect(try sandbox.run("run", "nul.yaml").status == 2)
    // A shell passes bytes unchanged.
    let argument = try sandbox.shell("errand save \"$(printf 'https://x.org/\\377')\"")
    #expect(argument.status == 2)
    #expect(argument.err.contains("argument 2 is not valid UTF-8"))
    #expect(try sandbox.run(["save", "-"], input: [0xFF]).status == 2)
    #expect(try sandbox.run(["save", "-"], input: Array("https://x.org/a\0b".utf8)).status == 2)
  }

  @Test(
    arguments: [
      (["nonsense"], 2, "unknown command `nonsense`"),
      (["serach"], 2, "did you mean `errand search`?"),
      (["save", "--titel", "x"], 2, "did you mean --title?"),
      (["save", "hello"], 2, "“hello”"),
      (["save", "ftp://x.org"], 2, "ftp"),
      (["recent", "--limit", "99"], 2, "99 must be from 1 to 50"),
      (["recent", "--limit"], 2, "--limit needs a value"),
      (["recent", "extra"], 2, "extra"),
      (["recent", "--json", "--jsonl"], 2, "cannot be given together"),
      (["save"], 3, "`save` needs `url`"),
      (["open", "link:99"], 1, "there is no link:99"),
      (["open", "https://nowhere.org"], 1, "errand save https://nowhere.org"),
      (["get", "nothing"], 1, "nothing matches “nothing”"),
      (["find", "Lnk"], 2, "did you mean `Link`?"),
      (["find", "Link", "--where", "titel == 'x'"], 2, "did you mean `title`?"),
      (["find", "Link", "--sort", "nope"], 2, "nope"),
      (["create", "Task", "titel=x"], 2, "did you mean `title`?"),
      (["create", "Task", "title=x", "due=someday"], 2, "“someday”"),
      (["delete", "link:1", "link:99", "--yes"], 1, "there is no link:99"),
      (["run", "nowhere.yaml"], 2, "nowhere.yaml cannot be read"),
      (["run", "nowhere"], 2, "nowhere"),
      (["eval", "1 +"], 2, "value was expected"),
      (["eval", "1 / 0"], 1, "zero"),
      (["import", "nowhere.jsonl"], 1, "nowhere.jsonl"),
      (["--store", "/dev/null/x.db", "recent"], 1, "/dev/null/x.db"),
      (["recent", "--format", "{{ self."], 2, "never closed"),
    ] as [([String], Int32, String)])
  func badCommandLines(words: [String], status: Int32, message: String) throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift")
    let run = try sandbox.run(words)
    #expect(run.status == status, "\(run)")
    #expect(run.err.contains(message), "\(run)")
    #expect(!run.err.contains("Fatal"), "\(run)")
    #expect(try sandbox.run("recent").out == "https://swift.org\n")
  }

  @Test(arguments: ["\"", "!?", "a AND OR", "NEAR(", "title:", "* * *", "^x", "-", "--", "c++"])
  func anyTextMayBeSearchedFor(query: String) throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("save", "https://swift.org", "--title", "Swift and c++")
    let run = try sandbox.run("search", "--", query)
    #expect(run.status == 0, "\(run)")
  }

  /// Creates a sandbox with a store in a read-only folder.
  private func readOnlyStore() throws -> Sandbox {
    let sandbox = try Sandbox()
    let made = try sandbox.shell(
      "mkdir s && errand --store s/x.db save https://swift.org && chmod -R a-w s")
    try #require(made.status == 0)
    return sandbox
  }

  @Test func aStoreThatCanOnlyBeReadIsRead() throws {
    let read = try readOnlyStore().run("--store", "s/x.db", "recent", "--quiet")
    #expect(read == ProgramRun(out: "https://swift.org\n"))
  }

  @Test(.enabled(if: geteuid() != 0, "permissions do not bind root"))
  func aStoreThatCanOnlyBeReadIsNotWritten() throws {
    let sandbox = try readOnlyStore()
    let write = try sandbox.run("--store", "s/x.db", "save", "https://x.org")
    #expect(write.status == 1, "\(write)")
    #expect(write.err.contains("can only be read"), "\(write)")
  }

  @Test func otherFilesAreNotStores() throws {
    let sandbox = try Sandbox(["x.db": String(repeating: "this is no database. ", count: 500)])
    let run = try sandbox.run("--store", "x.db", "recent")
    #expect(run.status == 1)
    #expect(run.err.split(separator: "\n").count <= 2, "\(run)")
    #expect(run.err.contains("x.db"), "\(run)")
    #expect(sandbox.read("x.db")?.hasPrefix("this is no database.") == true)
  }

  @Test func errorsAreJSONForPrograms() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.run("recent", "--limit", "99", "--json")
    #expect(run.status == 2)
    #expect(run.out.isEmpty)
    #expect(
      run.err.hasPrefix(
        "{\"error\":{\"code\":\"invalid-value\",\"message\":\"`limit`: 99 must be from 1 to 50\""))
  }
}
