import Catalog
import Source
import Store
import Testing
import YAML

@testable import Engine
@testable import Program

/// Warnings are reported at their places, and intended code has none.
@Suite struct DoubtTests {
  /// The diagnostics of a text as `id line:column`, and the place of its mark `«`.
  static func findings(_ marked: String) throws -> (found: [String], mark: String?) {
    let lines = marked.split(separator: "\n", omittingEmptySubsequences: false)
    let mark = lines.firstIndex { $0.contains("«") }.map { line in
      "\(line + 1):\(lines[line].prefix { $0 != "«" }.count + 1)"
    }
    let catalog = DefinitionCatalog()
    let file = SourceFile(
      name: "test.yaml", text: marked.replacing("«", with: "").replacing("»", with: ""))
    catalog.add(file, to: .file)
    let workspace = Workspace(
      catalog: catalog, host: FakeWorld().host(keyPath: nil), reportsWarnings: true
    ) { try Database(at: .memory, context: $0) }
    let findings = catalog.definitions(in: file).flatMap { kind, name in
      kind == .entity
        ? workspace.findings(inEntity: name) : workspace.findings(inAction: name)
    }
    return (
      findings.map { "\($0.id) \($0.span?.position.line ?? 0):\($0.span?.position.column ?? 0)" },
      mark
    )
  }

  /// Expects one diagnostic with an ID at the mark; without an ID expects none.
  private func expect(_ id: String?, in marked: String) throws {
    let (found, mark) = try Self.findings(marked)
    #expect(found == (id.map { ["\($0) \(mark ?? "")"] } ?? []))
  }

  // MARK: Names of types

  @Test(arguments: [
    "string", "int", "uint", "bool", "bytes", "map", "type", "double", "list", "dyn",
  ])
  func variableNamedLikeTypeIsWarned(_ name: String) throws {
    for marked in [
      "shortcut: t\nparameters: {«\(name): any}\nsteps:\n  - say: '{{ \(name) }}'\n",
      "shortcut: t\nvariables: {«\(name): {type: any, value: 1}}\nsteps:\n  - say: '{{ \(name) }}'\n",
      "shortcut: t\nsteps:\n  - recent:\n    as: «\(name)\n  - say: '{{ \(name).map(l, l.url) }}'\n",
      "shortcut: t\nsteps:\n  - set: {«\(name): {a: 1}}\n  - say: '{{ \(name).a + 1 }}'\n",
      "shortcut: t\nsteps:\n  - for: «\(name)\n    in: [1]\n    do: [{say: '{{ \(name) }}'}]\n",
      "shortcut: t\nsteps:\n  - repeat: 2\n    index: «\(name)\n    do: [{say: '{{ \(name) + 1 }}'}]\n",
      "shortcut: t\nsteps:\n  - try: [{say: x}]\n    catch:\n      - as: «\(name)\n"
        + "        do: [{say: '{{ \(name).message }}'}]\n",
    ] {
      try expect("reserved-name", in: marked)
    }
  }

  /// Properties and macro variables may have the names of types.
  @Test func propertiesAndMacroVariablesMayBeNamedLikeTypes() throws {
    try expect(
      nil,
      in: """
        entity: Animal
        properties: {type: string, list: 'list<string>'}
        display: {title: '{{ self.type }}'}
        ---
        shortcut: t
        steps:
          - find: {entity: Animal, where: 'type == "cat" && "tame" in list && self.type != ""'}
          - say: '{{ it.map(type, type.type) }}'
        """)
    let (found, _) = try Self.findings("shortcut: t\nsteps: [{say: '{{ type(1) == int }}'}]\n")
    #expect(found == [])
  }

  // MARK: Questions in automations

  @Test(arguments: [
    "- «ask: Who?", "- «choose: [a, b]", "- «confirm: Really?",
    "- «menu: What?\n  options: {a: [stop]}",
    "- «delete: '{{ trigger.item }}'", "- «greet", "- «greet-twice", "- «add-task",
    "- «run: greet", "- if: trigger.time != null\n  then:\n    - «ask: Who?",
    "- try: [«{ask: Who?}]\n  catch: [{on: network, do: [{log: x}]}]",
    "- «ask: {prompt: Who?, default: me}",
  ])
  func questionInAutomationIsWarned(_ steps: String) throws {
    try expect("W210", in: Self.automation(steps))
  }

