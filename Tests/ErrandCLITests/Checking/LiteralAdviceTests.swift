import TestSupport
import Testing

/// Mistakes of a new user, with a part of the message and the text that its advice leads to, which
/// checks clean.
@Suite struct LiteralAdviceTests {
  /// A document with a mistake, a part of its message, and the mended document.
  struct Row: Sendable, CustomTestStringConvertible {
    let wrong: String
    let advice: String
    let right: String
    var testDescription: String { wrong }

    init(_ wrong: String, _ advice: String, _ right: String) {
      (self.wrong, self.advice, self.right) = (wrong, advice, right)
    }

    /// A shortcut with these steps.
    static func steps(_ wrong: String, _ advice: String, _ right: String) -> Row {
      func whole(_ steps: String) -> String {
        "shortcut: x\ninput: {type: string}\nsteps:\n"
          + "  - say: 'to {{ input }}'\n"
          + steps.split(separator: "\n").map { "  \($0)\n" }.joined()
      }
      return Row(whole(wrong), advice, whole(right))
    }
  }

  /// Limits that were ignored.
  static let limits: [Row] = [
    ("{type: string, min: 3}", "write `minLength` or `maxLength`", "{type: string, minLength: 3}"),
    ("{type: int, pattern: '[0-9]+'}", "`pattern` is only for texts", "{type: int}"),
    ("{type: int, minLength: 2}", "`minLength` is only for texts and lists", "{type: int}"),
    ("{type: string, values: [a, b]}", "write `type: enum`", "{type: enum, values: [a, b]}"),
    ("{type: int, values: [1, 2]}", "write `type: enum`", "{type: enum, values: [1, 2]}"),
    (
      "{type: 'list<string>', values: [a]}", "write `type: list<enum>`",
      "{type: list<enum>, values: [a]}"
    ),
    ("{type: string?, values: [a]}", "write `type: enum?`", "{type: enum?, values: [a]}"),
  ].flatMap { wrong, advice, right in
    [
      "shortcut: x\ninput: TYPE\nsteps: [{say: '{{ input }}'}]\n",
      "shortcut: x\nparameters: {a: TYPE}\nsteps: [{say: '{{ a }}'}]\n",
      "entity: Thing\nproperties: {a: TYPE}\n",
    ].map { Row($0.replacing("TYPE", with: wrong), advice, $0.replacing("TYPE", with: right)) }
  }

