import Testing

@testable import Engine

/// Null checks are tracked from step to step: a test excludes null exactly where it dominates.
@Suite struct NullFlowTests {
  private static let head = """
    shortcut: t
    parameters: {title: string?, count: int?, link: Link?}
    steps:

    """

  private func problems(in steps: String) throws -> [String] {
    let indented = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    return try EngineTests.problems(Self.head + indented + "\n")
  }

  @Test(arguments: [
    "- say: '{{ «title» + \"x\" }}'",
    "- say: '{{ «vars.title» + \"x\" }}'",
    "- recent:\n  as: links\n- say: '{{ links.map(l, \"• \" + «l.title»).join(\", \") }}'",
    "- recent:\n- say: '{{ it.map(l, \"• \" + «l.title»).join(\", \") }}'",
    "- recent:\n  as: links\n- for: l\n  in: '{{ links }}'\n  do: [{say: '{{ «l.title» + \"x\" }}'}]",
    "- recent:\n- for: l\n  in: '{{ it }}'\n  do: [{say: '{{ «it.title» + \"x\" }}'}]",
    "- find: {entity: Link, first: true}\n  as: found\n- say: '{{ «found».url }}'",
    "- open-url: '{{ «link».url }}'",
    "- value: 1\n  when: count != null\n  as: n\n- say: '{{ «n» + 1 }}'",
    "- if: title != null\n  then: [{say: x}]\n- say: '{{ «title» + \"x\" }}'",
    "- if: title != null\n  then: [{say: x}]\n  else: [{say: '{{ «title» + \"x\" }}'}]",
    "- if: title == null\n  then: [{say: x}]\n- say: '{{ «title» + \"x\" }}'",
    "- say: x\n  when: title == null\n- say: '{{ «title» + \"x\" }}'",
    "- value: '{{ coalesce(title, \"\").lines() }}'\n  as: l\n- say: '{{ «l.first()».size() }}'",
    "- recent:\n  as: l\n- value: '{{ l.groupBy(x, x.url) }}'\n  as: g\n- say: '{{ «g.values().first()».size() }}'",
    "- if: '«title».size() > 1'\n  then: [{say: x}]",
    "- say: x\n  when: «count» > 1",
    "- repeat: 2\n  do: [{say: '{{ «title» + \"x\" }}'}]",
    "- find: {entity: Task, where: due != null}\n- say: '{{ «it.first()».due.addDays(1) }}'",
    "- find: {entity: Task, where: 'due != null || done'}\n- choose: it\n- say: '{{ «it.due».addDays(1) }}'",
    // A variable assigned in a loop may be null in the second pass.
    "- set: {a: 'x'}\n- set: {b: '{{ title }}'}\n- while: 'title == \"x\"'\n  do: [{say: '{{ title + a }}'}]\n- say: '{{ «title» + \"x\" }}'",
  ])
  func uncheckedNullIsError(_ marked: String) throws {
    let text = marked.replacing("«", with: "").replacing("»", with: "")
    let lines = marked.split(separator: "\n")
    let line = lines.firstIndex { $0.contains("«") } ?? 0
    let column = lines[line].prefix { $0 != "«" }.count + 3
    #expect(try problems(in: text) == ["expression-maybe-null \(line + 4):\(column)"])
  }

