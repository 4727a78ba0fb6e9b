import TestSupport
import Testing

/// Properties of the type `period`.
@Suite struct PeriodTests {
  private let definitions = """
    entity: Chore
    properties:
      title: {type: string}
      due: {type: date}
      every: {type: period, default: 2 weeks}
    ---
    intent: done
    parameters:
      chore: {type: Chore}
    steps:
      - update: {item: '{{ chore }}', set: {due: '{{ chore.due.add(chore.every) }}'}}
    """

  @Test func finishedChoreIsRepeated() throws {
    let sandbox = try Sandbox([".config/errand/chores.yaml": definitions])
    sandbox.environment["TZ"] = "Europe/Berlin"
    let created = try sandbox.run(
      "create", "chore", "title=Rent", "due=2026-01-31", "every=1 month", "--json")
    #expect(created.out.contains(#""due":"2026-01-31","every":"1mo""#), "\(created)")
    _ = try sandbox.run("create", "chore", "title=Bins", "due=2026-10-20")
    for due in ["2026-02-28", "2026-03-28"] {
      #expect(try sandbox.run("done", "chore:1", "--quiet").status == 0)
      #expect(
        try sandbox.run("get", "chore:1", "--format", "{{ self.due }} {{ self.every }}").out
          == "\(due) 1mo\n")
    }
    // Clocks go back in between.
    #expect(try sandbox.run("done", "chore:2", "--quiet").status == 0)
    #expect(
      try sandbox.run("find", "Chore", "--where", "every == '2w'", "--format", "{{ self.due }}").out
        == "2026-11-03\n")
    let exported = try sandbox.run("export", "chores").out
    sandbox.environment["ERRAND_STORE"] = sandbox.path + "/other.db"
    #expect(
      try sandbox.run("import", "-", input: exported)
        == ProgramRun(
          out: "created 2, merged 0, bad 0 of 2 lines\n",
          err: "errand: created a new store, \(sandbox.path)/other.db\n"))
    #expect(try sandbox.run("export", "chores").out == exported)
  }

  @Test func invalidPeriodsAreReported() throws {
    let sandbox = try Sandbox([".config/errand/chores.yaml": definitions])
    let run = try sandbox.run("create", "chore", "title=x", "due=2026-01-31", "every=1h")
    #expect(run.err.contains("`every`: “1h” is not a period"))
    #expect(run.err.contains("write it as 1d, 2w, 1mo, 1y6mo"))
    #expect(run.out == "")
    let line = try sandbox.run(
      "import", "-", input: #"{"entity":"Chore","title":"x","due":"2026-01-31","every":"soon"}"#)
    #expect(
      line.err == "stdin:1: `every` must be a period such as 1d, 2w, 1mo, 1y6mo, not “soon”\n")
  }
}
