import Testing

@testable import Engine

/// Values of a wrong type are found before the run, and others are accepted.
@Suite struct FittingTests {
  private func problems(_ steps: String) throws -> [String] {
    let head = """
      shortcut: t
      parameters: {text: string, number: int, link: Link, links: 'list<Link>', any: any, name: string?}
      steps:

      """
    let indented = steps.split(separator: "\n").map { "  " + $0 }.joined(separator: "\n")
    return try EngineTests.problems(head + indented + "\n").map { String($0.prefix { $0 != " " }) }
  }

  @Test(arguments: [
    "- add-task: {title: '{{ number }}'}", "- add-task: {title: '{{ link }}'}",
    "- add-task: {title: '{{ link.?title }}'}", "- add-task: {title: x, tags: '{{ text }}'}",
    "- add-task: {title: x, tags: 'a {{ text }}'}", "- add-task: {title: x, due: '{{ number }}'}",
    "- recent: {limit: '{{ links }}'}", "- recent: {limit: 1.5}", "- recent: {limit: 1000}",
    "- open: '{{ links }}'", "- find: {entity: Link, limit: '{{ now() }}'}",
    "- find: {entity: Link, limit: -1}", "- wait: '{{ number }}'", "- wait: soon",
    "- wait: {until: 'some day'}", "- fail: {message: x, status: 200}",
    "- exec: {command: '{{ text }}'}", "- read-file: null",
    "- notify: {text: x, actions: '{{ 1 }}'}",
    "- create: {entity: Note, set: {text: '{{ number }}'}}",
    "- set: {n: 1}\n- set: {n: '{{ text }}'}", "- set: {n: '{{ links }}'}\n- set: {n: text}",
    "- run: {name: recent, with: {limit: '{{ links }}'}}",
    "- run: {name: recent, with: {limit: lots}}",
    "- progress: -1", "- exec: []", "- exec: ['']", "- exec: ls -l",
    "- exec: {command: [ls], env: {'A=B': x}}", "- exec: {command: [ls], tty: true, save: x}",
    "- exec: {command: [ls], tty: true, parse: lines}", "- exec: [ls]\n  timeout: -1s",
    "- exec: [ls]\n  timeout: 0s", "- exec: [ls]\n  retry: -1",
    "- exec: [ls]\n  retry: {times: 1, delay: -1s}", "- exec: [ls]\n  retry: {times: 1, jitter: 2}",
    "- for: n\n  in: [1]\n  parallel: 0\n  do: [{say: x}]",
    "- for: n\n  in: [1]\n  parallel: '{{ 60 + 5 }}'\n  do: [{say: x}]",
    "- parallel: {a: [{say: x}]}\n  limit: 65", "- repeat: -1\n  do: [{say: x}]",
    "- http: a.org", "- http: {url: 'https://a.b', redirects: 51}",
    "- http: {url: 'https://a.b', maxSize: much}", "- http: {url: 'https://a.b', method: 'A B'}",
    "- http: {url: 'https://a.b', headers: {'a b': '{{ text }}'}}",
    "- http: {url: 'https://a.b', json: 1, body: x}", "- http: {url: 'https://a.b', auth: {x: y}}",
    "- http: {url: 'https://a.b', check: maybe}", "- http: {url: 'https://a.b', local: 5}",
    "- read-file: {path: a, csv: {delimiter: '::'}}", "- read-file: {path: a, csv: {head: true}}",
    "- get: 'lnk:1'", "- get: Swift", "- delete: 5", "- update: {item: [a], set: {title: x}}",
    "- enqueue: {name: recent, retry: often}", "- enqueue: {name: recent, requires: [sun]}",
  ])
  func impossibleValueIsError(_ steps: String) throws {
    #expect(try problems(steps) == ["invalid-value"])
  }

