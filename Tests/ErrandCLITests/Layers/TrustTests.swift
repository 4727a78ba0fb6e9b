import TestSupport
import Testing

/// Storage of trust.
@Suite struct TrustTests {
  private let hello = "shortcut: hello\nsteps: [{say: Hello}]\n"

  @Test func aPathIsOneLineOfTheList() throws {
    let sandbox = try Sandbox(["a\nb/.errand/x.yaml": "shortcut: x\nsteps: [{say: Hi}]\n"])
    #expect(try sandbox.run("trust", "a\nb", "-q").status == 0)
    #expect(
      try sandbox.run("trust", "--list")
        == ProgramRun(out: "definitions  \(sandbox.path)/a b/.errand\n"))
    #expect(
      try sandbox.run("trust", "--list", "--json")
        == ProgramRun(
          out: #"[{"kind":"definitions","path":"\#(sandbox.path)/a\nb/.errand"}]"# + "\n"))
  }

  @Test func noPathForgesTheTrustOfAnother() throws {
    let sandbox = try Sandbox(["a/.errand/a.yaml": hello, "b/.errand/a.yaml": hello])
    _ = try sandbox.run("trust", "a")
    let kept = try #require(sandbox.read(".local/state/errand/trusted"))
    let hash = try #require(kept.split(separator: "\n").last?.split(separator: " ").first)
    // The name of a folder that contains a line break.
    let forged = "x\n\(hash) \(sandbox.path)/b"
    try sandbox.write(hello, to: forged + "/.errand/a.yaml")
    let trust = try sandbox.run("trust", forged)
    #expect(trust.status == 0, "\(trust)")
    #expect(trust.err.split(separator: "\n").count == 1, "\(trust)")
    let run = try sandbox.shell("cd b && errand call hello")
    #expect(run.status == 2, "\(run)")
    #expect(run.err.hasPrefix("errand: \(sandbox.path)/b/.errand is not trusted"), "\(run)")
  }

  @Test func severalAtOnceAreAllKept() throws {
    let names = (0..<16).map { "p\($0)" }
    let sandbox = try Sandbox(
      Dictionary(uniqueKeysWithValues: names.map { ("\($0)/.errand/a.yaml", hello) }))
    let all = try sandbox.shell(
      "for p in \(names.joined(separator: " ")); do errand trust $p & done; wait")
    #expect(all.status == 0, "\(all)")
    for name in names {
      #expect(try sandbox.shell("cd \(name) && errand call hello") == ProgramRun(err: "Hello\n"))
    }
    #expect(try sandbox.shell("ls .local/state/errand").out == "trusted\ntrusted.lock\n")
  }

  @Test func aChangedFolderIsNamedAsSuch() throws {
    let sandbox = try Sandbox(["p/.errand/a.yaml": hello])
    _ = try sandbox.run("trust", "p")
    try sandbox.write(hello + "# changed\n", to: "p/.errand/a.yaml")
    let run = try sandbox.shell("cd p && errand list > /dev/null")
    #expect(
      run
        == ProgramRun(
          err: """
            errand: \(sandbox.path)/p/.errand has changed since you trusted it and was not loaded; look at it, then run `errand trust`

            """))
  }

  /// Names that a person could take for built-in ones.
  @Test(arguments: [
    (
      "intent: s\u{430}ve",
      "the name of an intent must be kebab-case, such as `add-note`; `s\u{430}ve` is not [bad-name]"
    ),
    (
      "shortcut: add-n0te",
      "shortcut `add-n0te` is too much like `add-note`, which already exists [name-taken]"
    ),
    (
      "shortcut: addnote",
      "shortcut `addnote` is too much like `add-note`, which already exists [name-taken]"
    ),
    ("entity: L1nk", "entity `L1nk` is too much like `Link`, which already exists [name-taken]"),
  ])
  func namesThatLookLikeBuiltInOnesAreRefused(_ line: String, _ message: String) throws {
    let rest = line.hasPrefix("entity") ? "properties: {x: string}" : "steps: [{say: Hello}]"
    let sandbox = try Sandbox(["p/.errand/a.yaml": "\(line)\n\(rest)\n"])
    let run = try sandbox.shell("cd p && errand trust 2> /dev/null; errand list > /dev/null")
    #expect(
      run.err.hasPrefix("\(sandbox.path)/p/.errand/a.yaml:1:")
        && run.err.split(separator: "\n").first?.hasSuffix(": error: " + message) == true, "\(run)")
  }

  /// A person's own definitions need no such protection.
  @Test func onesOwnLayerMayCallThemSo() throws {
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": "shortcut: addnote\nsteps: [{say: Hello}]\n"
    ])
    #expect(try sandbox.run("addnote") == ProgramRun(err: "Hello\n"))
  }
}
