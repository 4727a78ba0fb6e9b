import TestSupport
import Testing

/// A mistake from another language or tool is reported once, with what to write here.
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
    ("mkdir: a", "write `- make-folder: …`"),
    ("read-file: {path: a, parse: csv, delimiter: ';'}", "write `csv: {delimiter: ';'}`"),
    ("write-file: {path: a, text: b, mode: a}", "did you mean `append`?"),
    ("create: {entity: Task, set: {title: a}, onConflict: ignore}", "did you mean `keep`?"),
    ("find: {entity: Link, where: 'link.title == \"a\"'}", "write `self.title`"),
    ("sleep: 10", "write `- wait: 10s`"),
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
    ("automation: x\ntrigger:\n  - at: '08:00'\nsteps: [{say: a}]\n", "did you mean `on`?"),
    (
      "automation: x\nconditions: [{time: 1}]\non: [{every: 1h}]\nsteps: [{say: a}]\n",
      "`when:` beside a step"
    ),
    ("automation: x\non: push\nsteps: [{say: a}]\n", "`- every: 6h`"),
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