  /// What was silent, or silently wrong.
  static let silent: [Row] = [
    Row(
      "automation: x\non: [{file: ~/Downloads/*.pdf}]\nsteps: [{notify: hi}]\n",
      "write `file: ~/Downloads`, and beside it `match: '*.pdf'`",
      "automation: x\non: [{file: ~/Downloads, match: '*.pdf'}]\nsteps: [{notify: hi}]\n"),
    Row(
      "shortcut: x\nparameters: {name: string}\nphrases: ['get $name']\nsteps: [{say: '{{ name }}'}]\n",
      "write `{name}`",
      "shortcut: x\nparameters: {name: string}\nphrases: ['get {name}']\nsteps: [{say: '{{ name }}'}]\n"
    ),
    Row(
      "shortcut: x\nparameters: {name: string}\nphrases: ['get {thing}']\nsteps: [{say: '{{ name }}'}]\n",
      "name a parameter, such as `{name}`",
      "shortcut: x\nparameters: {name: string}\nphrases: ['get {name}']\nsteps: [{say: '{{ name }}'}]\n"
    ),
    .steps(
      "- if: now().getMonth() == 12\n  then: [{say: x}]",
      "January is 0: write `now().getMonth() + 1 == 12`",
      "- if: now().getMonth() + 1 == 12\n  then: [{say: x}]"),
    .steps(
      "- say: '{{ url_encode(input) }}'", "write `input.urlEncode()`",
      "- say: '{{ input.urlEncode() }}'"),
    .steps(
      "- if: input = \"a = b\" and size(input) > 3\n  then: [{say: x}]",
      "write `input == \"a = b\" && size(input) > 3`",
      "- if: input == \"a = b\" && size(input) > 3\n  then: [{say: x}]"),
    .steps(
      "- confirm: Sure?\n  as: sure\n- if: sure == \"yes\"\n  then: [{say: x}]", "write `sure`",
      "- confirm: Sure?\n  as: sure\n- if: sure\n  then: [{say: x}]"),
    .steps(
      "- confirm: Sure?\n  as: sure\n- if: string(sure) == \"no\"\n  then: [{say: x}]",
      "write `!sure`", "- confirm: Sure?\n  as: sure\n- if: '!sure'\n  then: [{say: x}]"),
    .steps(
      "- write-file: {path: a.json, text: {a: 1}}", "for JSON write `json: {a: 1}`",
      "- write-file: {path: a.json, json: {a: 1}}"),
    .steps("- exec: [ls, $HOME/docs]", "write `~/docs`", "- exec: [ls, ~/docs]"),
    .steps(
      "- exec: [ls, '|', wc, -l]", "write `- exec: {shell: 'ls | wc -l'}`",
      "- exec: {shell: 'ls | wc -l'}"),
    .steps("- say: saved\n  as: said\n- say: '{{ said }}'", "remove `as: said`", "- say: saved"),
    .steps(
      "- ask: {prompt: Which, type: string, values: [a, b]}", "write `type: enum`",
      "- ask: {prompt: Which, type: enum, values: [a, b]}"),
    .steps("- log: saved\n  as: said", "remove `as: said`", "- log: saved"),
    .steps(
      "- set: {n: 1}\n  as: one\n- say: '{{ n }}'", "remove `as: one`",
      "- set: {n: 1}\n- say: '{{ n }}'"),
    .steps(
      "- if: now().getMonth() in [11, 12]\n  then: [{say: x}]",
      "write `now().getMonth() + 1 in [11, 12]` to count from 1",
      "- if: now().getMonth() + 1 in [11, 12]\n  then: [{say: x}]"),
    .steps(
      "- if: now().getHours() == 24\n  then: [{say: x}]", "midnight is 0",
      "- if: now().getHours() == 0\n  then: [{say: x}]"),
    .steps(
      "- find-files: ~/Downloads/*.pdf",
      "write `- find-files: {in: ~/Downloads, match: '*.pdf'}`",
      "- find-files: {in: ~/Downloads, match: '*.pdf'}"),
    .steps(
      "- find-files: /x\n- trash-file: '{{ it }}'", "write `- for: item`, with `in: '{{ it }}'`",
      "- find-files: /x\n- for: item\n  in: '{{ it }}'\n  do: [{trash-file: '{{ item.path }}'}]"),
    .steps(
      "- find-files: /x\n- for: f\n  in: '{{ it }}'\n  do: [{trash-file: '{{ f }}'}]",
      "write `f.path`",
      "- find-files: /x\n- for: f\n  in: '{{ it }}'\n  do: [{trash-file: '{{ f.path }}'}]"),
    .steps(
      "- choose: {from: a b c}", "from: [a, b, c]", "- choose: {from: [a, b, c]}"),
    .steps(
      "- repeat: 3 times\n  do: [{say: x}]", "write `3`", "- repeat: 3\n  do: [{say: x}]"),
    .steps(
      "- value: '{{ parseCsv(input) }}'\n- say: '{{ it.map(row, row.E-mail).join(\" \") }}'",
      "write `row[\"E-mail\"]`",
      "- value: '{{ parseCsv(input) }}'\n- say: '{{ it.map(row, row[\"E-mail\"]).join(\" \") }}'"),
    .steps(
      "- for: t\n  in: {find: {entity: Task}}\n  do: [{say: '{{ t.title }}'}]",
      "write the step `- find: …` before the `for`",
      "- find: {entity: Task}\n- for: t\n  in: '{{ it }}'\n  do: [{say: '{{ t.title }}'}]"),
    .steps(
      "- exec: [ls, /x, 2>/dev/null]", "write `- exec: {shell: 'ls /x 2>/dev/null'}`",
      "- exec: {shell: 'ls /x 2>/dev/null'}"),
    Row(
      "shortcut: x\nparameters: {name: string}\nphrases: ['get ${name} now']\nsteps: [{say: '{{ name }}'}]\n",
      "write `{name}`",
      "shortcut: x\nparameters: {name: string}\nphrases: ['get {name} now']\nsteps: [{say: '{{ name }}'}]\n"
    ),
  ]

