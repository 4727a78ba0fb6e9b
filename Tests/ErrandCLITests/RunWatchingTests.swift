import FoundationEssentials
import TestSupport
import Testing

/// Runs with --trace, --step or --dry-run.
@Suite struct RunWatchingTests {
  private static let errand = """
    shortcut: chores
    input: {type: string, default: Ada}
    steps:
      - save: {url: 'https://swift.org', title: Swift}
        as: link
      - if: input == "Ada"
        then:
          - exec: [sh, -c, 'echo done > made']
      - say: Never
        when: input == "Eva"
      - write-file: {path: out.txt, text: 'For {{ input }}'}
      - copy: '{{ link }}'
      - wait: 9h
        when: input == "wait"
      - find: {entity: Link}
    output: '{{ size(it) }}'
    dialog: {full: 'Done for {{ input }}.'}

    """

  @Test func aDryRunDoesNothingAndListsIt() throws {
    let sandbox = try Sandbox(["chores.yaml": Self.errand])
    #expect(
      try sandbox.run("run", "chores.yaml", "wait", "--dry-run")
        == ProgramRun(
          out: "1\n",
          err: """
            would create  entity: "Link", set: {"url":"https://swift.org","title":"Swift","tags":[],"source":null,"reading":nul…, onConflict: "merge"  steps.link (save) > steps.link
            would record-use  item: "link:1", how: "save"  steps.link (save) > steps.1
            would write-file  path: "out.txt", text: "For wait"  steps.3
            would copy  value: "link:1"  steps.4
            would wait  for: "9h"  steps.5
            Done for wait.
            errand: dry run: nothing was changed

            """))
    #expect(sandbox.read("out.txt") == nil)
    #expect(sandbox.read("clipboard") == nil)
    #expect(sandbox.read(".local/share/errand/library.db") == nil)
    // The same with an existing library.
    #expect(try sandbox.run("save", "https://a.example").status == 0)
    #expect(try sandbox.run("run", "chores.yaml", "--dry-run").out == "2\n")
    #expect(sandbox.read("made") == nil)
    #expect(try sandbox.run("find", "links", "--count").out == "1\n")
    #expect(try sandbox.run("changes", "--jsonl").out.contains("swift.org") == false)
  }

  @Test func dryRunShowsWhatIsUnknown() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      steps:
        - exec: [date]
          as: day
        - value: '{{ int(day) + 1 }}'
          as: next
        - set: {both: ['{{ day }}', known]}
        - say: 'on {{ day }} and {{ next }}: {{ both[1] }}'
        - call: {text: 'at {{ day }}'}
        - create: {entity: Note, set: {text: 'It is {{ day }}'}}
          as: note
        - copy: '{{ note }}'
        - for: one
          in: ['{{ day }}', known]
          do: [{say: 'one {{ one }}'}]
      output: '{{ next }}'
      ---
      intent: call
      parameters: {text: {type: string, minLength: 3}}
      steps: [{log: '{{ text }}'}]
      """
    ])
    let run = try sandbox.run("run", "a.yaml", "--dry-run")
    #expect(run.status == 0, "\(run)")
    #expect(run.out == "‹unknown›\n")
    for text in [
      "would exec  command: [\"date\"]  steps.day\n", "on ‹unknown› and ‹unknown›: ‹unknown›\n",
      "set: {\"text\":\"It is ‹unknown›\"}", "would copy  value: \"‹unknown›\"",
      "one ‹unknown›\none known\n",
    ] { #expect(run.err.contains(text), "\(text) \(run)") }
  }

  @Test(arguments: [
    "- if: day == '5'\n  then: [{say: no}]\n  else: [{say: no}]",
    "- say: no\n  when: size(day) < 100", "- for: l\n  in: '{{ day.lines() }}'\n  do: [{say: no}]",
    "- while: day == ''\n  do: [{say: no}]",
    "- repeat: '{{ size(day) }}'\n  do: [{say: no}]",
    "- set: {n: '{{ size(day) }}'}\n- try: [{if: n > 3, then: [{say: no}]}]\n  catch: [{say: no}]",
  ])
  func dryRunTakesNoBranchByWhatIsUnknown(_ steps: String) throws {
    let lines = steps.split(separator: "\n").map { "  \($0)\n" }.joined()
    let sandbox = try Sandbox([
      "a.yaml": "shortcut: a\nsteps:\n  - exec: [date]\n    as: day\n\(lines)"
    ])
    let run = try sandbox.run("run", "a.yaml", "--dry-run")
    #expect(run.status == 1 && run.out == "", "\(run)")
    #expect(run.err.split(separator: "\n").count == 2, "\(run)")
    #expect(run.err.contains("depends on the result of `exec` at a.yaml:3:5"), "\(run)")
  }

  @Test func traceShowsEachStepWithItsResult() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      steps:
        - for: n
          in: '{{ [1, 2] }}'
          do: [{value: '{{ n + 1 }}'}]
          as: all
        - say: No
          when: size(all) > 2
        - try: [{fail: Oh}]
          catch: [{value: '{{ all }}'}]

      """
    ])
    let run = try sandbox.run("run", "a.yaml", "--trace")
    #expect(run.out == "2\n3\n")
    #expect(
      run.err.replacing(#/ *done +[0-9.]+ ms\n/#, with: "").replacing(#/ +[0-9.]+ ms/#, with: "")
        == """
        steps.all (for)
          steps.all.do.0 (value)  value: 2
            = 2
          steps.all.do.0 (value)  value: 3
            = 3
          = [2,3]
        steps.1 (say)  skipped
        steps.2 (try)
          steps.2.try.0 (fail)  message: "Oh"
            Oh [failed]
          steps.2.catch.0.0 (value)  value: [2,3]
            = [2,3]

        """)
  }

  @Test func aTraceIsEventsForPrograms() throws {
    let sandbox = try Sandbox(["a.yaml": "shortcut: a\nsteps: [{value: 1}]\n"])
    let run = try sandbox.run("run", "a.yaml", "--trace", "--events", input: "")
    #expect(run.err == "")
    let traces = run.out.split(separator: "\n").filter { $0.contains(#""event":"trace""#) }
    #expect(traces.count == 2)
    #expect(traces.first?.contains(#""state":"begins""#) == true)
    #expect(traces.last?.contains(#""state":"done""#) == true)
    #expect(traces.last?.contains(#""value":1"#) == true)
  }

  @Test func eachStepIsAskedAbout() throws {
    let sandbox = try Sandbox(["chores.yaml": Self.errand])
    let run = try sandbox.terminal("run", "chores.yaml", "Eva", "--step", "--store", ":memory:")
    try run.expect("steps.link (save)  url: \"https://swift.org\", title: \"Swift\"")
    try run.expect("next, over, go on or stop?")
    run.type("o\n")
    try run.expect("steps.1 (if)")
    run.type("\n")
    try run.expect("steps.2 (say)  text: \"Never\"")
    run.type("what\n")
    try run.expect("answer next, over, go or stop")
    run.type("go\n")
    try run.expect("Done for Eva.")
    #expect(try run.finish() == 0)
    #expect(sandbox.read("out.txt") == "For Eva")
  }

  @Test func aRunCanBeStoppedBeforeAStep() throws {
    let sandbox = try Sandbox(["chores.yaml": Self.errand])
    let run = try sandbox.terminal("run", "chores.yaml", "Bob", "--step", "--store", ":memory:")
    try run.expect("steps.link")
    run.type("over\n")
    try run.expect("steps.1 (if)")
    run.type("\n")
    try run.expect("steps.3 (write-file)")
    run.type("stop\n")
    #expect(try run.finish() == 130)
    #expect(sandbox.read("out.txt") == nil)
  }

  @Test func withNobodyToAskStepIsRefused() throws {
    let sandbox = try Sandbox(["a.yaml": "shortcut: a\nsteps: [{value: 1}]\n"])
    let run = try sandbox.run("run", "a.yaml", "--step")
    #expect(run.status == 2)
    #expect(run.err.hasPrefix("errand: error: --step asks before each step, but nobody can answer"))
  }
}
