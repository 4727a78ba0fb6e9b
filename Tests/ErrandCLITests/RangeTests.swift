import TestSupport
import Testing

/// Parameters of the type `range`.
@Suite struct RangeTests {
  private static let shortcut = """
    shortcut: span
    parameters:
      when: {type: range, default: this week}
      other: {type: range?}
    steps:
      - value: '{{ vars.when }} {{ coalesce(vars.other, "none") }} {{ range(vars.when).start == date("2030-05-06") }}'
    """

  @Test(arguments: [
    ("2030-05", "2030-05-01/2030-05-31 none false"),
    ("2030-05-06/2030-05-08", "2030-05-06/2030-05-08 none true"),
    ("2030-05-06", "2030-05-06 none true"), ("2030-05-06/", "2030-05-06/ none true"),
    ("from 6 may 2030 to 8 may 2030", "2030-05-06/2030-05-08 none true"),
    ("2030-05-06T10:00/2030-05-06T12:00", "2030-05-06T10:00:00Z/2030-05-06T12:00:00Z none false"),
  ])
  func isDaysInTheirWrittenForm(_ text: String, _ output: String) throws {
    let sandbox = try Sandbox(["span.yaml": Self.shortcut])
    sandbox.environment["TZ"] = "UTC"
    #expect(try sandbox.run("run", "span.yaml", "--when", text).out == output + "\n")
  }

  @Test func refusesWordsThatNameNoDays() throws {
    let sandbox = try Sandbox(["span.yaml": Self.shortcut])
    for text in ["now and then", "2030-05-08/2030-05-06", "every monday", "/"] {
      let run = try sandbox.run("run", "span.yaml", "--when", text)
      #expect(run.status == 2)
      #expect(run.err.contains("is not a range of days"), "\(text)")
      #expect(run.err.contains("next 3 days"))
    }
  }

  @Test func takesARangeOfAnExpression() throws {
    let sandbox = try Sandbox([
      ".config/errand/span.yaml": Self.shortcut,
      "call.yaml": """
      shortcut: call
      steps:
        - run: {name: span, with: {when: 2030-05-06, other: '{{ range(date("2030-05-07"), date("2030-05-08")) }}'}}
      output: '{{ it }}'
      """,
    ])
    sandbox.environment["TZ"] = "UTC"
    let run = try sandbox.run("run", "call.yaml")
    // The days of `range()` are moments, the end of which is the beginning of the day after.
    #expect(run.out == "2030-05-06 2030-05-07T00:00:00Z/2030-05-09T00:00:00Z true\n")
    #expect(run.err == "")
  }

  @Test func isCheckedBeforeTheRun() throws {
    let sandbox = try Sandbox([
      "bad.yaml": """
      shortcut: bad
      parameters: {when: {type: range, default: now and then}}
      steps: [value: hi]
      """
    ])
    let run = try sandbox.run("check", "bad.yaml")
    #expect(run.status == 2)
    #expect((run.out + run.err).contains("“now and then” is not a range of days"))
  }
}
