import Catalog
import Testing

@testable import Engine

/// All errors are found before the first step runs, with their places.
@Suite struct CompilingTests {
  @Test(arguments: [
    ("- say: '{{ nme }}'", ["unknown-name 3:14"]),
    ("- say: '{{ 1 + }}'", ["expression-syntax 3:18"]),
    ("- say: 'x {{ y'", ["unclosed-template 3:13"]),
    ("- sya: x", ["unknown-step 3:5"]),
    ("- write: x", ["later-release 3:5"]),
    ("- say: {txt: x}", ["unknown-argument 3:11"]),
    ("- find: {entity: Lnk}", ["unknown-entity 3:20"]),
    ("- find: {entity: Link, where: 'statu == \"x\"'}", ["unknown-name 3:34"]),
    ("- find: {entity: Link, sort: -creaedAt}", ["unknown-property 3:32"]),
    ("- create: {entity: Link, set: {ulr: x}}", ["unknown-property 3:34"]),
    ("- create: {entity: Task, onConflict: merg, set: {title: x}}", ["invalid-value 3:40"]),
    ("- create: {entity: Link, set: {url: ftp://x}}", ["invalid-value 3:39"]),
    ("- create: {entity: Task, set: {tags: swift, title: x}}", ["invalid-value 3:40"]),
    (
      "- create: {entity: Link, set: {status: wrong, url: 'https://a.org'}}", ["invalid-value 3:42"]
    ),
    ("- create: {entity: Link, set: {title: x}}", ["missing-argument 3:5"]),
    ("- create: {entity: Link, onConflict: merge, set: {url: 'https://a.org'}}", []),
    ("- create: {entity: Link, onConflict: merge}", ["missing-argument 3:5"]),
    ("- save: {ulr: 'https://x.org'}", ["unknown-parameter 3:12"]),
    ("- recent: {limit: many}", ["invalid-value 3:21"]),
    ("- break", ["not-in-loop 3:5"]),
    ("- value: 1\n  as: x\n- set: {x: 2}", ["not-assignable 5:11"]),
    ("- set: {x: 1}\n- value: 2\n  as: x", ["name-is-variable 5:9"]),
    ("- for: n\n  in: [1]\n  do: [{set: {n: 2}}]", ["not-assignable 5:17"]),
    ("- set: {it: 2}", ["not-assignable 3:11"]),
    ("- if: true\n  then: [{value: 1, as: x}]\n- say: '{{ x }}'", ["unknown-name 5:14"]),
    ("- ask: {prompt: P, type: strng}", ["unknown-type 3:28"]),
    ("- run: {name: nope}", ["unknown-action 3:17"]),
    ("- stop: now", ["unknown-argument 3:11"]),
    ("- recent:\n  as: xs\n- say: '{{ xs[0].titel }}'", ["expression-unknown-field 5:20"]),
    ("- set: {n: 1}\n- find: {entity: Link, where: title > 3}", ["expression-wrong-type 4:33"]),
    ("- say: '{{ foo(1) }}'", ["expression-unknown-function 3:14"]),
    ("- find: {entity: Link, sort: [-tags, url]}", ["no-order 3:33"]),
    ("- find: {entity: Link, where: title}", ["expression-wrong-type 3:33"]),
    ("- find: {entity: Link, where: '  now()'}", ["expression-wrong-type 3:36"]),
    ("- find: {entity: Task, where: done}", []),
    ("- if: '1'\n  then: [{say: x}]", ["expression-wrong-type 3:10"]),
    ("- while: '[true]'\n  do: [{say: x}]", ["expression-wrong-type 3:13"]),
    ("- say: x\n  when: 'null'", ["expression-wrong-type 4:12"]),
  ])
  func errorsHavePlaces(steps: String, expected: [String]) throws {
    let indented = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    #expect(try problems("shortcut: t\nsteps:\n" + indented + "\n") == expected)
  }

  @Test func nameOfPropertyAndVariableIsAmbiguous() throws {
    let yaml =
      "shortcut: t\nparameters: {tags: 'list<string>'}\nsteps:\n  - find: {entity: Link, where: 'tags == []'}\n"
    #expect(try problems(yaml) == ["ambiguous-name 4:34"])
    #expect(
      try problems(yaml.replacing("'tags ==", with: "'self.tags == vars.tags && self.tags =="))
        == [])
  }

  @Test func allErrorsOfDocumentAreReported() throws {
    let found = try problems(
      "shortcut: t\nsteps:\n  - say: '{{ a }} {{ b }}'\n  - sya: x\n  - recent: {limi: 3}\ndialog: {full: '{{ c }}'}\n"
    )
    #expect(
      found == [
        "unknown-name 3:14", "unknown-name 3:22", "unknown-step 4:5", "unknown-parameter 5:14",
        "unknown-name 6:20",
      ])
  }

  @Test func malformedDeclarationsDoNotHideOtherErrors() throws {
    #expect(
      try problems(
        "shortcut: t\ntitel: x\nsteps:\n  - say: '{{ nope }}'\n  - serch: x\n")
        == ["unknown-key 2:1", "unknown-name 4:14", "unknown-step 5:5"])
    // A parameter that could not be parsed is not reported as unknown, too.
    #expect(
      try problems(
        "shortcut: t\nparameters: {p: {type: strng}}\nsteps:\n  - say: '{{ p }}'\n  - break\n")
        == ["unknown-type 2:24", "not-in-loop 5:5"])
    #expect(
      try problems(
        "entity: X\nidentity: b\nproperties: {a: string}\ndisplay: {title: '{{ self.zz }}'}\n")
        == ["unknown-property 2:11", "expression-unknown-field 4:27"])
  }

  @Test func entitiesAreChecked() throws {
    #expect(
      try problems("entity: X\nproperties: {a: 'Nope?'}\ndisplay: {title: '{{ slf.a }}'}\n")
        == ["unknown-entity 2:14", "unknown-name 3:22"])
    #expect(
      try problems("entity: X\nproperties: {a: string}\ndisplay: {title: '{{ self.aa }}'}\n")
        == ["expression-unknown-field 3:27"])
    #expect(
      try problems("entity: X\nproperties: {a: string}\ndisplay: {title: '{{ a }}'}\n")
        == ["unknown-name 3:22"])
  }

  @Test func builtInLibraryCompiles() throws {
    let run = try TestRun()
    for name in run.session.catalog.actionNames { try run.session.workspace.check(action: name) }
    for name in run.session.catalog.entityNames { try run.session.workspace.check(entity: name) }
  }
}