  /// Advice that was wrong when followed, or missing.
  static let advice: [Row] = [
    .steps(
      "- create:\n  entity: Task\n  set: {title: x}", "write `      entity: Task`",
      "- create:\n    entity: Task\n    set: {title: x}"),
    .steps(
      "- notify:\n  text: |\n    a\n    b", "indent what belongs to `notify`",
      "- notify:\n    text: |\n      a\n      b"),
    .steps(
      "- if: size(input) > 3 and not input == \"abcd\"\n  then: [{say: x}]",
      "write `size(input) > 3 && !(input == \"abcd\")`",
      "- if: size(input) > 3 && !(input == \"abcd\")\n  then: [{say: x}]"),
    .steps(
      "- if: input = \"a\" or input = \"b\"\n  then: [{say: x}]",
      "write `input == \"a\" || input == \"b\"`",
      "- if: input == \"a\" || input == \"b\"\n  then: [{say: x}]"),
    .steps(
      "- find: {entity: Task, where: \"title LIKE '%tax%' AND due IS NULL\"}",
      "write `title.contains(\"tax\") && due == null`",
      "- find: {entity: Task, where: 'title.contains(\"tax\") && due == null'}"),
    .steps(
      "- if: input.match(/^a/)\n  then: [{say: x}]", "write `input.matches(\"^a\")`",
      "- if: input.matches(\"^a\")\n  then: [{say: x}]"),
    .steps(
      "- try: [{http: 'https://a.example'}]\n  catch: [{on: http, where: error.status == 404, do: [{say: no}]}]",
      "write `error.data.status`",
      "- try: [{http: 'https://a.example'}]\n  catch: [{on: http, where: error.data.status == 404, do: [{say: no}]}]"
    ),
    .steps(
      "- try: [{http: 'https://a.example'}]\n  catch: [{on: 404, do: [{say: no}]}]",
      "write `on: http`, with `where: error.data.status == 404`",
      "- try: [{http: 'https://a.example'}]\n  catch: [{on: http, where: error.data.status == 404, do: [{say: no}]}]"
    ),
    .steps(
      "- http: {url: 'https://a.example', auth: 'Bearer abc'}",
      "write a mapping: {bearer: abc}",
      "- http: {url: 'https://a.example', auth: {bearer: abc}}"
    ),
    .steps(
      "- http: {url: 'https://a.example', headers: 'Accept: text/html'}",
      "write a mapping: {Accept: text/html}",
      "- http: {url: 'https://a.example', headers: {Accept: text/html}}"),
    .steps(
      "- http: {url: 'https://a.example', headers: [{Accept: text/html}]}",
      "write a mapping: {Accept: text/html}",
      "- http: {url: 'https://a.example', headers: {Accept: text/html}}"),
    .steps(
      "- create Task: {title: x}", "write `- create: {entity: Task, …}`",
      "- create: {entity: Task, set: {title: x}}"),
    .steps(
      "- return if size(input) > 3",
      "write `- return:`, and below `return` `when: size(input) > 3`",
      "- return:\n  when: size(input) > 3"),
    .steps(
      "- set: {name: total, value: 3}\n- say: '{{ total }}'", "write `set: {total: 3}`",
      "- set: {total: 3}\n- say: '{{ total }}'"),
    .steps(
      "- foreach: input.lines()\n  as: x\n  do: [{say: '{{ x }}'}]",
      "write `- for: x`, with `in: '{{ input.lines() }}'`",
      "- for: x\n  in: '{{ input.lines() }}'\n  do: [{say: '{{ x }}'}]"),
    .steps(
      "- write-file: {path: a, text: b, append: true}", "write `mode: append`",
      "- write-file: {path: a, text: b, mode: append}"),
    Row(
      "automation: x\non: [{updated: Task}]\nsteps: [{notify: hi}]\n", "write `- changed: Task`",
      "automation: x\non:\n  - changed: Task\nsteps: [{notify: hi}]\n"),
    Row(
      "automation: x\non: [{event: created, entity: Task}]\nsteps: [{notify: hi}]\n",
      "write `- created: Task`",
      "automation: x\non:\n  - created: Task\nsteps: [{notify: hi}]\n"),
    Row(
      "automation: x\non: [{created: Task, where: trigger.item.title == \"a\"}]\nsteps: [{notify: hi}]\n",
      "write `title`",
      "automation: x\non: [{created: Task, where: title == \"a\"}]\nsteps: [{notify: hi}]\n"),
    Row(
      "shortcut: x\nsteps: [{say: hi}]\ntests: [{name: a, fake: {time: '2026-01-01'}, expect: {dialog: hi}}]\n",
      "did you mean `now`?",
      "shortcut: x\nsteps: [{say: hi}]\ntests: [{name: a, fake: {now: '2026-01-01'}, expect: {dialog: hi}}]\n"
    ),
    Row(
      "shortcut: x\nsteps: [{find: Task}]\ntests: [{name: a, given: {Task: {title: a}}, expect: {output: [a]}}]\n",
      "write `Task: [{…}]`",
      "shortcut: x\nsteps: [{find: Task}]\ntests: [{name: a, given: {Task: [{title: a}]}, expect: {output: [a]}}]\n"
    ),
    .steps("- add-task: {name: x}", "did you mean `title`?", "- add-task: {title: x}"),
    Row(
      "entity: Car\nproperties: {name: string, year: int}\n---\nshortcut: x\nsteps:\n"
        + "  - create: {entity: Car, name: Beetle, year: 1960}\n",
      "write `- create: {entity: Car, set: {name: Beetle, year: 1960}}`",
      "entity: Car\nproperties: {name: string, year: int}\n---\nshortcut: x\nsteps:\n"
        + "  - create: {entity: Car, set: {name: Beetle, year: 1960}}\n"),
    .steps(
      "- find: {entity: Task, where: tags.exists(t, t == \"a\")}",
      "where: 'tags.exists(t, t == \"a\")'}",
      "- find: {entity: Task, where: 'tags.exists(t, t == \"a\")'}"),
    .steps(
      "- if: 'true'\n  then: [{say: a, b and c}]", "[{say: 'a, b and c'}]",
      "- atomic: [{say: 'a, b and c'}]"),
    .steps(
      "- run: |\n    make\n    make test", "write `- exec:`, and below it `shell: |`",
      "- exec:\n    shell: |\n      make\n      make test"),
    .steps("- delay: '00:05:00'", "write `- wait: 5m`", "- wait: 5m"),
    .steps("- sleep: 01:30", "write `- wait: 1m30s`", "- wait: 1m30s"),
    .steps("- wait: until tomorrow", "write `{until: tomorrow}`", "- wait: {until: tomorrow}"),
    .steps(
      "- block: [{say: a}]\n  rescue: [{say: b}]", "write `- try: …`",
      "- try: [{exec: [a]}]\n  catch: [{say: b}]"),
    .steps(
      "- foreach: input.lines()", "write `- for: item`, with `in: '{{ input.lines() }}'` and `do:`",
      "- for: item\n  in: '{{ input.lines() }}'\n  do: [{say: '{{ item }}'}]"),
    .steps(
      "- value: 0\n  as: n\n- set: {n: '{{ n + 1 }}'}\n- say: '{{ n }}'",
      "begin with `- set: {n: …}` instead of `as: n`",
      "- set: {n: 0}\n- set: {n: '{{ n + 1 }}'}\n- say: '{{ n }}'"),
    .steps(
      "- http: {url: 'https://a.example', headers: ['Accept: text/html']}",
      "write a mapping: {Accept: text/html}",
      "- http: {url: 'https://a.example', headers: {Accept: text/html}}"),
    .steps(
      "- exec: {command: [a], env: [A=b]}", "write a mapping: {A: b}",
      "- exec: {command: [a], env: {A: b}}"),
    .steps(
      "- find: {entity: Task, where: {done: false, title: a b}}",
      "write `where: done == false && title == \"a b\"`",
      "- find: {entity: Task, where: 'done == false && title == \"a b\"'}"),
    .steps(
      "- find: {entity: Task, where: \"title LIKE '%tax%' AND done = false\"}",
      "write `title.contains(\"tax\") && done == false`",
      "- find: {entity: Task, where: 'title.contains(\"tax\") && done == false'}"),
    .steps(
      "- say: '{{ tomorrow() }}'", "write `today().addDays(1)`", "- say: '{{ today().addDays(1) }}'"
    ),
    .steps(
      "- say: '{{ input.slice(0, 3) }}'", "write `input.substring(0, 3)`",
      "- say: '{{ input.substring(0, 3) }}'"),
    .steps("- errand.save: https://a.example", "did you mean `save`?", "- save: https://a.example"),
    Row(
      "shortcut: x\non: [push]\nsteps: [{say: hi}]\n", "write `automation: NAME`",
      "automation: x\non: [{every: 6h}]\nsteps: [{notify: hi}]\n"),
    Row(
      "automation: x\non: [{every: '*/5 * * * *'}]\nsteps: [{notify: hi}]\n",
      "write `cron: '*/5 * * * *'`",
      "automation: x\non: [{cron: '*/5 * * * *'}]\nsteps: [{notify: hi}]\n"),
    Row(
      "shortcut: x\nsteps: [{say: hi}]\ntests: [{name: a, fake: {exec: {git, status: ok}}, expect: {dialog: hi}}]\n",
      "a name with a comma takes quotes",
      "shortcut: x\nsteps: [{say: hi}]\ntests: [{name: a, fake: {exec: {'git, status': ok}}, expect: {dialog: hi}}]\n"
    ),
    Row(
      "shortcut: x\nphrases: [greet me]\nsteps: [{say: hi}]\ntests: [{say: greet me, expect: x}]\n",
      "write `expect: {intent: x}`",
      "shortcut: x\nphrases: [greet me]\nsteps: [{say: hi}]\ntests: [{say: greet me, expect: {intent: x}}]\n"
    ),
  ]

