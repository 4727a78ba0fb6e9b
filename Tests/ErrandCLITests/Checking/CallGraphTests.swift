import TestSupport
import Testing

/// An error in anything a run may call stops it before its first effect.
@Suite struct CallGraphTests {
  private static let broken = "steps:\n  - say: '{{ nope }}'\n"
  private static let creates = "  - create: {entity: Note, set: {text: Left behind}}\n"

  private func notes(_ sandbox: Sandbox) throws -> String {
    try sandbox.run("find", "notes", "--format", "{{ self.text }}").out
  }

  @Test func aMistakeInACalleeOfACalleeIsFoundFirst() throws {
    let sandbox = try Sandbox([
      ".config/errand/a.yaml": "shortcut: a\nsteps:\n\(Self.creates)  - b\n",
      ".config/errand/b.yaml": "shortcut: b\nsteps:\n  - if: 1 < size(\"ab\")\n    then: [c]\n",
      ".config/errand/c.yaml": "shortcut: c\n" + Self.broken,
    ])
    let run = try sandbox.run("a")
    #expect(run.status == 2)
    #expect(
      run.err == """
        \(sandbox.path)/.config/errand/c.yaml:3:14: error: unknown name `nope` \
        [unknown-name]
            3 |   - say: '{{ nope }}'
              |              ^~~~
          help: nothing has this name; a text needs quotes: `"nope"`

        """)
    #expect(try notes(sandbox) == "")
  }

  @Test func aMistakeInADisplayOfAnEntityIsFoundFirst() throws {
    let sandbox = try Sandbox([
      ".config/errand/book.yaml":
        "entity: Book\nproperties: {name: string}\ndisplay: {title: '{{ name }}'}\n",
      ".config/errand/a.yaml":
        "shortcut: a\nsteps:\n\(Self.creates)  - find: Book\n  - say: '{{ it }}'\n",
    ])
    let run = try sandbox.run("a")
    #expect(run.status == 2)
    #expect(run.err.contains("book.yaml:3:22: error: unknown name `name`"))
    #expect(run.err.hasSuffix("help: the item is `self` here: write `self.name`\n"))
    #expect(try notes(sandbox) == "")
  }

  @Test func checkFollowsBuiltInsToTheUsersReplacements() throws {
    let sandbox = try Sandbox([
      ".config/errand/save.yaml":
        "intent: save\nparameters: {url: url, source: 'string?'}\n" + Self.broken,
      ".config/errand/a.yaml": "shortcut: a\nsteps:\n\(Self.creates)  - save-from-clipboard\n",
    ])
    let run = try sandbox.run("a")
    #expect(run.status == 2)
    #expect(run.err.contains("save.yaml:4:14: error: unknown name `nope`"))
    #expect(try notes(sandbox) == "")
  }

  @Test func computedNameIsCheckedBeforeItsFirstEffect() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      input: {type: string}
      steps:
        - run: '{{ input }}'
      """,
      ".config/errand/b.yaml": "shortcut: b\nsteps:\n\(Self.creates)  - c\n",
      ".config/errand/c.yaml": "shortcut: c\n" + Self.broken,
    ])
    let run = try sandbox.run("run", "a.yaml", "b")
    #expect(run.status == 2)
    #expect(run.err.contains("c.yaml:3:14: error"))
    #expect(try notes(sandbox) == "")
  }

  @Test func aMistakeIsReportedOnceHoweverManyCallIt() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      steps: [b, c, b]
      ---
      shortcut: b
      steps: [c]
      ---
      shortcut: c
      steps:
        - sya: h
      """
    ])
    let run = try sandbox.run("run", "a.yaml#a")
    #expect(run.status == 2)
    #expect(run.err.ranges(of: "[unknown-step]").count == 1)
  }

  @Test func shortcutsThatCallEachOtherAreCheckedOnce() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      parameters: {n: {type: int, default: 3}}
      steps:
        - b: {n: '{{ n - 1 }}'}
          when: n > 0
      ---
      shortcut: b
      parameters: {n: int}
      steps:
        - a: {n: '{{ n }}'}
        - say: '{{ n }}'
      """
    ])
    #expect(try sandbox.run("run", "a.yaml#a") == ProgramRun(out: "", err: "0\n1\n2\n"))
  }

  /// A `fail` step or a declined question is not an error of the file.
  @Test func aDeliberateFailIsOneSentence() throws {
    let sandbox = try Sandbox([
      "a.yaml": "shortcut: a\nsteps:\n  - fail: There is no milk.\n",
      "b.yaml": "shortcut: b\nsteps:\n  - if: 1 < size(\"ab\")\n    then: [a]\n",
      "c.yaml": "shortcut: c\nsteps:\n  - confirm: Really?\n",
      ".config/errand/a.yaml": "shortcut: a\nsteps:\n  - fail: There is no milk.\n",
    ])
    for name in ["a", "run b.yaml"] {
      let run = try sandbox.shell("errand \(name)")
      #expect(run.status == 1)
      #expect(run.err == "errand: error: There is no milk. [failed]\n")
    }
    let run = try sandbox.run("run", "c.yaml", "--answer", "Really?=no")
    #expect(run.status == 4)
    #expect(run.err == "Stopped: you answered no.\n")
  }
}
