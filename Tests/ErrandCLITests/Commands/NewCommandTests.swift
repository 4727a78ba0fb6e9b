import TestSupport
import Testing

/// `errand new`: templates, copies and refusals.
@Suite struct NewCommandTests {
  @Test(arguments: [
    ("shortcut", "hello-you"), ("intent", "plan"), ("entity", "Book"), ("automation", "mornings"),
    ("widget", "due"),
  ])
  func templateIsSound(_ kind: String, _ name: String) throws {
    let sandbox = try Sandbox()
    let path = ".config/errand/\(name).yaml"
    let made = try sandbox.run("new", kind, name)
    let whole = sandbox.path + "/" + path
    #expect(
      made
        == ProgramRun(
          out: "\(whole)\n", err: "Change it to what you need, then: errand check \(whole)\n"))
    #expect(
      try sandbox.run("check", path)
        == ProgramRun(err: "1 definition: nothing found.\n"))
    if kind != "entity" {
      let tests = kind == "automation" ? "2 tests" : "1 test"
      let shown = kind == "widget" ? "widget:\(name)" : name
      #expect(
        try sandbox.run("test", path)
          == ProgramRun(out: "ok    \(shown)  \(tests)\n\(tests) passed.\n"))
    }
    #expect(try sandbox.run("new", kind, name).status == 2)
  }

  @Test func copyHasTheNewName() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("new", "intent", "keep", "--from", "save").status == 0)
    let text = sandbox.read(".config/errand/keep.yaml") ?? ""
    #expect(text.contains("\nintent: keep\n") || text.hasPrefix("intent: keep\n"))
    #expect(try sandbox.run("keep", "https://swift.org", "-q").status == 0)
    // A built-in definition may be replaced by a copy.
    #expect(try sandbox.run("new", "intent", "save", "--from", "save").status == 0)
    #expect(try sandbox.run("save", "https://go.dev", "-q").status == 0)
  }

  @Test(arguments: [
    (["new"], "`new` takes intent, shortcut, entity, automation or widget, and a name"),
    (["new", "shortcut"], "`new` takes intent, shortcut, entity, automation or widget"),
    (["new", "vocabulary", "a"], "`new` takes intent, shortcut, entity, automation or widget"),
    (["new", "shortcut", "Hello"], "the name of a shortcut must be kebab-case"),
    (["new", "entity", "book"], "the name of an entity must be UpperCamelCase"),
    (["new", "shortcut", "exec"], "“exec” is a word of errand's own"),
    (["new", "shortcut", "runs"], "“runs” is a word of errand's own"),
    (["new", "intent", "save"], "there is a definition called `save` already"),
    (["new", "intent", "keep", "--from", "nope"], "there is no definition `nope`"),
    (["new", "shortcut", "keep", "--from", "save"], "`save` is not a shortcut"),
    (["new", "shortcut", "../keep"], "the name of a shortcut must be kebab-case"),
  ])
  func refusesWithAReason(_ words: [String], _ message: String) throws {
    let sandbox = try Sandbox()
    let run = try sandbox.run(words)
    #expect(run.status == 2 && run.err.contains(message), "\(run)")
    #expect(sandbox.read(".config/errand/keep.yaml") == nil)
  }
}