  @Test(arguments: limits + silent + advice)
  func adviceLeadsToTheMendedText(_ row: Row) throws {
    let sandbox = try Sandbox(["wrong.yaml": row.wrong, "right.yaml": row.right])
    let wrong = try sandbox.run("check", "wrong.yaml")
    #expect(wrong.out.contains(row.advice), "\(row.wrong)\n\(wrong.out)")
    let right = try sandbox.run("check", "right.yaml")
    #expect((right.out + right.err).contains(": nothing found."), "\(row.right)\n\(right.out)")
  }

  /// A condition that excludes null holds for the items in later steps.
  @Test(arguments: [
    "- find: {entity: Task, where: '!done && due < today()'}\n  as: late\n"
      + "- say: '{{ late.map(t, t.due.format(\"d\")).join(\" \") }}'",
    "- find: {entity: Task, where: due != null}\n- for: t\n  in: '{{ it }}'\n"
      + "  do: [{say: '{{ t.due.format(\"d\") }}'}]",
    "- find: {entity: Task, where: due != null, first: true}\n  as: t\n"
      + "- say: '{{ t.due.format(\"d\") }}'\n  when: t != null",
  ])
  func conditionOfAFindTellsLaterSteps(_ steps: String) throws {
    let row = Row.steps(steps, "", steps)
    let sandbox = try Sandbox([
      "x.yaml": row.right,
      "y.yaml": row.right.replacing("due < today()", with: "done").replacing(
        "where: due != null", with: "where: done"),
    ])
    #expect(try sandbox.run("check", "x.yaml").err.contains(": nothing found."))
    #expect(try sandbox.run("check", "y.yaml").out.contains("expression-maybe-null"))
  }

