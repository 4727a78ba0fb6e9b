import TestSupport
import Testing

/// `make-folder`, `parents`, and a dry run of steps on files.
@Suite struct FolderTests {
  private func shortcut(_ steps: String) throws -> Sandbox {
    try Sandbox([
      "a.yaml": "shortcut: a\nsteps:\n" + steps.split(separator: "\n").map { "  \($0)\n" }.joined(),
      "here": "text",
    ])
  }

  private func run(_ sandbox: Sandbox, _ words: String...) throws -> ProgramRun {
    try sandbox.run(["run", "a.yaml", "--allow", "all"] + words)
  }

  @Test func aFolderIsMadeOnceAndUndone() throws {
    let sandbox = try shortcut(
      "- make-folder: new/inner\n- make-folder: new/inner\n- make-folder: other")
    #expect(try run(sandbox).status == 0)
    #expect(try sandbox.shell("ls -d new/inner other").out == "new/inner\nother\n")
    try sandbox.write("x", to: "other/file")
    let undo = try sandbox.run("undo")
    #expect(undo.err.contains("Undone: making the folder \(sandbox.path)/new/inner by a."))
    // A folder with files stays.
    #expect(undo.err.contains("Not undone: the folder \(sandbox.path)/other stays"))
    #expect(!undo.err.contains("making the folder \(sandbox.path)/other"))
    #expect(try sandbox.shell("ls").out == "a.yaml\nhere\nother\n")
    #expect(try sandbox.run("redo").status == 0)
    #expect(try sandbox.shell("ls -d new/inner other").out == "new/inner\nother\n")
    #expect(try sandbox.run("undo").status == 0)
    #expect(try sandbox.shell("ls").out == "a.yaml\nhere\nother\n")
  }

  @Test func aFileInTheWayIsAnError() throws {
    for path in ["here", "here/inner"] {
      let run = try run(try shortcut("- make-folder: \(path)"))
      #expect(run.status == 1 && run.err.contains("here is a file"), "\(run)")
    }
  }

  @Test func parentsAreMadeOnRequest() throws {
    let sandbox = try shortcut(
      """
      - write-file: {path: a/b/text, text: x, parents: true}
      - write-file: {path: c/log, text: x, mode: append, parents: true}
      - exec: {command: [echo, x], save: d/out, parents: true}
      """)
    #expect(try run(sandbox).status == 0)
    #expect(sandbox.read("a/b/text") == "x")
    #expect(sandbox.read("c/log") == "x\n")
    #expect(sandbox.read("d/out") == "x\n")
  }

  /// Steps that fail, and the message, the same in a dry run and a run.
  @Test(
    arguments: [
      ("write-file: {path: 'no folder/x', text: a}", "mkdir -p 'no folder'"),
      ("write-file: {path: none/x, text: a, mode: append}", "there is no folder none for x"),
      ("write-file: {path: here, text: a, mode: create}", "here already exists"),
      ("write-file: {path: here/, text: a}", "here/ is a folder"),
      ("exec: {command: [echo, x], save: none/x}", "there is no folder none for x"),
      ("exec: [no-such-program]", "there is no program `no-such-program`"),
      ("exec: {command: [echo], dir: none}", "no such folder"),
      ("read-file: none", "there is no none"),
      ("move-file: {from: none, to: x}", "there is no none"),
      ("copy-file: {from: here, to: a.yaml}", "a.yaml already exists"),
      ("trash-file: none", "there is no none"), ("make-folder: here/x", "here is a file"),
    ])
  func aDryRunFailsAsTheRunWould(step: String, message: String) throws {
    let sandbox = try shortcut("- \(step)")
    let dry = try run(sandbox, "--dry-run")
    #expect(dry.status == 1 && dry.err.contains(message), "\(dry)")
    #expect(dry.err.contains("a.yaml:3:5"), "\(dry)")
    let real = try run(sandbox)
    #expect(real.status == 1 && dry.err.hasSuffix(real.err), "\(real)")
  }

  @Test func aDryRunSeesWhatItsStepsWouldHaveDone() throws {
    let sandbox = try shortcut(
      """
      - make-folder: new/inner
      - write-file: {path: new/inner/x, text: one}
      - write-file: {path: new/inner/x, text: two, mode: append}
      - move-file: {from: new/inner/x, to: new/y}
      - read-file: new/y
      - say: '{{ it }}'
      - exec: {command: [pwd], dir: new}
      - write-file: {path: made-by-a-program/x, text: a}
      """)
    let run = try run(sandbox, "--dry-run")
    #expect(run.status == 0 && run.err.contains("one\ntwo"), "\(run)")
    #expect(try sandbox.shell("ls").out == "a.yaml\nhere\n")
  }

  @Test func aDryRunSaysOnceThatAResultIsUnknown() throws {
    let sandbox = try shortcut("- exec: [date]\n- copy: text\n  when: it == ''")
    let unknown = try run(sandbox, "--dry-run")
    #expect(unknown.status == 1)
    #expect(
      unknown.err.split(separator: "\n").last
        == "errand: the dry run stops at a.yaml:5:11: this condition depends on the result of `exec` at a.yaml:3:5, which a dry run does not have"
    )
    // A mistake of the shortcut's own is an error still.
    let own = try shortcut("- write-file: {path: x, text: a}\n- value: '{{ int(it) }}'")
    #expect(try run(own, "--dry-run").err.contains("a.yaml:4:16: error"))
  }
}
