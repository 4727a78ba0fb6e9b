import Catalog
import Engine
import Source
import Testing

@testable import DefinitionTesting

/// Results of tests of definitions.
@Suite struct TestRunnerTests {
  @Test(arguments: [
    ("[{value: 1}]", "expect: {output: 1}"),
    ("[{value: '{{ [1, 2] }}'}]", "expect: {output: [1, 2]}"),
    ("[{value: '{{ [1, 2] }}'}]", "expect: {output: {size: 2, contains: 2}}"),
    ("[{value: {value: {a: 1}}}]", "expect: {output: {a: 1}}"),
    ("[{value: {value: {size: 1}}}]", "expect: {output: {equals: {size: 1}}}"),
    ("[{value: abc}]", "expect: {output: {startsWith: a, contains: b, matches: 'c$', size: 3}}"),
    ("[{value: 7}]", "expect: {output: {where: self > 6 && self < 8}}"),
    ("[{say: a}, {say: b}]", "expect: {dialog: [a, b]}"),
    ("[{say: a}]", "expect: {dialog: a}"),
    ("[{value: 1}]", "expect: {dialog: null, error: null}"),
    ("[{fail: {message: No, code: odd, data: {a: 1}}}]", "expect: {error: odd}"),
    (
      "[{fail: {message: No, code: odd, data: {a: 1}}}]",
      "expect: {error: {code: odd, message: 'No', data: {a: 1}}}"
    ),
    (
      "[{try: [{fail: {message: No, code: odd}}], catch: [{do: [{fail: other}]}]}]",
      "expect: {error: {code: failed, cause: {code: odd}}}"
    ),
    (
      "[{try: [{fail: {message: No, code: odd}}], catch: [{do: [{fail: other}]}]}]",
      "expect: {error: {cause: odd}}"
    ),
    (
      "[{exec: [qr, -o, x]}]",
      "{fake: {exec: {qr: ''}}, expect: {exec: [{command: qr -o x}]}}"
    ),
    (
      "[{exec: [qr, -o, x]}]",
      "{fake: {exec: {qr: ''}}, expect: {exec: [{command: [qr, -o, x]}]}}"
    ),
    (
      "[{find-files: {in: d}}, {value: '{{ it.map(f, f.modified) }}'}]",
      "{fake: {files: {d/a: {text: x, modified: 2025-01-01}, d/b: y}}, expect: {output: [2025-01-01, '2026-01-01T09:00:00Z']}}"
    ),
    (
      "[{value: '{{ string(date(\"2026-03-01\")) }}'}]",
      "{fake: {env: {TZ: Europe/Berlin}}, expect: {output: '2026-02-28T23:00:00Z'}}"
    ),
    ("[{copy: x}]", "expect: {clipboard: x}"),
    ("[{paste: }]", "{fake: {clipboard: hello}, expect: {output: hello}}"),
    ("[{open-url: 'https://a.example'}]", "expect: {opened: ['https://a.example']}"),
    ("[{log: x}]", "expect: {log: x}"),
    ("[{show: {value: [{a: 1}], as: table}}]", "expect: {shown: [[{a: 1}]]}"),
    ("[{save: 'https://a.example'}]", "expect: {store: {Link: {size: 1}, Task: {size: 0}}}"),
    (
      "[{find: {entity: Link}}]",
      "{given: {Link: [{url: 'https://a.example', title: A}]}, expect: {output: [A]}}"
    ),
    ("[{value: '{{ now() }}'}]", "expect: {output: '2026-01-01T09:00:00Z'}"),
    ("[{value: '{{ today() }}'}]", "{fake: {now: 2026-11-22}, expect: {output: 2026-11-22}}"),
    ("[{value: '{{ env(\"HOME\") }}'}]", "expect: {output: /home/test}"),
    (
      "[{value: '{{ env(\"ERRAND_VAR_A\") }}'}]",
      "{fake: {env: {ERRAND_VAR_A: x}}, expect: {output: x}}"
    ),
    ("[{say: a, name: x}, {if: 'true', then: [{say: b}]}]", "expect: {steps: {contains: steps.x}}"),
    ("[{say: one thing}, {say: b}]", "expect: {dialog: {contains: one}}"),
    ("[{say: one thing}, {say: b}]", "expect: {dialog: {contains: [thing, b]}}"),
    (
      "[{write-file: {path: a.json, json: {a: 1, b: 2}}}]",
      "{fake: {files: {}}, expect: {files: {a.json: {contains: {a: 1}}}}}"
    ),
    ("[{paste: }]", "{fake: {clipboard: x}, expect: {clipboard: null}}"),
    (
      "[{find: {entity: Task}}]",
      "{given: {Task: [{title: 0815, tags: [1.10, b]}]}, expect: {output: [{title: '0815', tags: ['1.10', b]}]}}"
    ),
    ("[{notify: Hello Bob}]", "expect: {notifications: {startsWith: Hello, matches: 'Bob$'}}"),
    (
      "[{write-file: {path: a.txt, lines: [a, '', b]}}]",
      "{fake: {files: {}}, expect: {files: {a.txt: {lines: [a, '', b]}}}}"
    ),
    (
      "[{write-file: {path: a.json, json: {a: 1}}}]",
      "{fake: {files: {}}, expect: {files: {a.json: {json: {a: 1}}}}}"
    ),
    (
      "[{http: 'https://a.example/'}]",
      "{fake: {online: false, http: {'https://a.example/': x}}, expect: {error: network}}"
    ),
    ("[{http: 'https://a.example/'}]", "{fake: {online: false}, expect: {error: network}}"),
    (
      "[{find: {entity: Task, sort: createdAt}}]",
      "{given: {Task: [{title: A}, {title: B}, {title: C}]}, expect: {output: [A, B, C]}}"
    ),
    (
      "[{value: '{{ nextWorkday(date(\"2026-12-24\")) }}'}]",
      "{fake: {holidays: [2026-12-25]}, expect: {output: 2026-12-28}}"
    ),
    (
      "[{value: '{{ nextDate(\"every day except holidays\", now()) }}'}]",
      "{expect: {error: {message: {contains: no holidays}}}}"
    ),
  ])
  func matchingExpectationsPass(steps: String, test: String) throws {
    #expect(try TestBed.run(steps, test).problems == [])
  }