  @Test(arguments: [
    "- say: '{{ title }} and {{ coalesce(title, \"\") + \"x\" }}'",
    "- say: '{{ title + \"x\" }}'\n  when: title != null",
    // Lists that are never empty.
    "- value: '{{ coalesce(title, \"\").split(\"/\") }}'\n  as: l\n- say: '{{ l.last().size() + it.first().size() }}'",
    "- say: '{{ (coalesce(title, \"\").lines() + [\"a\"]).reverse().max().size() }}'",
    "- find: Task\n  as: l\n- value: '{{ l.groupBy(t, t.title) }}'\n  as: g\n"
      + "- say: '{{ g.keys().map(k, g[k].last().title).join() }}'\n"
      + "- say: '{{ g.values().map(l, l.first().title).join() }}'\n"
      + "- say: '{{ g.transformList(k, v, k + v.last().title).join() }}'\n"
      + "- for: e\n  in: '{{ g }}'\n  do: [{say: '{{ e.value.first().title + \"x\" }}'}]",
    "- say: '{{ vars.title + \"x\" }}'\n  when: title != null",
    "- say: '{{ title + \"x\" }}'\n  when: vars.title != null",
    "- if: title != null\n  then: [{say: '{{ title + \"x\" }}'}]",
    "- if: title == null\n  then: [{say: x}]\n  else: [{say: '{{ title + \"x\" }}'}]",
    "- if: title == null\n  then: [{fail: x}]\n- say: '{{ title + \"x\" }}'",
    "- if: title == null || count == null\n  then: [{say: x}, {stop: }]\n- say: '{{ title + string(count) }}'",
    "- fail: no title\n  when: title == null\n- say: '{{ title + \"x\" }}'",
    "- if: link != null && link.title != null\n  then: [{say: '{{ link.title + link.url }}'}]",
    "- for: n\n  in: [1, 2]\n  do: [{continue: , when: title == null}, {say: '{{ title + \"x\" }}'}]",
    "- if: title != null\n  then:\n    - repeat: 2\n      do: [{say: '{{ title + \"x\" }}'}]",
    "- while: title != null && title.size() > 3\n  do: [{say: '{{ title + \"x\" }}'}, {break: }]",
    "- find: {entity: Link, first: true}\n  as: found\n- say: '{{ found.url }}'\n  when: found != null",
    "- find: {entity: Link, where: 'self.title.startsWith(\"x\")'}",
    "- find: {entity: Task, where: 'due < today()'}",
    "- recent:\n- say: '{{ it.filter(l, l.title != null).map(l, l.title + \"x\").join(\", \") }}'",
    "- recent:\n- say: '{{ it[0].createdAt.relative() + it[0].ref }}'",
    "- recent:\n- say: '{{ it.first().url }}'\n  when: size(it) > 0",
    "- paste:\n- say: '{{ it + \"x\" }}'",
    // What a condition says of the items found holds for what is made of them.
    "- find: {entity: Task, where: due != null}\n  as: ts\n- say: '{{ ts[0].due.addDays(1) }}'",
    "- find: {entity: Task, where: due != null}\n- set: {all: '{{ it }}'}\n- say: '{{ all[0].due.addDays(1) }}'",
    "- create: {entity: Task, set: {title: a, due: '{{ today() }}'}}\n- say: '{{ it.due.addDays(1) }}'",
    "- create: {entity: Task, set: {title: a}}\n- update: {item: '{{ it }}', set: {due: '{{ today() }}'}}\n  as: t\n- say: '{{ t.due.addDays(1) }}'",
    "- find: {entity: Task, where: due != null}\n  as: ts\n- say: '{{ ts.sortBy(x, x.due)[0].due.addDays(1) }}'",
    "- find: {entity: Task, where: due != null}\n- say: '{{ it.first().due.addDays(1) }}'\n  when: size(it) > 0",
    "- find: {entity: Task, where: due != null}\n- say: '{{ it.map(x, x.due).max().addDays(1) }}'\n  when: size(it) > 0",
    "- find: {entity: Task, where: due != null}\n- choose: it\n  as: c\n- say: '{{ c.due.addDays(1) }}'",
    "- find: {entity: Task, where: due != null}\n- choose: {from: it, many: true}\n- say: '{{ it.map(c, c.due.addDays(1)) }}'",
    "- find: {entity: Task, where: due != null}\n- say: '{{ it.groupBy(t, t.title).transformMap(k, l, l.map(t, t.due.addDays(1))) }}'",
    "- find: {entity: Task, where: due != null}\n- for: g\n  in: '{{ it.groupBy(t, t.title) }}'\n  do: [{say: '{{ g.value.map(t, t.due.addDays(1)) }}'}]",
    "- find: {entity: Task, where: due != null}\n- value: '{{ it.groupBy(t, t.title) }}'\n  as: g\n- say: '{{ g[\"x\"].map(t, t.due.addDays(1)) }}'",
  ])
  func nullCheckIsRecognized(_ text: String) throws {
    #expect(try problems(in: text) == [])
  }

