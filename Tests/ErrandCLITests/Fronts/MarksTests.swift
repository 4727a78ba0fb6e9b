import TestSupport
import Testing

/// Marks that an entity gives its items in lists.
@Suite struct MarksTests {
  private static let chore = """
    entity: Chore
    properties:
      title: string
      late: {type: bool, default: false}
      took: {type: 'duration?'}
      notes: {type: 'map<any>?'}
    display:
      title: '{{ self.title }}'
      subtitle: a chore
      warnings: ['{{ self.late ? "late" : "" }}', '{{ null }}']
      marks: '{{ self.took == null ? "" : "took " + string(self.took) }}'

    """

  @Test func anyEntityMayHaveThem() throws {
    let sandbox = try Sandbox([".config/errand/chore.yaml": Self.chore])
    _ = try sandbox.run("create", "chore", "title=Wash", "late=true", "took=13m")
    _ = try sandbox.run("create", "chore", "title=Dry")
    let terminal = try sandbox.terminal("find", "chores")
    #expect(try terminal.finish() == 0)
    let list = """
      chore:2  Dry   a chore
      chore:1  Wash  late · a chore · took 780s

      """
    #expect(terminal.text.contains(list), "\(terminal.text)")
    // Output for other programs is unchanged.
    #expect(try sandbox.run("find", "chores").out == "Dry\nWash\n")
    #expect(try !sandbox.run("find", "chores", "--json").out.contains("a chore"))
  }

  @Test func aMistakeInOneIsFound() throws {
    let wrong = Self.chore.replacing("self.late ?", with: "self.lat ?")
    let run = try Sandbox(["chore.yaml": wrong]).run("check", "chore.yaml")
    #expect(run.status == 2 && run.out.contains("did you mean `late`?"), "\(run)")
  }

  @Test func tasksTellWhatIsOverdue() throws {
    let sandbox = try Sandbox()
    _ = try sandbox.run("create", "task", "title=Past", "due=yesterday")
    _ = try sandbox.run("create", "task", "title=Present", "due=today", "tags=home")
    _ = try sandbox.run("create", "task", "title=Over", "due=2020-01-01", "done=true")
    let terminal = try sandbox.terminal("tasks", "--all")
    #expect(try terminal.finish() == 0)
    let lines = terminal.text.split(separator: "\n")
    #expect(lines.count(where: { $0.contains("overdue · due ") }) == 1, "\(lines)")
    #expect(lines.contains { $0.contains("Past") && $0.contains("overdue") })
    #expect(lines.contains { $0.contains("Present") && $0.hasSuffix(" · #home") })
  }

  @Test func tablesSpellLengthsOut() throws {
    let sandbox = try Sandbox([
      "table.yaml": """
      shortcut: table
      steps:
        - create: {entity: Chore, set: {title: Wash, took: 13m, notes: {left: '{{ duration("1h30m") }}'}}}
          as: chore
        - show: {value: '{{ [chore] }}', as: table, columns: [title, took, notes]}
        - show: {value: '{{ [{"took": duration("90s")}] }}', as: table}
        - get: {ref: '{{ chore.ref }}'}
          as: stored
        - say: '{{ stored.notes.left > hours(1) }}'
      output: none

      """,
      ".config/errand/chore.yaml": Self.chore,
    ])
    let run = try sandbox.run("run", "table.yaml")
    #expect(
      run
        == ProgramRun(
          err: """
            title  took    notes
            Wash   13 min  left: 1 h 30 min
            took
            1 min 30 s
            true

            """), "\(run)")
  }
}
