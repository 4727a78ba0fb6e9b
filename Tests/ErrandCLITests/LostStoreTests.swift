import TestSupport
import Testing

/// A store that becomes full, damaged or missing during a run: no partial data, right status.
@Suite struct LostStoreTests {
  private static let store = ".local/share/errand/library.db"

  private func sandbox(_ steps: String) throws -> Sandbox {
    let indented = steps.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "  " + $0 }.joined(separator: "\n")
    let sandbox = try Sandbox([
      "run.yaml": "shortcut: test\nsteps:\n" + indented + "\n",
      "first.yaml": "shortcut: first\nsteps: [{create: {entity: Note, set: {text: first}}}]\n",
    ])
    #expect(try sandbox.run("run", "first.yaml", "--quiet").status == 0)
    return sandbox
  }

  private func notes(_ sandbox: Sandbox, _ words: String...) throws -> [String] {
    let run = try sandbox.run(["find", "notes", "--sort", "id"] + words)
    return run.out.split(separator: "\n").map(String.init)
  }

  private func isSound(_ sandbox: Sandbox) throws -> Bool {
    try sandbox.run("doctor").status == 0
  }

  // MARK: Full

  /// Runs a command with a file size limit in blocks of 512 bytes, as with a quota.
  private func full(_ sandbox: Sandbox, blocks: Int = 1_200) throws -> ProgramRun {
    try sandbox.shell("ulimit -f \(blocks); exec errand run run.yaml")
  }

  @Test func aFullDiskInATryEndsTheRunAndKeepsWhatWasCommitted() throws {
    let sandbox = try sandbox(
      """
      - try:
          - for: n
            in: '{{ lists.range(3000) }}'
            do:
              - atomic:
                  - create: {entity: Note, set: {text: '{{ "a" + "x".lines().map(y, "long ").join() }}'}}
                  - create: {entity: Note, set: {text: '{{ "b %d".format([n]) }}'}}
        catch:
          - on: not-found
            do: [{say: Not this.}]
        finally:
          - say: 'Finally {{ error == null ? "well" : error.code }}.'
      - say: Nor this.
      """)
    let run = try full(sandbox)
    #expect(run.status == 1)
    #expect(run.err.contains("Finally store.\n"), "\(run)")
    #expect(run.err.contains("the disk or your quota is full"), "\(run)")
    #expect(run.err.contains("[store]"), "\(run)")
    #expect(!run.err.contains("this."))
    // Both items of each pass exist, or neither.
    let count = try notes(sandbox, "--limit", "10000").count
    #expect(count % 2 == 1 && count > 1)
    #expect(try isSound(sandbox))
    #expect(try sandbox.run("undo", "--by", "test").status == 0)
    #expect(try notes(sandbox) == ["first"])
  }

  @Test func fullDiskInAtomicKeepsNoWrites() throws {
    let sandbox = try sandbox(
      """
      - create: {entity: Note, set: {text: before}}
      - try:
          - atomic:
              - for: n
                in: '{{ lists.range(5000) }}'
                do: [{create: {entity: Note, set: {text: '{{ "in it %d".format([n]) }}'}}}]
        catch:
          - on: not-found
            do: [{say: Not this.}]
      """)
    let run = try full(sandbox)
    #expect(run.status == 1)
    #expect(run.err.contains("[store]"), "\(run)")
    #expect(try notes(sandbox) == ["first", "before"])
    #expect(try isSound(sandbox))
  }

  @Test func aFullDiskInABranchEndsTheOthers() throws {
    let sandbox = try sandbox(
      """
      - parallel:
          fills:
            - exec: ['true']
            - for: n
              in: '{{ lists.range(5000) }}'
              do: [{create: {entity: Note, set: {text: '{{ "note %d".format([n]) }}'}}}]
          waits:
            - try: [{wait: 1h}]
              finally: [{say: Waits no more.}]
      """)
    let run = try full(sandbox)
    #expect(run.status == 1)
    #expect(run.err.hasPrefix("Waits no more.\n"), "\(run)")
    #expect(run.err.contains("[store]"), "\(run)")
    #expect(try isSound(sandbox))
  }

  // MARK: Gone

  private static let gone = "rm -r .local/share/errand"
  private static let replaced =
    "mv \(store) old.db; rm -f \(store)-*; errand create note text=other -q > /dev/null"

  @Test(arguments: [gone, replaced])
  func aLostStoreInATryIsAnErrorLikeOthers(_ loss: String) throws {
    let sandbox = try sandbox(
      """
      - try:
          - create: {entity: Note, set: {text: inside}}
          - exec: {shell: '\(loss)'}
          - create: {entity: Note, set: {text: after}}
          - say: Not this.
        catch:
          - on: io
            do: [{say: 'Caught: {{ error.message }}.'}]
        finally:
          - try: [{create: {entity: Note, set: {text: finally}}}]
            catch: [{say: 'Again {{ error.code }}.'}]
      """)
    let run = try sandbox.run("run", "run.yaml")
    #expect(
      run.err == """
        Caught: the store “\(sandbox.path)/\(Self.store)” was moved or replaced while it was in use.
        Again io.

        """)
    #expect(run.status == 0)
    // Whatever is there now contains nothing of this run.
    #expect(try notes(sandbox) == (loss == Self.gone ? [] : ["other"]))
  }

  @Test(arguments: [gone, replaced])
  func aLostStoreInABranchEndsTheOthers(_ loss: String) throws {
    let sandbox = try sandbox(
      """
      - parallel:
          loses:
            - exec: {shell: 'until test -e written; do sleep 0.01; done; \(loss)'}
              timeout: 1m
            - create: {entity: Note, set: {text: loses}}
          waits:
            - create: {entity: Note, set: {text: waits}}
            - write-file: {path: written, text: x}
            - try: [{wait: 1h}]
              finally: [{say: Waits no more.}]
      """)
    let run = try sandbox.run("run", "run.yaml")
    #expect(run.err.hasPrefix("Waits no more.\n"), "\(run)")
    #expect(run.err.contains("was moved or replaced while it was in use"), "\(run)")
    #expect(run.err.contains("[io]"), "\(run)")
    #expect(run.status == 1)
    #expect(try notes(sandbox) == (loss == Self.gone ? [] : ["other"]))
  }

  @Test func anAtomicWhoseStoreIsMovedIsWholeOrNot() throws {
    let sandbox = try sandbox(
      """
      - write-file: {path: begun, text: x}
      - atomic:
          - for: n
            in: '{{ lists.range(3000) }}'
            do: [{create: {entity: Note, set: {text: '{{ "in it %d".format([n]) }}'}}}]
      """)
    let run = try sandbox.shell(
      """
      errand run run.yaml -q & id=$!
      while ! test -e begun; do sleep 0.01; done
      mv .local/share/errand elsewhere
      wait $id
      """)
    let count = try notes(sandbox, "--store", "elsewhere/library.db", "--limit", "10000").count
    #expect(count == (run.status == 0 ? 3_001 : 1), "\(run)")
    #expect(try sandbox.run("doctor", "--store", "elsewhere/library.db").status == 0)
  }

  // MARK: Damaged

  @Test func aDamagedStoreInATryIsAnErrorLikeOthers() throws {
    let sandbox = try sandbox(
      """
      - try:
          - create: {entity: Note, set: {text: inside}}
          - exec: {shell: 'dd if=/dev/zero of=\(Self.store) bs=4096 seek=4 count=400 conv=notrunc'}
          - find: {entity: Note, where: 'text.contains("7")', limit: 10000}
        catch:
          - on: store
            do: [{say: Caught.}, {value: x}]
        finally: [{say: Finally.}]
      """)
    // More than SQLite keeps in memory.
    let lines = (0..<12_000).map {
      #"{"entity":"Note","text":"\#($0) \#(String(repeating: "x", count: 200))"}"#
    }
    #expect(
      try sandbox.run("import", "-", "-q", input: lines.joined(separator: "\n") + "\n").status == 0)
    let run = try sandbox.run("run", "run.yaml")
    #expect(run == ProgramRun(out: "x\n", err: "Caught.\nFinally.\n", status: 0))
    #expect(try sandbox.run("doctor").status == 1)
  }
}