  @Test(arguments: [
    "- confirm: {prompt: Really?, optional: true}",
    "- delete: {item: '{{ trigger.item }}', confirm: false}", "- maybe-greet",
    "- add-task: {title: x}", "- add-task: x", "- run: {name: add-task, input: x}",
    "- try: [{ask: Who?}]\n  catch: [{log: x}]",
    "- try: [{ask: Who?}]\n  catch: [{on: needs-value, do: [{log: x}]}]",
    "- notify: {text: x, actions: [a]}",
  ])
  func answeredQuestionInAutomationIsNotWarned(_ steps: String) throws {
    try expect(nil, in: Self.automation(steps))
  }

  private static func automation(_ steps: String) -> String {
    let indented = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    return "automation: t\non: [{created: Link}]\nsteps:\n\(indented)\n" + """
      ---
      shortcut: greet
      steps:
        - ask: Who?
          as: name
        - say: Hello, {{ name }}.
      ---
      shortcut: greet-twice
      steps: [greet, greet]
      ---
      shortcut: maybe-greet
      steps:
        - greet:
          when: now().getHours() > 8

      """
  }

  // MARK: What sets an automation off

  @Test(arguments: [
    ("every: 1d", "item"), ("every: 1d", "before"), ("every: 1d", "path"),
    ("created: Link", "before"), ("created: Link", "path"), ("changed: Link", "path"),
    ("file: ~/Downloads", "item"), ("share: [url]", "before"),
  ])
  func fieldOfOtherTriggerIsWarned(_ trigger: String, _ field: String) throws {
    try expect(
      "W211",
      in: "automation: t\non: [{\(trigger)}]\nsteps:\n  - log: '{{ «trigger.\(field) }}'\n")
  }

  @Test(arguments: [
    ("every: 1d", "trigger.time"), ("created: Link", "trigger.item.url"),
    ("changed: Link", "trigger.before.url"), ("file: ~/Downloads", "trigger.path"),
    ("share: [url]", "trigger.item.url"), ("every: 1d}, {created: Link", "trigger.item.url"),
    ("every: 1d", "trigger.item == null"), ("every: 1d", "has(trigger.item.url)"),
  ])
  func fieldOfTriggerIsNotWarned(_ trigger: String, _ expression: String) throws {
    try expect(
      nil, in: "automation: t\non: [{\(trigger)}]\nsteps:\n  - log: '{{ \(expression) }}'\n")
  }

  // MARK: Codes

  @Test(arguments: [
    "- try: [{log: x}]\n  catch: [{on: «netwrk, do: [{log: x}]}]",
    "- log: x\n  retry: {times: 1, on: [network, «gone]}",
    "- try: [{raise}]\n  catch: [{on: [mine, «yours], do: [{log: x}]}]",
    "- try: [{fail: '{{ \"a\" + \"b\" }}'}]\n  catch: [{on: «mine, do: [{fail: '{{ error }}'}]}]",
  ])
  func unraisedCodeIsWarned(_ steps: String) throws {
    try expect("W212", in: Self.shortcut(steps.replacing("{raise}", with: "raise")))
  }

  @Test(arguments: [
    "- try: [{log: x}]\n  catch: [{on: [network, timeout, suspended], do: [{log: x}]}]",
    "- try: [raise]\n  catch: [{on: mine, do: [{log: x}]}]",
    "- try: [{fail: {message: x, code: mine}}]\n  catch: [{on: mine, do: [{log: x}]}]",
    "- try: [{fail: {message: x, code: '{{ run.id }}'}}]\n  catch: [{on: mine, do: [{log: x}]}]",
    "- try: [{run: '{{ run.id }}'}]\n  catch: [{on: mine, do: [{log: x}]}]",
    "- exec: {command: [cat], parse: json}\n- try: [{fail: '{{ it }}'}]\n"
      + "  catch: [{on: mine, do: [{log: x}]}]",
  ])
  func possibleCodeIsNotWarned(_ steps: String) throws {
    try expect(nil, in: Self.shortcut(steps))
  }

  private static func shortcut(_ steps: String) -> String {
    let indented = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    return "shortcut: t\nsteps:\n\(indented)\n" + """
      ---
      shortcut: raise
      steps:
        - fail: {message: x, code: mine}

      """
  }