  /// The declaration of a callee decides whether its result may be null, however it is called.
  @Test(arguments: [
    "- name-of:\n  as: n\n- say: '{{ «n» + \"x\" }}'",
    "- name-of:\n- say: '{{ «it» + \"x\" }}'",
    "- run: name-of\n  as: n\n- say: '{{ «n» + \"x\" }}'",
    "- link-or-stop:\n  as: l\n- say: '{{ «l».url }}'",
    "- for: n\n  in: [1, 2]\n  do: [{name-of: }]\n  as: names\n- say: '{{ names.map(n, «n» + \"x\") }}'",
    "- repeat: 2\n  do:\n    - name-of:\n      as: n\n    - say: '{{ «n» + \"x\" }}'",
    "- try: [{name-of: }]\n  catch: [{value: x}]\n  as: n\n- say: '{{ «n» + \"x\" }}'",
    "- atomic: [{name-of: }]\n  as: n\n- say: '{{ «n» + \"x\" }}'",
    "- menu: x\n  options: {A: [{name-of: }], B: [{name-of: }]}\n  as: n\n- say: '{{ «n» + \"x\" }}'",
    "- if: now() > today()\n  then: [{value: x}]\n  as: n\n- say: '{{ «n» + \"x\" }}'",
    "- ask: {prompt: x, type: 'string?'}\n  as: n\n- say: '{{ «n» + \"x\" }}'",
    "- wait: {entity: Link, for: 1s}\n  as: l\n- say: '{{ «l».url }}'",
    "- find: Link\n- choose: it\n  as: l\n- say: '{{ «l.title» + \"x\" }}'",
    "- find: Link\n- choose: {from: it, many: true}\n  as: l\n- say: '{{ l.map(x, «x.title» + \"x\") }}'",
    "- get: {ref: 'link:1', entity: Link}\n- update: {item: '{{ it }}', set: {status: ready}}\n- say: '{{ «it.title» + \"x\" }}'",
    "- name-of:\n  as: n\n- set: {m: '{{ n }}'}\n- say: '{{ «m» + \"x\" }}'",
    "- read-file: '{{ «coalesce(null, env(\"ERRAND_VAR_X\"))» }}'",
    "- repeat: «count»\n  do: [{say: x}]",
  ])
  func nullableResultsAreKnownByDeclaration(_ marked: String) throws {
    let callees = """
      intent: name-of
      steps: [{value: x}]
      returns: string?
      ---
      intent: link-or-stop
      parameters: {n: int}
      steps:
        - stop:
          when: n > 1
        - get: {ref: 'link:1', entity: Link}
      returns: Link
      ---
      shortcut: t
      parameters: {count: int?}
      steps:

      """
    let text = marked.replacing("«", with: "").replacing("»", with: "")
    let lines = marked.split(separator: "\n")
    let line = lines.firstIndex { $0.contains("«") } ?? 0
    let column = lines[line].prefix { $0 != "«" }.count + 3
    let indented = text.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    #expect(
      try EngineTests.problems(callees + indented + "\n")
        == ["expression-maybe-null \(line + 16):\(column)"])
  }

  /// Results that are never null, and results tested where they may be.
  @Test(arguments: [
    "- ask: {prompt: x, type: int}\n- say: '{{ it + 1 }}'",
    "- ask: {prompt: x, type: enum, values: [a, b]}\n- say: '{{ it == \"a\" ? 1 : 2 }}'",
    "- wait: {entity: Link}\n  as: l\n- say: '{{ l.url }}'",
    "- move-file: {from: a, to: b}\n- say: '{{ it.fileName() }}'",
    "- exec: {command: [ls], check: false}\n- say: '{{ it.status == 0 ? it.stdout : \"\" }}'",
    "- set: {names: []}\n- set: {names: '{{ names + [\"x\"] }}'}\n- set: {names: '{{ names + [1] }}'}\n- say: '{{ names.size() }}'",
    "- set: {best: null}\n- for: n\n  in: [1, 2]\n  do:\n    - set: {best: '{{ n }}'}\n      when: best == null || n > best\n- say: '{{ best }}'",
    "- if: count == null\n  then: [{value: none}]\n  else: [{value: '{{ string(count) }}'}]\n  as: n\n- say: '{{ n + \"x\" }}'",
    "- for: n\n  in: [1, 2]\n  do: [{value: '{{ n * 2 }}'}]\n  as: doubled\n- say: '{{ doubled.sum() + 1 }}'",
    "- find: {entity: Link, first: true}\n- fail: none\n  when: it == null\n- say: '{{ it.url }}'",
  ])
  func nonNullResultsAreAccepted(_ steps: String) throws {
    let indented = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    #expect(
      try EngineTests.problems("shortcut: t\nparameters: {count: int?}\nsteps:\n" + indented + "\n")
        == [])
  }

  @Test func variableIsKnownUntilAssigned() throws {
    let head =
      "shortcut: t\nparameters: {title: string?}\nvariables: {name: {type: 'string?'}, n: {type: int, value: 1}}\nsteps:\n"
    func found(_ steps: String) throws -> [String] { try EngineTests.problems(head + steps) }
    #expect(
      try found("  - set: {name: 'x'}\n  - say: '{{ name + \"y\" }}'\n") == [])
    #expect(
      try found("  - set: {n: null}\n  - say: '{{ n + 1 }}'\n") == ["expression-maybe-null 6:14"])
    #expect(try found("  - set: {n: null}\n  - set: {n: 2}\n  - say: '{{ n + 1 }}'\n") == [])
    #expect(
      try found("  - set: {name: '{{ title }}'}\n  - say: '{{ name + \"y\" }}'\n")
        == ["expression-maybe-null 6:14"])
    #expect(
      try found(
        "  - set: {name: 'x'}\n    when: name == null\n  - say: '{{ name + \"y\" }}'\n") == [])
    #expect(
      try found(
        "  - set: {name: 'x'}\n  - repeat: 2\n    do:\n      - say: '{{ name + \"y\" }}'\n"
          + "      - set: {name: '{{ title }}'}\n") == ["expression-maybe-null 8:18"])
  }

  @Test(arguments: [
    ("- find: {entity: Link, where: 'status == \"redy\"'}", ["expression-unknown-value 4:44"]),
    (
      "- find: {entity: Link, where: 'status in [\"failed\", \"arhived\"]'}",
      ["expression-unknown-value 4:55"]
    ),
    ("- recent:\n- say: '{{ it.title }}'", ["expression-unknown-field 5:17"]),
    (
      "- recent:\n  as: links\n- say: '{{ links.exists(l, l.status == \"x\") }}'",
      ["expression-unknown-value 6:42"]
    ),
    ("- find: {entity: Link, where: createdAt > \"2026-01-01\"}", ["expression-wrong-type 4:33"]),
  ])
  func constantConditionIsError(_ text: String, _ expected: [String]) throws {
    #expect(try problems(in: text) == expected)
  }

  @Test func dialogAfterReturnDoesNotKnowLastStep() throws {
    let yaml = """
      shortcut: t
      parameters: {title: string?}
      steps:
        - return: 1
          when: title == null
        - recent:
      dialog: {full: '{{ title + "x" }}'}

      """
    #expect(try EngineTests.problems(yaml) == ["expression-maybe-null 7:20"])
  }

  // MARK: Shares

  /// What `accepts` says of a share is known of the input.
  @Test(arguments: [
    ("{types: [url]}", "input.url + \"x\""), ("{types: [url]}", "it.url + \"x\""),
    ("{types: [image, application/pdf, file]}", "input.path + \"x\""),
    ("{types: [url, text], where: self.url != null}", "input.url + \"x\""),
    ("{types: [url, text], where: 'self.title.startsWith(\"x\")'}", "input.title + \"x\""),
    ("{types: [url], max: 3}", "input.map(i, i.url + \"x\")"),
    ("{types: [url, text]}", "«input.url» + \"x\""), ("{types: [url]}", "«input.title» + \"x\""),
    ("{types: [text/plain]}", "«input.path» + \"x\""),
    (
      "{types: [url, text], where: 'self.url != null || self.title == \"x\"'}",
      "«input.url» + \"x\""
    ),
  ])
  func acceptedShareIsKnown(_ accepts: String, _ marked: String) throws {
    let text = marked.replacing("«", with: "").replacing("»", with: "")
    let problems = try EngineTests.problems(
      "shortcut: t\naccepts: \(accepts)\nsteps:\n  - say: '{{ \(text) }}'\n")
    #expect(problems == (text == marked ? [] : ["expression-maybe-null 4:14"]))
  }
}
