import Testing

@testable import Engine

/// The fields of built-in maps and their types are known at compile time.
@Suite struct KnownRecordTests {
  private func problems(_ steps: String) throws -> [String] {
    let indented = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    return try EngineTests.problems("shortcut: t\nsteps:\n" + indented + "\n")
      .map { String($0.prefix { $0 != " " }) }
  }

  private static let settled = """
    - for: n
      in: [1, 2]
      parallel: 2
      settle: true
      do: [{value: '{{ n * 2 }}'}]
      as: rows

    """
  private static let branches = """
    - parallel:
        one: [{value: 1}]
        two: [{find: Link}]
      as: all

    """
  private static let caught = "- try: [{exec: [ls]}]\n  catch:\n"

  @Test(arguments: [
    settled + "- say: '{{ rows.map(r, r.okay) }}'", settled + "- say: '{{ rows[0].error.mesage }}'",
    branches + "- say: '{{ all.three }}'", branches + "- say: '{{ all[\"three\"] }}'",
    branches + "- say: '{{ all.two[0].titel }}'", caught + "    - say: '{{ error.stats }}'",
    "- exec: {command: [ls], check: false}\n- say: '{{ it.stats }}'",
    "- find-files: out\n- say: '{{ it[0].bytes }}'",
    "- http: {url: 'https://a.b', full: true}\n- say: '{{ it.state }}'",
    "- http: {url: 'https://a.b', check: false}\n- say: '{{ it.state }}'",
    "- find: {entity: Link, summary: true}\n- say: '{{ it.itmes }}'",
    "- unwrap: x\n- say: '{{ it.uri }}'",
    "- value: {value: {a: 1, b: '{{ now() }}'}}\n- say: '{{ it.c }}'",
    "- set: {m: {a: 1}}\n- say: '{{ m.b }}'",
    "- set: {m: {a: 1}}\n- for: e\n  in: m\n  do: [{say: '{{ e.name }}'}]",
    "- say: '{{ page(\"\", \"https://a.b\").titel }}'",
    "- say: '{{ feed(\"\").items.map(i, i.titel) }}'", "- say: '{{ links(\"\").map(l, l.href) }}'",
  ])
  func unknownFieldIsError(_ steps: String) throws {
    #expect(try problems(steps) == ["expression-unknown-field"])
  }

  @Test(arguments: [
    (settled + "- say: '{{ rows[0].value + \"x\" }}'", "expression-wrong-type"),
    (branches + "- say: '{{ all.one + \"x\" }}'", "expression-wrong-type"),
    (
      "- exec: {command: [ls], check: false}\n- say: '{{ it.status + \"x\" }}'",
      "expression-wrong-type"
    ),
    ("- find-files: out\n- say: '{{ it[0].size + \"x\" }}'", "expression-wrong-type"),
    ("- try: [{exec: [ls]}]\n  finally: [{say: '{{ error.code }}'}]", "expression-maybe-null"),
    (
      "- say: '{{ \"• \" + page(\"\", \"https://a.b\").title }}'", "expression-maybe-null"
    ),
    (
      "- exec: {command: [ls], check: false}\n- say: '{{ \"by \" + it.signal }}'",
      "expression-maybe-null"
    ),
  ])
  func fieldsOfBuiltInMapsAreTyped(_ steps: String, _ expected: String) throws {
    #expect(try problems(steps) == [expected])
  }

  @Test(arguments: [
    settled + "- say: '{{ rows.filter(r, !r.ok).map(r, r.error.message) }}'",
    settled + "- say: '{{ rows.filter(r, r.value != null).map(r, r.value + r.item) }}'",
    settled + "- say: '{{ rows.filter(r, r.error == null).size() }}'",
    branches + "- say: '{{ all.one + 1 }} {{ all.two.map(l, l.url) }} {{ all.size() }}'",
    branches + "- for: e\n  in: all\n  do: [{say: '{{ e.key }}: {{ e.value }}'}]",
    branches + "- say: '{{ all.merge({\"three\": 3}).three }} {{ toJson(all) }}'",
    branches + "- say: '{{ \"one\" in all }} {{ all.map(k, all[k]) }} {{ all.keys() }}'",
    branches + "- set: {m: '{{ all }}'}\n- set: {m: {other: 1}}\n- say: '{{ m.other }}'",
    caught + "    - fail: '{{ error }}'\n      when: error.data.status == 1",
    caught + "    - {on: exec, as: e, do: [{say: '{{ e.code }} {{ e.step }} {{ e.cause }}'}]}",
    "- try: [{exec: [ls]}]\n  finally: [{say: '{{ error.code }}', when: error != null}]",
    "- exec: {command: [ls], check: false}\n- say: ok\n  when: it.status == 0",
    "- http: {url: 'https://a.b', full: true}\n- say: '{{ it.headers[?\"etag\"].orValue(null) }}'",
    "- value: {value: {a: null, b: [1]}}\n- say: '{{ it.a == null }} {{ it.b[0] }}'",
    "- if: random() > 0.5\n  then: [{value: {value: {a: 1}}}]\n  else: [{value: {value: {b: 1}}}]\n"
      + "  as: m\n- say: '{{ m.a }}'",
  ])
  func existingFieldIsAccepted(_ steps: String) throws {
    #expect(try problems(steps) == [])
  }

  @Test func triggerItemIsTypedByEntity() throws {
    func problems(_ on: String, _ expression: String) throws -> [String] {
      try EngineTests.problems(
        "automation: a\non:\n\(on)steps:\n  - say: '{{ \(expression) }}'\n")
    }
    let task = "  - created: Task\n"
    #expect(try problems(task, "trigger.item.titel") == ["expression-unknown-field 5:27"])
    #expect(try problems(task, "trigger.itm") == ["expression-unknown-field 5:22"])
    #expect(try problems(task, "trigger.item.title + trigger.kind") == [])
    let both = task + "  - changed: Link\n"
    #expect(try problems(both, "trigger.item.anything") == [])
    #expect(try problems("  - file: /in\n", "trigger.path.fileName()") == [])
  }
}