  @Test(arguments: [
    ("[{value: 1}]", "expect: {output: 2}", ["`output` | 2 | 1"]),
    ("[{value: [a, b]}]", "expect: {output: [a, c]}", [#"`output[1]` | "c" | "b""#]),
    ("[{value: [a]}]", "expect: {output: [a, b]}", [#"`size(output)` | 2 | 1: ["a"]"#]),
    ("[{value: {value: {a: 1, b: 2}}}]", "expect: {output: {a: 1}}", ["`output.b` | nothing | 2"]),
    (
      "[{value: {value: {a: 1}}}]", "expect: {output: {b: 1}}",
      [
        "`output.b` | 1 | null", "`output.a` | nothing | 1",
      ]
    ),
    ("[{value: 1}]", "expect: {dialog: a}", [#"`size(dialog)` | 1 | 0: []"#]),
    ("[{value: abc}]", "expect: {output: {size: 2}}", ["`size(output)` | 2 | 3"]),
    ("[{value: abc}]", "expect: {output: {contains: x}}", [#"`output` | contains "x" | "abc""#]),
    ("[{value: abc}]", "expect: {output: {matches: ^b}}", [#"`output` | matches ^b | "abc""#]),
    ("[{value: 3}]", "expect: {output: {where: self > 4}}", ["`output` | where self > 4 | 3"]),
    ("[{fail: No}]", "expect: {output: null}", ["the run failed: No [failed]"]),
    ("[{fail: No}]", "expect: {error: odd}", [#"`error` | "odd" | "failed""#]),
    ("[{value: 1}]", "expect: {error: odd}", [#"`error` | "odd" | null"#]),
    (
      "[{save: 'https://a.example'}]", "expect: {store: {Link: [{title: A}]}}",
      [#"`store.Link[0].title` | "A" | null"#]
    ),
    (
      "[{save: 'https://a.example'}]", "expect: {store: {Link: [{titel: A}]}}",
      ["`store.Link[0]` has no `titel`"]
    ),
  ])
  func failuresShowExpectedAndActual(
    steps: String, test: String, problems: [String]
  ) throws {
    #expect(try TestBed.run(steps, test).problems == problems)
  }

  @Test(arguments: [
    (
      "[{say: Hello.}]", "expect: {output: Hello.}",
      "this was said: write `expect: {dialog: Hello.}`"
    ),
    (
      "[{exec: [up]}]", "{fake: {exec: {up: {status: 3}}}, expect: {error: {status: 3}}}",
      "what the step gave is in `data`: write `data: {contains: {status: 3}}`"
    ),
    (
      "[{say: a}, {say: b}]", "expect: {dialog: {where: 'self.contains(\"a\")'}}",
      "`self` is a list here: write `self.exists(part, …)`, with `part` for each element"
    ),
  ])
  func failuresAdvise(steps: String, test: String, help: String) throws {
    #expect(try TestBed.run(steps, test).failures.map(\.help) == [help])
  }

  /// A file that a request sends is read from the fakes.
  @Test(arguments: ["file: a.png", "multipart: {f: {file: a.png}}"])
  func sentFilesAreRead(argument: String) throws {
    let steps = "[{http: {url: 'https://a.example/u', method: POST, \(argument)}}]"
    func problems(_ files: String) throws -> [String] {
      try TestBed.run(
        steps, "{fake: {files: \(files), http: {'*': ok}}, expect: {http: {size: 1}}}"
      ).problems
    }
    #expect(try problems("{a.png: x}") == [])
    #expect(try problems("{}").count == 1)
  }

  @Test(arguments: [
    ("[{exec: [git, status]}]", "the program `git status`", "`exec: {git: {stdout: …}}`"),
    ("[{read-file: a.txt}]", "the file a.txt", "`files: {a.txt: its text}`"),
    ("[{find-files: {in: photos}}]", "the file photos", "`files: {photos: its text}`"),
  ])
  func missingFakeFailsTest(steps: String, what: String, remedy: String) throws {
    // No handler in the shortcut hides the failure.
    for steps in [steps, "[{try: \(steps), catch: [{say: caught}]}]"] {
      let result = try TestBed.run(steps, "expect: {output: null}")
      #expect(result.problems == ["\(what) was used but is not faked"])
      #expect(result.failures.first?.help == "add under `fake:` \(remedy)")
    }
  }

  @Test func fakeRepliesComeInOrderAndLastRepeats() throws {
    let result = try TestBed.run(
      "[{repeat: 4, do: [{exec: [next]}]}]",
      "{fake: {exec: {next: [a, b, {stdout: c}]}}, expect: {output: [a, b, c, c]}}")
    #expect(result.problems == [])
  }

  @Test func fakeProgramsMatchCommandLines() throws {
    let result = try TestBed.run(
      "[{exec: [git, fetch]}, {exec: [git, log, -n1]}, {exec: [/usr/bin/git, push]}]",
      """
      fake: {exec: {git: any, 'git log *': logged}}
          expect:
            exec: ['git fetch', 'git log -n1', {command: [/usr/bin/git, push], stdin: '', dir: null}]
            output: any
      """)
    #expect(result.problems == [])
  }

  @Test func fakeProgramsCanFail() throws {
    let steps = """
      [{try: [{exec: [a]}], catch: [{on: exec, do: [{value: '{{ error.data.status }}'}]}]}, {exec: [b]}]
      """
    let result = try TestBed.run(
      steps,
      "{fake: {exec: {a: {status: 3, stderr: bad}, b: {fail: network}}}, expect: {error: network}}")
    #expect(result.problems == [])
  }

  @Test func waitsTakeNoRealTime() throws {
    let result = try TestBed.run(
      "[{repeat: 200, do: [{wait: 30d}]}, {wait: 25m}, {value: '{{ now() }}'}]",
      "{fake: {now: '2026-01-01T00:00:00Z'}, expect: {output: '2042-06-06T00:25:00Z'}}")
    #expect(result.problems == [])
  }

  @Test func timeoutsAndRetriesUseSimulatedTime() throws {
    let result = try TestBed.run(
      """
      [{exec: [slow], timeout: 10s, retry: {times: 2, delay: 5s, backoff: 1, jitter: 0, on: timeout}},
       {value: '{{ now().format("HH:mm:ss") }}'}]
      """,
      """
      fake: {now: '2026-01-01T00:00:00Z', exec: {slow: [{delay: 1h}, {delay: 1h}, {delay: 9s}]}}
          expect: {output: '00:00:39', exec: {size: 3}}
      """)
    #expect(result.problems == [])
  }

  /// Parallel steps run in order of their due times, deterministically.
  @Test func branchesRunInOrderOfDueTimes() throws {
    for _ in 0..<50 {
      let result = try TestBed.run(
        """
        [{for: n, in: '{{ [3, 1, 2] }}', parallel: 3, do: [
          {wait: '{{ duration(string(n) + "h") }}'}, {say: '{{ n }} at {{ now().format("H") }}'},
          {wait: 90m}, {say: '{{ n }} again at {{ now().format("H:mm") }}'}]},
         {say: 'done at {{ now().format("H:mm") }}'}]
        """,
        """
        fake: {now: '2026-01-01T00:00:00Z'}
            expect: {dialog: [1 at 1, 2 at 2, '1 again at 2:30', 3 at 3, '2 again at 3:30', '3 again at 4:30', 'done at 4:30']}
        """)
      #expect(result.problems == [])
    }
  }

  @Test func failedBranchCancelsWaitsOfOthers() throws {
    let result = try TestBed.run(
      """
      [{try: [{parallel: {long: [{wait: 100h}], short: [{wait: 1m}, {fail: now}]}}],
        catch: [{value: '{{ now().format("H:mm") }}'}]}]
      """, "{fake: {now: '2026-01-01T00:00:00Z'}, expect: {output: '0:01'}}")
    #expect(result.problems == [])
  }

  @Test func waitForItemEndsWhenBranchCreatesIt() throws {
    let result = try TestBed.run(
      """
      [{parallel: {waits: [{wait: {entity: Task}, as: task}, {value: '{{ now().format("H:mm") }}'}],
                   makes: [{wait: 2h}, {create: {entity: Task, set: {title: A}}}]}},
       {value: '{{ it.waits }}'}]
      """, "{fake: {now: '2026-01-01T00:00:00Z'}, expect: {output: '2:00'}}")
    #expect(result.problems == [])
    let never = try TestBed.run("[{wait: {entity: Task}}]", "expect: {output: null}")
    #expect(never.problems.count == 1)
    #expect(never.problems.first?.contains("no step is left that could create") == true)
    let late = try TestBed.run(
      "[{wait: {entity: Task, for: 3h}}, {value: '{{ now().format(\"H\") }}'}]",
      "{fake: {now: '2026-01-01T00:00:00Z'}, expect: {output: '3'}}")
    #expect(late.problems == [])
  }

  @Test func testFilesAreInMemory() throws {
    let result = try TestBed.run(
      """
      [{read-file: in/a.txt}, {write-file: {path: out.txt, text: '{{ it }}!'}},
       {move-file: {from: in/a.txt, to: done/}}, {trash-file: in/b.txt},
       {find-files: {in: ., deep: true}}, {value: '{{ it.map(f, f.path) }}'}]
      """,
      """
      fake: {files: {in/a.txt: hello, in/b.txt: b, ./in/../in/c.json: {json: {x: 1}}}}
          expect:
            files: {in/a.txt: null, out.txt: hello!, done/a.txt: hello, in/c.json: '{"x":1}'}
            output: {contains: [./done/a.txt, ./in/c.json]}
      """)
    #expect(result.problems == [])
    for (step, error) in [
      ("read-file: b", "not-found"), ("write-file: {path: no/b, text: x}", "not-found"),
      ("write-file: {path: no/b, text: x, parents: true}", "null"),
      ("write-file: {path: ~/b, text: x}", "null"), ("write-file: {path: d/b, text: x}", "null"),
      ("make-folder: a", "io"), ("make-folder: new/e", "null"),
    ] {
      let run = try TestBed.run(
        "[{\(step)}]", "{fake: {files: {a: x, d/: ''}}, expect: {error: \(error)}}")
      #expect(run.problems == [], "\(step)")
    }
  }

  @Test func testAnswersComeInOrderAndLastRepeats() throws {
    let result = try TestBed.run(
      "[{repeat: 3, do: [{ask: Name, as: name}]}]",
      "{answers: {name: [a, b]}, expect: {output: [a, b, b]}}")
    #expect(result.problems == [])
    let list = try TestBed.run(
      "[{ask: {prompt: Tags, type: list<string>}, as: tags}]",
      "{answers: {tags: [a, b]}, expect: {output: [a, b]}}")
    #expect(list.problems == [])
    let unanswered = try TestBed.run(
      "[{ask: Name, as: name}]", "{answers: {nam: x}, expect: {output: x}}")
    #expect(unanswered.unusedAnswers == ["nam"])
    #expect(unanswered.failures.first?.help == "answer it in the test: `answers: {name: …}`")
  }

  @Test func anEmptyListAnswersAQuestionForSeveralValues() throws {
    let result = try TestBed.run(
      "[{choose: {from: [a, b], prompt: Which, many: true}, as: x}, {value: '{{ [size(x)] }}'}]",
      "{answers: {x: []}, expect: {output: [0]}}")
    #expect(result.problems == [] && result.unusedAnswers == [])
    let one = try TestBed.run("[{ask: Name, as: x}]", "{answers: {x: []}, expect: {output: ''}}")
    #expect(
      one.failures.first?.message.contains("`x`: the list of answers is empty") == true,
      "\(one.failures)")
  }

  @Test(arguments: [
    ("input: {type: url, from: [clipboard]}", "https://a.example"),
    ("input: {type: string, from: [clipboard]}", "https://a.example"),
    ("input: {type: string, default: mine, from: [clipboard]}", "mine"),
    ("input: {type: int, default: 3}", "3"),
  ])
  func anEmptyAnswerTakesTheDefault(_ input: String, _ output: String) throws {
    let result = try TestBed.run(
      "[{value: '{{ string(input) }}'}]",
      "{fake: {clipboard: 'https://a.example'}, answers: {input: ''}, expect: {output: '\(output)'}}",
      more: input + "\n")
    #expect(result.problems == [])
  }

  @Test func notificationsReturnFakedActions() throws {
    let result = try TestBed.run(
      "[{notify: {text: Up, actions: [Later, Now]}, as: a}, {notify: {text: Up, actions: [Later]}, as: b}, {value: '{{ [a, b] }}'}]",
      "{fake: {notifications: [Now, null]}, expect: {output: [Now, null], notifications: [Up, {text: Up, actions: [Later]}]}}"
    )
    #expect(result.problems == [])
  }

  @Test func randomNumbersAreDeterministic() throws {
    let steps = "[{value: '{{ [uuid(), string(random())] }}'}]"
    let first = try TestBed.run(steps, "expect: {output: null}").problems
    #expect(try TestBed.run(steps, "expect: {output: null}").problems == first)
  }

  @Test func failuresHavePlaces() throws {
    let bed = TestBed(
      "shortcut: t\nsteps:\n  - fail: No\ntests:\n  - name: one\n    expect:\n      output: 1\n")
    let failures = try bed.result(of: "t").failures
    #expect(failures.map { $0.span?.location } == ["t.yaml:3:5", "t.yaml:7:15"])
  }

  // MARK: Automations

  private static let automation = """
    automation: t
    on:
      - changed: Task
        was: '!self.done'
        where: self.done
      - at: '08:00'
      - created: Link
        id: new-link
    steps:
      - log: >-
          {{ trigger.id }} {{ trigger.kind == "changed" ? trigger.item.title : "" }}
          {{ trigger.before == null ? "" : string(trigger.before.done) }}
          {{ trigger.time.format("HH:mm") }}
    tests:
      - TEST

    """

  private func result(_ test: String) throws -> TestResult {
    try TestBed(Self.automation.replacing("TEST", with: test)).result(of: "t")
  }

  @Test(arguments: [
    ("{item: {title: A, done: true}, was: {done: false}}", "changed A false 09:00"),
    ("{kind: at, time: '2026-11-22T08:00:00Z'}", "at   08:00"),
    ("{id: new-link, item: {url: 'https://a.example'}}", "new-link   09:00"),
  ])
  func testTriggerRunsAutomation(_ trigger: String, _ log: String) throws {
    let result = try result("{trigger: \(trigger), expect: {log: '\(log)'}}")
    #expect(result.problems == [])
  }

  @Test func unmatchedTriggerFailsTest() throws {
    let result = try result("{trigger: {item: {title: A}, was: {done: true}}, expect: {log: x}}")
    #expect(result.problems.first?.contains("triggers nothing") == true, "\(result.problems)")
  }

  /// 22 November 2026 is a Sunday.
  @Test(arguments: [
    ("{at: '08:00', days: weekdays}", "2026-11-22 08:00", false),
    ("{at: '08:00', days: weekdays}", "2026-11-23 08:00", true),
    ("{at: '08:00', days: weekdays}", "2026-11-23 11:00", false),
    ("{cron: '0 9 * * 1#4'}", "2026-11-23 09:00", true),
    ("{cron: '0 9 * * 1#4'}", "2026-11-30 09:00", false),
    ("{every: month, on: last friday, at: 9am}", "2026-11-27 09:00", true),
    ("{at: sunset}", "2026-11-27 09:00", true), ("{at: '08:00'}", "2026-11-23 08:00:20", true),
    ("{at: sunrise, location: '52.52, 13.40'}", "2026-06-21 02:43", true),
    ("{at: sunrise, location: '52.52, 13.40'}", "2026-06-21 12:00", false),
  ])
  func onlyItsOwnTimesTrigger(_ entry: String, _ time: String, _ triggers: Bool) throws {
    let bed = TestBed(
      "automation: t\non: [\(entry)]\nsteps: [{log: x}]\ntests:\n"
        + "  - {trigger: {time: '\(time)'}, expect: {log: x}}\n")
    let problems = try bed.result(of: "t").problems
    #expect(problems.isEmpty == triggers, "\(problems)")
  }
}