  @Test func allErrorCodesAreKnown() {
    #expect(Set(RunError.Code.known).count == 20)
  }

  // MARK: Bodies, patterns, placeholders, secrets

  @Test(arguments: [
    "- http: {url: 'https://a.b', method: POST, body: «{a: 1}}",
    "- http: {url: 'https://a.b', method: POST, body: «[a]}",
    "- http: {url: 'https://a.b', method: POST, body: «'{{ {\"a\": text} }}'}",
  ])
  func mapAsHTTPBodyIsWarned(_ steps: String) throws {
    try expect("W213", in: Self.head(steps))
  }

  @Test(arguments: [
    "- http: {url: 'https://a.b', method: POST, body: '{\"a\": 1}'}",
    "- http: {url: 'https://a.b', method: POST, json: {a: 1}}",
    "- http: {url: 'https://a.b', method: POST, body: '{{ text }}'}",
  ])
  func textAsHTTPBodyIsNotWarned(_ steps: String) throws {
    try expect(nil, in: Self.head(steps))
  }

  @Test(arguments: [
    ("%Y-%m-%d", "write `yyyy-MM-dd`"), ("%H:%M", "write `HH:mm`"),
    ("%-d.%-m.", "write `d.M.`"),
    ("YYYY-MM-DD", "did you mean `yyyy-MM-dd`?"), ("DD.MM.yyyy", "did you mean `dd.MM.yyyy`?"),
    ("YYYY", "did you mean `yyyy`?"), ("yyyy-mm-dd", "did you mean `yyyy-MM-dd`?"),
    ("d.M.yyyy 'um' HH:MM", "did you mean `d.M.yyyy 'um' HH:mm`?"),
  ])
  func foreignDatePatternIsWarned(_ pattern: String, _ help: String) throws {
    #expect(DatePattern.advice(on: pattern)?.help == help)
    let quoted = pattern.replacing("'", with: "''")
    try expect("W214", in: Self.head("- say: '{{ now().format(«\"\(quoted)\") }}'"))
  }

  /// Literal letters are quoted, and conversions without an equivalent are not translated.
  @Test func strftimeTextIsQuoted() {
    #expect(DatePattern.translation(ofStrftime: "%dT%H") == "dd'T'HH")
    #expect(DatePattern.translation(ofStrftime: "at %I %p, 100 %%") == "'at' hh a, 100 %")
    #expect(DatePattern.translation(ofStrftime: "%s") == nil)
    #expect(DatePattern.translation(ofStrftime: "50 %") == nil)
  }

  @Test(arguments: [
    "yyyy-MM-dd", "d MMM yyyy, HH:mm", "yyyy-DDD", "YYYY-'W'ww", "mm:ss", "HH:mm", "mm", "MM", "D",
    "hh:mm a", "MMM d", "'100 %d'", "d.M. H 'Uhr'",
  ])
  func datePatternIsNotWarned(_ pattern: String) {
    #expect(DatePattern.advice(on: pattern)?.help == nil)
  }

  @Test(arguments: [
    "- say: 'a «$text'", "- say: '«${text}'", "- say: '«{text}'", "- say: '«{link.title}'",
    "- say: '«${{ text }}'", "- say: '«{% if flag %}x{% endif %}'",
    "- say: '«{%for x in text%}x'", "- copy: 'a{{ text }}«$text'",
    "- http: 'https://a.b/«{text}'", "- say: «$text",
  ])
  func foreignPlaceholderIsWarned(_ steps: String) throws {
    try expect("W215", in: Self.head(steps))
  }

  @Test(arguments: [
    "- copy: '«$HOME/x'", "- copy: '«${HOME}/x'", "- say: '«{% endif %}'", "- say: '{{ 1 }}«}'",
    "- say: '{{ number }}}«} and {'",
  ])
  func shellVariableBlockOrBraceIsWarned(_ steps: String) throws {
    try expect("W215", in: Self.head(steps))
  }

  @Test(arguments: ["- find: {entity: Link, limit: «0}", "- say: «~", "- log: «null"])
  func constantWithoutEffectIsWarned(_ steps: String) throws {
    try expect("W219", in: Self.head(steps))
  }