  @Test(arguments: [
    ("- exec: {command: [ls], shell: ls}", ["unknown-argument"]),
    ("- wait: {name: x}", ["missing-argument", "unknown-argument"]),
    ("- wait: {fro: 1s}", ["unknown-argument"]), ("- choose: {options: [a]}", ["unknown-argument"]),
    ("- create: Task", ["missing-argument"]),
    ("- find: {entity: Lnk, where: 'title == \"x\"', first: true}", ["unknown-entity"]),
    ("- wait:\n  name: x", ["missing-argument"]), ("- exec: {dir: /tmp}", ["missing-argument"]),
    ("- write-file: a.txt", ["missing-argument"]),
    ("- write-file: {path: a, text: a, lines: [b]}", ["unknown-argument"]),
    ("- run: {name: recent, with: {limt: 1}}", ["unknown-parameter"]),
    ("- for: x\n  in: '{{ int }}'\n  do: [{say: '{{ x }}'}]", ["wrong-type"]),
  ])
  func certainlyInvalidArgumentIsError(_ steps: String, _ expected: [String]) throws {
    #expect(try problems(steps) == expected)
  }

  @Test(arguments: [
    "- add-task: {title: '{{ string(number) }}'}", "- add-task: {title: '{{ any }}'}",
    "- add-task: {title: '{{ text }}', due: '{{ text }}'}", "- add-task: {title: x, due: friday}",
    "- recent: {limit: '{{ text }}'}", "- recent: {limit: number + 1}", "- recent: {limit: null}",
    "- open: '{{ text }}'", "- open: '{{ link }}'", "- open: '{{ links[0] }}'",
    "- wait: '{{ minutes(number) }}'", "- wait: 1h30m", "- wait: {until: tomorrow 9:00}",
    "- wait: {until: '{{ text }}'}", "- exec: [ls, '{{ number }}']",
    "- exec: '{{ [text] }}'", "- exec: {shell: ls, args: [a], env: {A: b}}",
    "- exec: {command: [ls], tty: false, save: x}", "- get: 'link:1'",
    "- get: {ref: Swift, entity: Link}", "- delete: 'link:1'",
    "- update: {item: '{{ link }}', set: {title: a}}",
    "- http: {url: 'https://a.b/{{ text }}', auth: {bearer: '{{ text }}'}, check: [404]}",
    "- http: {url: '{{ text }}', maxSize: 5 MiB, local: [localhost]}",
    "- enqueue: {name: recent, retry: {times: 2, delay: 1m}, requires: [network]}",
    "- create: {entity: File, from: a.png}", "- create: {entity: Task, set: '{{ any }}'}",
    "- set: {n: 1.5}\n- set: {n: 2}", "- set: {n: 1}\n- set: {n: null}",
    "- set: {n: '{{ any }}'}\n- set: {n: text}", "- set: {n: [1]}\n- set: {n: [a]}",
    "- progress: {done: number, total: 3.5}", "- find: {entity: Link, limit: null}",
    "- create: {entity: Note, set: {text: '{{ text }}', link: '{{ link }}'}}",
    "- run: {name: recent, with: {limit: 3}}", "- run: {name: search, input: '{{ text }}'}",
    "- run: '{{ text }}'", "- return: '{{ number }}'",
  ])
  func possiblyValidValueIsAccepted(_ steps: String) throws {
    #expect(try problems(steps) == [])
  }

  @Test(arguments: [
    ("steps: [{find: Link}]\nreturns: Link", ["invalid-value"]),
    ("steps: [{find: {entity: Link, first: true}}]\nreturns: Link", ["expression-maybe-null"]),
    ("steps: [{return: x}]\nreturns: int", ["invalid-value"]),
    ("steps: [{return: '{{ [1] }}'}]\nreturns: int", ["invalid-value"]),
    ("steps: [{find: {entity: Link, first: true}}]\nreturns: Link?", []),
    (
      "steps: [{find: {entity: Link, first: true}}, {fail: x, when: it == null}]\nreturns: Link", []
    ),
    ("steps: [{say: x}]\nreturns: Link", ["expression-maybe-null"]),
    ("steps: [{say: x}]\nparameters: {n: {type: int, default: 9, max: 5}}", ["invalid-value"]),
    ("steps: [{say: x}]\nparameters: {n: {type: int, default: null}}", ["invalid-value"]),
    (
      "steps: [{say: x}]\nparameters: {n: {type: string, default: b, pattern: a}}",
      ["invalid-value"]
    ),
  ])
  func returnsAndDefaultsAreTypeChecked(_ rest: String, _ expected: [String]) throws {
    let found = try EngineTests.problems("intent: t\n\(rest)\n")
    #expect(found.map { String($0.prefix { $0 != " " }) } == expected)
  }
}