  @Test func unusedFakesAreTold() throws {
    let sandbox = try Sandbox([
      "x.yaml": """
      shortcut: x
      steps:
        - exec: [git, status]
        - notify: {text: hi, via: mail}
        - http: {url: 'https://a.example/', method: POST, json: {title: a}}
        - value: done
      tests:
        - name: fakes
          fake:
            exec: {git: ok, gti status: x}
            http: {'POST https://a.example/': {json: {}}}
            files: {a: b}
            secrets: {X: abcdef}
          expect: {notifications: [{via: mail}], http: [{body: {title: a}}]}
      """
    ])
    let run = try sandbox.run("test", "x.yaml")
    #expect(run.status == 0, "\(run)")
    let told = run.out.split(separator: "\n").filter { $0.contains("nothing used the fake") }
    #expect(
      told
        == ["exec: gti status", "files: a", "secrets: X"].map {
          "    nothing used the fake “\($0)”"
        }, "\(run)")
  }

  /// A sentence of a test is understood by the items that are given, as for a person.
  @Test func sentenceFitsTheItemThatIsGiven() throws {
    let sandbox = try Sandbox([
      ".config/errand/x.yaml": """
      entity: Grocery
      identity: name
      properties: {name: string}
      display: {title: '{{ self.name }}'}
      ---
      shortcut: bought
      input: {type: Grocery}
      phrases: ['cross {input} off the list']
      steps: [{delete: '{{ input }}'}]
      tests:
        - say: cross rolls off the list
          given: {Grocery: [{name: rolls}]}
          expect: {intent: bought}
      """
    ])
    let run = try sandbox.run("test", ".config/errand/x.yaml")
    #expect(run.status == 0, "\(run)")
  }

  /// A word after a program is a command of its own, as in `git branch`.
  @Test func wordAfterAProgramIsNoName() throws {
    let steps = "for: branch\n    in: '{{ [\"a\"] }}'\n    do: [{exec: [git, branch, -d, WORD]}]"
    let text = "shortcut: x\nsteps:\n  - \(steps)\n"
    let sandbox = try Sandbox([
      "x.yaml": text.replacing("WORD", with: "'{{ branch }}'"),
      "y.yaml": text.replacing("WORD", with: "branch"),
    ])
    #expect(try sandbox.run("check", "x.yaml").err.contains(": nothing found."))
    #expect(try sandbox.run("check", "y.yaml").out.contains("[W203]"))
  }

  /// A phrase of a project that a built-in one always beats is reported; a file is judged as if it were
  /// one of the person's own.
  @Test func phraseOfAProjectThatLosesIsReported() throws {
    let text = "shortcut: x\nphrases: [show my tasks today]\nsteps: [{say: hi}]\n"
    let sandbox = try Sandbox([".errand/x.yaml": text, "y.yaml": text])
    #expect(try sandbox.run("trust", ".").status == 0)
    #expect(try sandbox.run("check", ".errand/x.yaml").out.contains("[W302]"))
    #expect(try sandbox.run("check", "y.yaml").err.contains(": nothing found."))
  }

  /// A pattern with a folder in it looks into that, without `deep`.
  @Test func patternWithAFolderLooksIntoIt() throws {
    let sandbox = try Sandbox([
      "x.yaml": "shortcut: x\nsteps:\n  - find-files: {in: ., match: '**/*.log'}\n"
        + "  - say: '{{ it.map(f, f.name).join(\" \") }}'\n",
      "logs/a.log": "a", "logs/old/b.log": "b",
    ])
    #expect(try sandbox.run("run", "x.yaml", "--allow", "read:.").err == "a.log b.log\n")
  }

  /// The path in a test of an automation must fit its `match`.
  @Test func testOfAFileTriggerHonoursTheMatch() throws {
    let sandbox = try Sandbox([
      "x.yaml": """
      automation: x
      on: [{file: ~/D, match: '*.pdf'}]
      steps: [{notify: '{{ trigger.path }}'}]
      tests:
        - {trigger: {path: ~/D/a.pdf}, expect: {notifications: ~/D/a.pdf}}
        - {trigger: {path: ~/D/a.txt}, expect: {notifications: ~/D/a.txt}}
      """
    ])
    let run = try sandbox.run("test", "x.yaml")
    #expect(run.out.contains("no `match` of `on` fits “a.txt”"), "\(run)")
    #expect(run.out.contains("1 of 2 tests failed"), "\(run)")
  }

  /// Expectations that a test takes otherwise than they are meant, with the advice.
  @Test(arguments: [
    ("add-task: a", "store: {Task: 1}", "write `{size: 1}`"),
    ("fail: It broke", "error: It broke", "write `{message: It broke}`"),
    ("value: 3", "output: {gt: 2}", "`{where: self > 2}`"),
  ])
  func expectationIsExplained(_ step: String, _ expectation: String, _ advice: String) throws {
    let sandbox = try Sandbox([
      "x.yaml":
        "shortcut: x\nsteps: [{\(step)}]\ntests: [{name: a, expect: {\(expectation)}}]\n"
    ])
    let run = try sandbox.run("test", "x.yaml")
    #expect(run.status != 0 && run.out.contains(advice), "\(run)")
  }

  @Test func emptyListAnswersAQuestionForSeveral() throws {
    let sandbox = try Sandbox([
      "x.yaml": """
      shortcut: x
      steps:
        - ask: {prompt: Which, type: list<string>}
          as: names
        - say: '{{ size(names) }}'
      tests: [{name: a, answers: {names: []}, expect: {dialog: '0'}}]
      """
    ])
    let run = try sandbox.run("test", "x.yaml")
    #expect(run.status == 0, "\(run)")
  }

  @Test func answerForAnAddressNeedsNoScheme() throws {
    let sandbox = try Sandbox([
      "x.yaml": """
      shortcut: x
      steps:
        - ask: {prompt: Where, type: url}
          as: site
        - say: '{{ site }}'
      tests: [{name: a, answers: {site: ada.org}, expect: {dialog: 'https://ada.org'}}]
      """
    ])
    let run = try sandbox.run("test", "x.yaml")
    #expect(run.status == 0, "\(run)")
  }
}
