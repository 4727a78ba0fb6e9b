import FoundationEssentials
import TestSupport
import Testing

/// `errand test`: its effects, output and exit status.
@Suite struct TestCommandTests {
  private static let good = """
    shortcut: double
    input: {type: int}
    steps:
      - value: '{{ input * 2 }}'
    tests:
      - {name: two, input: 1, expect: {output: 2}}
      - {name: none, input: 0, expect: {output: 0}}
    ---
    shortcut: untested
    steps: [stop]

    """

  private static let bad = """
    shortcut: broken
    steps:
      - wait: 90d
      - exec: [date]
        name: the day
    tests:
      - name: unfaked
        expect: {output: x}
      - name: <faked> & "wrong"
        fake: {exec: {date: today}}
        answers: {colour: blue}
        expect: {output: tomorrow, exec: date}

    """

  @Test func testsThatPassAreCounted() throws {
    let sandbox = try Sandbox(["good.yaml": Self.good])
    #expect(
      try sandbox.run("test", "good.yaml")
        == ProgramRun(out: "ok    double  2 tests\n2 tests passed. Without tests: untested.\n"))
    #expect(try sandbox.run("test", "good.yaml", "--quiet") == ProgramRun())
    #expect(
      try sandbox.run("test", "good.yaml", "--filter", "TWO")
        == ProgramRun(out: "ok    double  1 test\n1 test passed. Without tests: untested.\n"))
    // No library was created.
    #expect(sandbox.read(".local/share/errand/library.db") == nil)
  }

  @Test func endlessTestFails() throws {
    let run = try Sandbox([
      "endless.yaml": """
      shortcut: endless
      steps:
        - while: 'true'
          do: [{wait: 1s}]
      tests: [{name: ends, expect: {output: 1}}]

      """
    ]).run("test", "endless.yaml")
    #expect(run.status == 1)
    #expect(
      run.out.hasPrefix(
        """
        FAIL  endless  1 of 1 test
          ends  endless.yaml:5:9
            the run failed: the run took more than 2,000,000 steps; most steps were in `endless` \
        2,000,000 [failed]

        """))
  }

  @Test func aFailureShowsExpectedBesideActualAndTheSteps() throws {
    let run = try Sandbox(["bad.yaml": Self.bad]).run("test", "bad.yaml")
    #expect(
      run
        == ProgramRun(
          out: """
            FAIL  broken  2 of 2 tests
              unfaked  bad.yaml:7:5
                the program `date` was used but is not faked
                  at        bad.yaml:7:5
                  help      add under `fake:` `exec: {date: {stdout: …}}`
                steps
                  done       steps.0 (wait)
                  failed     steps.the day (the day)  the program `date` was used but is not faked
              <faked> & "wrong"  bad.yaml:9:5
                `output`
                  expected  "tomorrow"
                  actual    "today"
                  at        bad.yaml:12:22
                nothing asked for “colour”
                steps
                  done       steps.0 (wait)
                  done       steps.the day (the day)  "today"
            2 of 2 tests failed.

            """, status: 1))
  }

  @Test func aReportIsWrittenAsJUnitXML() throws {
    let sandbox = try Sandbox(["bad.yaml": Self.bad])
    #expect(try sandbox.run("test", "bad.yaml", "--junit", "out.xml").status == 1)
    let text = try #require(sandbox.read("out.xml"))
      .replacing(#/time="[0-9.]+"/#, with: "time")
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <testsuites tests="2" failures="2" time>
          <testsuite name="broken" tests="2" failures="2" time>
            <testcase classname="broken" name="unfaked" file="bad.yaml" line="7" time>
              <failure message="the program `date` was used but is not faked">at bad.yaml:7:5&#10;add under `fake:` `exec: {date: {stdout: …}}`</failure>
              <system-out>steps.0 (wait): done&#10;steps.the day (the day): failed the program `date` was used but is not faked</system-out>
            </testcase>
            <testcase classname="broken" name="&lt;faked&gt; &amp; &quot;wrong&quot;" file="bad.yaml" line="9" time>
              <failure message="`output`">expected &quot;tomorrow&quot;&#10;actual &quot;today&quot;&#10;at bad.yaml:12:22</failure>
              <system-out>steps.0 (wait): done&#10;steps.the day (the day): done &quot;today&quot;</system-out>
            </testcase>
          </testsuite>
        </testsuites>

        """)
  }

  @Test func programsGetOneObject() throws {
    let sandbox = try Sandbox(["good.yaml": Self.good])
    let run = try sandbox.run("test", "good.yaml", "--format", "json", "--coverage")
    #expect(run.status == 0)
    #expect(run.out.contains(#""ok": true"#))
    #expect(run.out.contains(#""definition": "double""#))
    #expect(run.out.contains(#""name": "steps.0 (value)""#))
    #expect(run.out.contains(#""count": 2"#))
  }

  @Test func mistakesAreToldBeforeAnythingRuns() throws {
    let sandbox = try Sandbox([
      "a.yaml": """
      shortcut: a
      steps: [{value: 1}]
      tests:
        - given: {Lnk: [{url: x}]}
          parameters: {x: 1}
          fake: {exce: {}}
          expect: {outptu: 1, output: {where: self > }}

      """
    ])
    let run = try sandbox.run("test", "a.yaml")
    #expect(run.status == 2)
    for id in ["unknown-key", "expression-syntax"] { #expect(run.err.contains("[\(id)]"), "\(id)") }
    try sandbox.write(
      """
      shortcut: a
      steps: [{value: 1}]
      tests:
        - given: {Lnk: [{url: x}], Link: [{ulr: x}]}
          parameters: {x: 1}
          input: 1
          expect: {output: {where: slf > 1}, store: {Tsk: null}}

      """, to: "a.yaml")
    let names = try sandbox.run("test", "a.yaml")
    #expect(names.status == 2)
    for id in [
      "unknown-entity", "unknown-property", "unknown-parameter", "unknown-name",
    ] {
      #expect(names.err.contains("[\(id)]"), "\(id)")
    }
    #expect(try sandbox.run("check", "a.yaml").status == 2)
  }

  @Test(arguments: [
    (["test", "--filter", "no such test"], "no test has “no such test” in its name"),
    (["test", "--format", "xml"], "--format must be text or json, not “xml”"),
    (["test", "none.yaml"], "none.yaml"),
  ])
  func unrunnableTestsAreAUsageError(words: [String], message: String) throws {
    let run = try Sandbox().run(words)
    #expect(run.status == 2)
    #expect(run.out == "")
    #expect(run.err.contains(message))
  }

  /// The same for any number of waits in them.
  @Test func everythingThatIsShippedPassesItsTests() throws {
    let run = try Sandbox().run("test")
    #expect(run.status == 0, "\(run.out)")
    #expect(!run.out.contains("Without tests"))
  }

  @Test func testsOfBuiltInsCoverAllSteps() throws {
    let run = try Sandbox().run("test", "--coverage", "--quiet")
    let missed = run.out.split(separator: "\n").filter { $0.contains("not reached") }
    // A link without a URL does not occur in our stores; early ends are covered by the tests of
    // enrichment with --max-steps.
    // No test lets a notification wait until its end.
    let excused = [
      "schemas/intents/open.yaml", "steps.bad.finally", "automations/reminders.yaml:29",
    ]
    #expect(missed.allSatisfy { line in excused.contains { line.contains($0) } }, "\(missed)")
  }

  /// A number in a phrase ends with it, whole or not, and is written as in the language.
  @Test(arguments: [
    ("en", "i weigh", "I weigh 81 kg yesterday", "{kg: 81, day: 2025-12-31}"),
    ("en", "i weigh", "I weigh 81.5", "{kg: 81.5}"),
    ("en", "i weigh", "I weigh eighty-one kg", "{kg: 81}"),
    ("en", "i weigh", "I weigh -2 kg", "{kg: -2}"),
    ("de", "ich wiege", "Ich wiege 81,5 kg gestern", "{kg: 81.5, day: 2025-12-31}"),
    ("de", "ich wiege", "Ich wiege einundachtzig kg", "{kg: 81}"),
  ])
  func sentencesHaveNumbersAndTheDaysOfTests(
    _ language: String, _ verb: String, _ say: String, _ parameters: String
  ) throws {
    let run = try Sandbox([
      "w.yaml": """
      shortcut: weigh
      language: \(language)
      phrases: ['\(verb) {kg} [kg] [{day}]']
      parameters: {kg: double, day: 'date?'}
      steps: [{say: '{{ kg }} {{ day }}'}]
      tests: [{say: "\(say)", expect: {parameters: \(parameters)}}]

      """
    ]).run("test", "w.yaml")
    #expect(run.status == 0, "\(run)")
  }

  /// Nothing is guessed of what may be a fraction or thousands.
  @Test(arguments: ["I weigh much", "I weigh 1,000 kg"])
  func otherWordsAreNoNumber(_ say: String) throws {
    let run = try Sandbox([
      "w.yaml": """
      shortcut: weigh
      phrases: ['i weigh {kg} [kg]']
      parameters: {kg: double}
      steps: [{say: '{{ kg }}'}]
      tests: [{say: "\(say)", expect: {parameters: {kg: 1}}}]

      """
    ]).run("test", "w.yaml")
    #expect(run.out.contains("no phrase fits the sentence"), "\(run)")
  }

  @Test func jobsOfTheSameFileCanBeEnqueued() throws {
    let run = try Sandbox([
      "e.yaml": """
      shortcut: later
      input: {type: string}
      steps: [{say: '{{ input }}'}]
      ---
      shortcut: e
      steps: [{enqueue: {name: later, input: x}}]
      tests: [{expect: {output: {where: 'self.name == "later"'}}}]

      """
    ]).run("test", "e.yaml")
    #expect(run.status == 0, "\(run)")
  }

  @Test(arguments: [
    ("error: {mesage: x}", "`error` has no `mesage`", "did you mean `message`?"),
    ("error: {cause: {cod: x}}", "`error` has no `cod`", "did you mean `code`?"),
    ("notifications: {txt: a}", "`notifications` has no `txt`", "did you mean `text`?"),
    ("http: [{ulr: x}]", "`http` has no `ulr`", "did you mean `url`?"),
    ("exec: {contains: {cmd: x}}", "`exec` has no `cmd`", "did you mean `command`?"),
    ("store: {Task: {length: 1}}", "Task has no `length`", "a condition is one of equals"),
    ("store: {Task: [{titel: 1}]}", "Task has no `titel`", "did you mean `title`?"),
  ])
  func unknownFieldsOfExpectationsAreMistakes(
    _ expectation: String, _ message: String, _ help: String
  ) throws {
    let run = try Sandbox([
      "t.yaml": "shortcut: t\nsteps: [{say: x}]\ntests:\n  - expect: {\(expectation)}\n"
    ]).run("check", "t.yaml")
    #expect(run.status == 2 && run.out.contains(message) && run.out.contains(help), "\(run)")
  }

  /// Of headers, the named ones are compared, in any case.
  @Test(arguments: [("Accept: text/plain", 0), ("accept: text/plain", 0), ("Accept: text/html", 1)])
  func namedHeadersAreCompared(_ header: String, _ status: Int32) throws {
    let run = try Sandbox([
      "t.yaml": """
      shortcut: t
      steps:
        - http: {url: 'https://a.example/', headers: {Accept: text/plain, X-Other: '1'}}
      tests:
        - fake: {http: {'https://a.example/': ok}}
          expect: {http: [{headers: {\(header)}}]}
      """
    ]).run("test", "t.yaml")
    #expect(run.status == status, "\(run)")
  }

  /// The first line added to a file that is not faked begins it.
  @Test func appendingNeedsNoFake() throws {
    let run = try Sandbox([
      "t.yaml": """
      shortcut: t
      steps:
        - write-file: {path: log.txt, text: a, mode: append}
        - write-file: {path: log.txt, text: b, mode: append}
      tests:
        - expect: {files: {log.txt: "a\\nb\\n"}}
      """
    ]).run("test", "t.yaml")
    #expect(run.status == 0, "\(run)")
  }

  @Test func fieldsOfExpectationsAreKnown() throws {
    let run = try Sandbox([
      "t.yaml": """
      shortcut: t
      steps: [{say: x}]
      tests:
        - expect: {error: {code: a, cause: {code: b, data: {any: 1}}}, exec: [{command: x}]}
        - fake: {files: {a: {text: x, modified: 2025-01-01}}}
          expect: {store: {Task: [{title: x, createdAt: 2026-01-01}], Link: {size: 1}}}

      """
    ]).run("check", "t.yaml")
    #expect(run.status == 0, "\(run)")
  }
}
