import TestSupport
import Testing

/// A mistake from another language or tool is reported once, with the correct notation.
@Suite struct ForeignNotationTests {
  /// Expressions, as the value of a step.
  @Test(arguments: [
    ("1 not in [1]", "write `!(1 in [1])`"), ("now() + 5m", "write `minutes(5)`"),
    (#""a b".split(/ /)"#, #"write `"a b".split(" ")`"#),
    ("`a${1}`", #"write `"a" + string(1)`"#), ("x := 1", "- set: {x: '{{ 1 }}'}"),
    ("x += 2", "- set: {x: '{{ x + 2 }}'}"), ("1++", "write `1 + 1`"),
    ("[2,1].sorted()", "write `[2, 1].sort()`"), ("range(3)", "write `lists.range(3)`"),
    ("1 # one", "no comments"), ("Math.max(1, 2)", "write `math.greatest(1, 2)`"),
    (#"JSON.parse("{}")"#, #"write `parseJson("{}")`"#),
    (#""abc"[0]"#, #"write `"abc".charAt(0)`"#),
    ("1 === 1", "write `1 == 1`"), ("now() > 2026-01-02", #"date("2026-01-02")"#),
    (#"ENV["HOME"]"#, #"write `env("HOME")`"#), ("1_000", "write `1000`"), ("0b101", "write `5`"),
    (#"[1,2].join(",")"#, #"write `[1, 2].map(x, string(x)).join(",")`"#),
    (#"{"a":1}.items()"#, ".map(k, …)"),
    (#""%s-%s".format("a","b")"#, #".format(["a", "b"])`"#),
    (#""a b".title()"#, #".changeCase("title")`"#),
    (#"now().strftime("%Y")"#, #"write `now().format("yyyy")`"#),
    (#""a" | title"#, "changeCase"),
    ("2 between 1 and 3", "write `2 >= 1 && 2 <= 3`"),
    ("1 -eq 1", "write `1 == 1`"), ("1 is odd", "write `1 % 2 == 1`"),
    ("it is not defined", "write `it == null`"),
    ("[1].map(x => x + 1)", "write `[1].map(x, x + 1)`"),
    ("[1].filter((x) => x > 0)", "write `[1].filter(x, x > 0)`"),
    ("[1].map(lambda x: x)", "write `[1].map(x, x)`"), ("{ 1 }", "write `1`"),
    ("- 1 -", "write `1`"), ("new Date()", "write `now()`"), ("Date()", "write `now()`"),
    ("typeof 1", "write `type(1)`"), ("let x = 1", "- set: {x: '{{ 1 }}'}"),
    (#"f"a{1}""#, #"write `"a" + string(1)`"#), ("[...[1], 2]", "as in `a + [b]`"),
    (#""a" ~ "b""#, #"write `"a" + "b"`"#),
    (#""a b" | trim | upper"#, #"write `"a b".trim().changeCase("upper")`"#),
    (#"[{"a": 1}] | map(attribute="a") | list"#, #"write `[{"a": 1}].map(x, x.a)`"#),
    ("now() - timedelta(days=1)", "write `now() - days(1)`"),
    ("math.round(1.2, digits=2)", "write `math.round(1.2 * 100.0) / 100.0`"),
    (#"(1 = 2)"#, "write `(1 == 2)`"), ("[1].exists(x, x = 1)", "write `[1].exists(x, x == 1)`"),
    ("$HOME", #"write `env("HOME")`"#), ("$json.title", "the step before is `it`"),
    (#""{} x".format(1)"#, #"write `"%s x".format([1])`"#),
    (#"format("{0} x", 1)"#, #"write `"%s x".format([1])`"#),
    ("contains([1], 1)", "write `1 in [1]`"), (#"",".join(["a"])"#, #"write `["a"].join(",")`"#),
    (#"fromJSON("{}")"#, #"write `parseJson("{}")`"#), (#"[1][ "0" ]"#, "write `0`"),
    (#""1".padStart(2, "0")"#, #"write `"%02d".format([int("1")])`"#),
    (#"states("a")"#, "is read by its API: write `- http: …`"),
    ("loop.index", "`index: i` beside the `for`"),
    ("github.actor", #"write `env("USER")`"#), ("yes", "write `true`"),
  ])
  func expressionIsRewritten(_ expression: String, _ advice: String) throws {
    let quoted = expression.replacing("'", with: "''")
    try expect(advice, in: "shortcut: x\nsteps:\n  - value: '{{ \(quoted) }}'\n")
  }

  /// Lines of steps.
  @Test(arguments: [
    ("save: {url: 'https://a.example', tags: [#todo]}", "tags: ['#todo']"),
    ("say: |\n    hi\n   ho", "must be indented further than `say`"),
    ("say: >\n    {{ 1 }}\n    items", "must be indented further than `say`"),
    ("say: |\n      hi\n     ho", "belongs to the text below `|` (line 3)"),
    ("say: “hi”", "write straight quotes: - say: 'hi'"),
    ("say:\u{A0}hi", "a no-break space (U+00A0)"),
    ("value: '{% for x in [1] %}{{ x }}{% endfor %}'", "a text has no blocks"),
    ("value: '{{#if it}}a{{/if}}'", "a text has no blocks"),
    ("say: a\n    catch: [{say: b}]", "write `- try: [{say: a}]`, with `catch:`"),
    ("finally: [{say: b}]", "write `- try: …`"),
    ("set: a = 1", "write `- set: {a: 1}`"),
    ("http: {get: 'https://a.example'}", "write `url: https://a.example`"),
    ("http: {post: 'https://a.example'}", "method: POST"),
    ("mkdir: a", "write `- make-folder: a`"),
    ("read-file: {path: a, parse: csv, delimiter: ';'}", "write `csv: {delimiter: ';'}`"),
    ("write-file: {path: a, text: b, mode: a}", "did you mean `append`?"),
    ("create: {entity: Task, set: {title: a}, onConflict: ignore}", "did you mean `keep`?"),
    ("find: {entity: Link, where: 'link.title == \"a\"'}", "write `self.title`"),
    ("sleep: 10", "write `- wait: 10s`"),
    ("run: |\n      a b\n      c", "write `- exec:`, and below it `shell: |`"),
    ("say: a\n    if: ${{ 1 == 2 }}", "write `when: 1 == 2`"),
    ("if: ['{{ 1 == 2 }}']\n    then: [{say: a}]", "write `if: 1 == 2`"),
    ("block: [{say: a}]\n    rescue: [{say: b}]", "write `- try: …`"),
    ("say: a\n    needs: b", "remove `needs`"),
    ("find:\n    entity: Link\n    limit: 3", "write `      entity: Link`"),
    ("repeat:\n      count: 3\n      sequence: [{say: a}]", "write `- repeat: 3`"),
    ("menu: {prompt: Which?, options: {a: [{say: a}]}}", "write `- menu: Which?`"),
    ("Get Contents of URL: a", "write `- http:"),
    ("Show Result: a", "did you mean `show`?"), ("Ask for Input: a", "write `- ask: …`"),
    ("errand add-task: a", "did you mean `add-task`?"),
    ("open_url: 'https://a.example'", "did you mean `open-url`?"),
    ("quick-look: a", "write `- show: a`"),
    ("for: x\n    in: 5\n    do: [{say: '{{ x }}'}]", "lists.range(5)"),
    ("for: x\n    in: 1, 2\n    do: [{say: '{{ x }}'}]", "write `[1, 2]`"),
    ("http: https://a.example\n    timeout: 30", "write the unit: `30s`"),
    ("find: {entity: Link, where: {title: a}}", "write `where: title == \"a\"`"),
    ("find: {entity: Link, sort: [title, desc]}", "write `sort: -title`"),
    ("if:\n    then: [{say: a}]", "such as `it != null`"),
    ("if: > 5\n    then: [{say: a}]", "put the value in quotes: - if: '> 5'"),
    ("say: \"C:\\Users\"", "write the backslash twice"),
    ("say: \"{{ \"a\" }}\"", "- say: '{{ \"a\" }}'"),
    ("say: a\n   - say: b", "begin it with 2 spaces: `  - say: b`"),
    ("http:\n      url: https://a.example\n     method: POST", "`      method: POST`"),
    ("add-task:\n      title: #1 thing", "title: '#1 thing'"),
    ("save:\n      url: https://a.example\n      tags:\n        - #todo", "- '#todo'"),
  ])
  func stepIsRewritten(_ step: String, _ advice: String) throws {
    try expect(advice, in: "shortcut: x\nsteps:\n  - \(step)\n")
  }

  /// Whole documents.
  @Test(arguments: [
    ("shortcut: x\nsteps:\n\u{A0}\u{A0}- say: hi\n", "a no-break space (U+00A0)"),
    ("- shortcut: x\n  steps: [{say: a}]\n", "remove the `- ` in front of `shortcut:`"),
    ("shortcut = \"x\"\n[steps]\n", "write `shortcut: x`"),
    ("print(\"hi\")\n", "this looks like a program"),
    (
      "alias: x\ntrigger:\n  - platform: time\naction:\n  - service: notify\n",
      "write `automation: x` for `alias:`, `on:` for `trigger:` and `steps:` for `action:`"
    ),
    (
      "shortcut: x\nsteps:\n  - update: {entity: Task, id: 1, set: {done: true}}\n",
      "write `item: 'task:1'` instead of `entity` and `id`"
    ),
    (
      "automation: x\ntrigger:\n  - at: '08:00'\nsteps: [{say: a}]\n", "write `on: [{at: '08:00'}]`"
    ),
    (
      "automation: x\nconditions: [{time: 1}]\non: [{every: 1h}]\nsteps: [{say: a}]\n",
      "`when:` beside a step"
    ),
    ("automation: x\non: push\nsteps: [{say: a}]\n", "`- webhook: push`"),
    (
      "automation: x\non:\n  schedule:\n    - cron: '0 0 * * *'\nsteps: [{say: a}]\n",
      "write `on: [{cron: '0 0 * * *'}]`"
    ),
    (
      "automation: x\non: [{created: Link}]\nsteps: [{notify: '{{ trigger.title }}'}]\n",
      "write `trigger.item.title`"
    ),
    ("shortcut: x\nsteps: [{say: a}]\ntests:\n  - expect: a\n", "write `expect: {output: a}`"),
    (
      "shortcut: x\nsteps: [{say: a}]\ntests:\n  a: {expect: {dialog: a}}\n",
      "write `tests: [{name: a, expect: {…}}]`"
    ),
    (
      "shortcut: x\nparameters: {a: {type: int, min: 5, max: 1}}\nsteps: [{say: '{{ a }}'}]\n",
      "swap the two"
    ),
    ("entity: Foo\nproperties: {a: {type: int, search: 3}}\n", "`search` is only for texts"),
    (
      "entity: Foo\nproperties: {a: {type: timestamp, default: now}}\n",
      "“now” is another moment each time"
    ),
    (
      "shortcut: x\nsteps: [{find: {entity: Link, sort: {title: desc}}}]\n",
      "write `sort: title`, or `sort: -title`"
    ),
    (
      "shortcut: x\nparameters:\n  - name: string\nsteps: [{say: a}]\n",
      "remove the `- ` before `name:`"
    ),
    (
      "shortcut: x\nsteps:\n  - find: Link\n    where: favourite\n",
      "write `- find: {entity: Link, where: favourite}`"
    ),
    ("shortcut: x\nsteps = []\n", "write `steps: []`"),
    ("shortcut: x\n[[steps]]\nsay = \"hi\"\n", "write `steps:`"),
    ("{\n  // hi\n  \"shortcut\": \"x\", \"steps\": [{\"say\": \"a\"}]}\n", "write `# hi`"),
    ("{\"shortcut\": \"x\" \"steps\": [{\"say\": \"a\"}]}\n", "write `, ` before this"),
    ("shortcut: x\nsteps:\n  – say: hi\n", "write `- say: hi`"),
    ("shortcut: x\nparameters: {n: ?string}\nsteps: [{say: '{{ n }}'}]\n", "'string?'"),
    ("#!/bin/sh\necho hi\n", "this is a script"),
    ("- hosts: all\n  tasks: [{debug: a}]\n", "`steps:` for `tasks:`"),
    ("shortcut: {alias: x}\n", "write `shortcut: name`, and below it"),
    ("shortcut: x\nvariables: {a: 1}\nsteps: [{say: '{{ a }}'}]\n", "`a: {type: int, value: 1}`"),
    (
      "shortcut: x\nvars: {a: {type: int, value: 1}}\nsteps: [{say: '{{ a }}'}]\n",
      "did you mean `variables`?"
    ),
    (
      "shortcut: x\nparameters: {n: {type: [string, 'null']}}\nsteps: [{say: '{{ n }}'}]\n",
      "write `type: 'string?'`"
    ),
    (
      "shortcut: x\nparameters: {n: {type: string, enum: [a, b]}}\nsteps: [{say: '{{ n }}'}]\n",
      "write `{type: enum, values: [a, b]}`"
    ),
    ("entity: Foo\nproperties: {a: {type: string, unique: true}}\n", "write `identity: a`"),
    ("automation: x\non: [{changed: {entity_id: Link}}]\nsteps: [{log: a}]\n", "`changed: Link`"),
    ("automation: x\non: [{changed: Task.done}]\nsteps: [{log: a}]\n", "write `Task`"),
    ("automation: x\non: [{every: 60}]\nsteps: [{log: a}]\n", "`60s` or `60m`"),
    ("automation: x\non: [{at: '8:00', days: 'mon,tue'}]\nsteps: [{log: a}]\n", "`[mon, tue]`"),
    ("shortcut: x\nsteps: [{say: a}]\ntests: [{dialog: a}]\n", "write `expect: {dialog: …}`"),
    (
      "automation: x\non: [{created: Link}]\nsteps: [{log: '{{ item.title }}'}]\n",
      "write `trigger.item`"
    ),
  ])
  func documentIsRewritten(_ text: String, _ advice: String) throws { try expect(advice, in: text) }

  private func expect(_ advice: String, in text: String) throws {
    let run = try Sandbox(["x.yaml": text]).run("check", "x.yaml")
    #expect(run.out.contains(advice), "\(text)\n\(run.out)")
    #expect(run.err.contains(": 1 error, 0 warnings"), "\(text)\n\(run.out)")
  }

  @Test func ownEntityWithoutWhatABuiltInOneHasIsReportedAtItsLine() throws {
    let entity = "entity: Counter\nidentity: name\nproperties: {name: string, value: int}\n"
    let sandbox = try Sandbox([".config/errand/mine.yaml": entity])
    let file = sandbox.path + "/.config/errand/mine.yaml"
    for words in [["check"], ["check", file], ["check", "invoice-number"]] {
      let run = try sandbox.run(words)
      #expect(run.out.contains("mine.yaml:1:9: error: this replaces the built-in entity `Counter`"))
      #expect(run.out.contains("`invoice-number`") && run.out.contains("add `count: int`"))
      #expect(run.err.contains(" 1 error, "), "\(run)")
    }
    #expect(try sandbox.run("doctor").out.contains(", 1 with mistakes"))
  }

  @Test func fileOfTheOwnLayerRunsAsThatLayer() throws {
    let sandbox = try Sandbox([
      ".config/errand/mine.yaml":
        "shortcut: greet\nsteps:\n  - exec: [echo, hello]\n  - say: '{{ it }}'\n",
      ".config/errand/things.yaml": "entity: Thing\nproperties: {name: string}\n",
    ])
    let run = try sandbox.run("run", sandbox.path + "/.config/errand/mine.yaml")
    #expect(run.status == 0 && (run.out + run.err).contains("hello"), "\(run)")
    let other = try sandbox.run("run", sandbox.path + "/.config/errand/things.yaml")
    #expect(other.err.contains("errand find Thing"), "\(other)")
  }

  @Test func textExpectedOfAListSaysHowToAskForAPart() throws {
    let sandbox = try Sandbox([
      "t.yaml": """
      shortcut: t
      steps: [{value: [hello world]}]
      output: '{{ it }}'
      tests: [{name: says, expect: {output: {contains: hello}}}]
      """
    ])
    let run = try sandbox.run("test", "t.yaml")
    #expect((run.out + run.err).contains("write `[{contains: hello}]`"), "\(run)")
  }
}