  @Test(arguments: [
    "- say: 'It costs ${{ number }}.'", "- say: '$5, $HOMES, {other}, {a: 1}, {{{{ text }}'",
    "- say: '{% other %} 5 % of $ and {'", "- value: '{\"a\": {\"b\": {{ number }}}}'",
    "- say: '\\$text $$text {{ {\"text\": 1}.text }}'",
    "- exec: [sh, -c, 'echo $text']", "- exec: {shell: 'echo $text', env: {text: '{{ text }}'}}",
    "- say: '${{ any }}'", "- find: {entity: Link, where: 'title.matches(\"x{2}$\")'}",
  ])
  func ordinaryTextIsNotWarned(_ steps: String) throws {
    try expect(nil, in: Self.head(steps))
  }

  @Test(arguments: [
    "- say: 'x {{ «secret(\"A\") }}'", "- log: '{{ «\"x\" + secret(\"A\") }}'",
    "- value: '{{ secret(\"A\") }}'\n  as: token\n- say: '{{ «token }}'",
  ])
  func shownSecretIsWarned(_ steps: String) throws {
    let (found, mark) = try Self.findings(Self.head(steps))
    // An expression in a text begins after its braces and the space.
    let parts = (mark ?? "").split(separator: ":").compactMap { Int($0) }
    #expect(
      found == ["W217 \(parts[0]):\(parts[1])"] || found == ["W217 \(parts[0]):\(parts[1] - 1)"])
  }

  @Test(arguments: [
    "«secret(\"A\").size()", "size(«secret(\"A\"))", "«secret(\"A\") == \"x\"", "«secret(\"A\")[0]",
    "«secret(\"A\").x", "\"a\" in «secret(\"A\")", "string(«\"x\" + secret(\"A\"))",
    "[«secret(\"A\")].join(\",\")", "\"%s\".format([«secret(\"A\")])", "«asSecret(text).lines()",
    "«secret(\"A\").map(x, x)", "{«secret(\"A\"): 1}",
  ])
  func inspectedSecretIsWarned(_ expression: String) throws {
    try expect("expression-wrong-type", in: Self.head("- value: '{{ \(expression) }}'"))
  }

  @Test(arguments: [
    "- exec: {command: [cat], stdin: '{{ secret(\"A\") }}'}",
    "- http: {url: 'https://a.b', headers: {X: 'Bearer {{ secret(\"A\") + text }}'}}",
    "- value: '{{ secret(\"A\") }}'\n  as: token\n"
      + "- http: {url: 'https://a.b', auth: {bearer: '{{ token }}'}}",
    "- if: secret(\"A\") != null\n  then: [{log: x}]",
    "- value: '{{ coalesce(asSecret(text), secret(\"A\")) }}'",
  ])
  func passedSecretIsNotWarned(_ steps: String) throws {
    try expect(nil, in: Self.head(steps))
  }

  /// Steps that define some names and use all of them.
  private static func head(_ steps: String) -> String {
    let indented = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    return """
      shortcut: t
      parameters: {text: string, flag: bool, number: int, link: Link, any: any}
      steps:
        - log: '{{ text }}{{ flag }}{{ number }}{{ link }}{{ any }}'
      \(indented)

      """
  }

  // MARK: Calls that say nothing

  @Test(arguments: [
    "steps:\n  - «tell\n  - value: 1\n", "steps:\n  - «run: tell\noutput: none\n",
    "steps:\n  - menu: What?\n    options:\n      A: [«tell]\n      B: [stop]\n",
    "steps:\n  - menu: What?\n    options:\n      A:\n        - «look-up\n      B: [stop]\n",
  ])
  func silentCallIsWarned(_ text: String) throws {
    try expect("W216", in: "shortcut: t\n" + text + Self.others)
  }

  @Test(arguments: [
    "steps:\n  - tell\n", "steps:\n  - tell\n  - say: '{{ it }}'\n",
    "steps:\n  - tell:\n    speak: true\n  - value: 1\n",
    "steps:\n  - tell:\n    as: n\n  - say: '{{ n }}'\n", "steps:\n  - keep\n  - value: 1\n",
    "steps:\n  - menu: What?\n    options:\n      A: [tell]\n      B: [stop]\noutput: '{{ it }}'\n",
    "steps:\n  - menu: What?\n    options:\n      A: [{tell: , speak: true}]\n      B: [{keep: }]\n",
    "steps:\n  - menu: What?\n    options:\n      A: [tell]\n      B: [stop]\n"
      + "dialog: {full: 'It is {{ output }}.'}\n",
    "steps:\n  - menu: What?\n    options:\n      A: [talk]\n      B: [give]\n",
  ])
  func usefulCallIsNotWarned(_ text: String) throws {
    try expect(nil, in: "shortcut: t\n" + text + Self.others)
  }

  private static let others = """
    ---
    shortcut: tell
    steps:
      - find: Link
    dialog: {full: 'There are {{ it.size() }} links.'}
    ---
    shortcut: look-up
    steps:
      - http: https://example.org/
    dialog: {full: 'It says {{ it }}.'}
    ---
    shortcut: keep
    steps:
      - create: {entity: Note, set: {text: x}}
    dialog: {full: Kept.}
    ---
    shortcut: talk
    steps:
      - say: Hello.
    dialog: {full: Said.}
    ---
    shortcut: give
    steps:
      - value: 1
    output: '{{ it }}'
    dialog: {full: One.}

    """

  // MARK: Returned values

  @Test(arguments: [
    "returns: «int\nsteps:\n  - value: x\n", "returns: int\nsteps:\n  - return: «x\n",
    "returns: int\nsteps:\n  - return: «'{{ \"x\" }}'\n",
    "returns: «date\nsteps:\n  - value: soon\n",
    "returns: «bool\nsteps:\n  - value: x\n  - say: y\n", "returns: «url\nsteps:\n  - value: a b\n",
    "returns: int\nsteps: [{say: y}]\noutput: «'{{ \"x\" }}'\n",
    "returns: «int\nsteps:\n  - if: now() > now()\n    then: [{value: x}]\n    else: [{value: x}]\n",
  ])
  func mistypedReturnIsError(_ text: String) throws {
    try expect("invalid-value", in: "shortcut: t\n" + text)
  }

  @Test(arguments: [
    "returns: int\nsteps:\n  - value: 5\n", "returns: int\nsteps:\n  - value: '5'\n",
    "returns: string\nsteps:\n  - value: x\n", "returns: date\nsteps:\n  - value: tomorrow\n",
    "returns: int\nsteps:\n  - if: now() > now()\n    then: [{value: x}]\n    else: [{value: 5}]\n",
    "returns: int\nsteps:\n  - value: x\n  - ask: {prompt: How many?, type: int}\n",
    "returns: 'int?'\nsteps:\n  - value: null\n",
  ])
  func convertibleReturnIsAccepted(_ text: String) throws {
    try expect(nil, in: "shortcut: t\n" + text)
  }

  // MARK: Made and tested parts

  /// What a widget is made of was not written by anybody.
  @Test func madeExpressionIsNotWarned() throws {
    try expect(
      nil,
      in: "shortcut: found\nsteps: [{find: {entity: Link}}]\nreturns: list<Link>\n---\n"
        + "widget: w\nrun: found\nfamilies: {small: {rows: 1}}\n")
  }

  @Test(arguments: [
    (nil, "{next: Say it}"), ("W205", "{other: Say it}"),
  ])
  func nameThatATestAnswersIsUsed(_ id: String?, _ answers: String) throws {
    try expect(
      id,
      in:
        "shortcut: t\nsteps:\n  - menu: And now?\n    options: {Say it: [{say: hello}], No: [stop]}\n"
        + "    as: «next\noutput: none\n"
        + "tests: [{answers: \(answers), expect: {dialog: hello}}]\n")
  }

  @Test func columnIsNoVariable() throws {
    try expect(
      nil,
      in: "shortcut: t\nsteps:\n  - value: Berlin\n    as: place\n"
        + "  - show: {value: '{{ [{\"place\": place}] }}', as: table, columns: [place]}\n")
  }

  @Test(arguments: [
    "- update: {item: 'task:1', set: {«titel: x}}",
    "- update: {item: 'task:1', set: {done: «maybe}}",
    "- get: task:1\n    as: t\n  - update: {item: '{{ t }}', set: {«titel: x}}",
    "- get: task:1\n  - say: '{{ it.«titel }}'",
  ])
  func itemOfAReferenceIsKnown(_ step: String) throws {
    let (found, mark) = try Self.findings("shortcut: t\nsteps:\n  \(step)\n")
    #expect(found.count == 1 && found.first?.hasSuffix(" " + (mark ?? "")) == true, "\(found)")
  }
}
