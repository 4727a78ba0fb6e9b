import CEL
import Synchronization
import Testing

@testable import Engine

/// Programs, files, waits and notifications on a fake machine.
@Suite struct ReachingOutTests {
  private func run(_ steps: String, replies: [Reply]? = nil) throws -> TestRun {
    let indented = steps.split(separator: "\n", omittingEmptySubsequences: false)
      .map { "  " + $0 }.joined(separator: "\n")
    let run = try TestRun("shortcut: test\nsteps:\n" + indented + "\n", replies: replies)
    run.world.state.withLock { state in
      for name in ["echo", "/bin/sh"] {
        // Writes its arguments, input and variables.
        state.programs[name] = { request, _ in
          let words = request.command.dropFirst().joined(separator: "|")
          let variables = request.environment.map { "\($0.name)=\($0.value)" }.joined()
          return ProcessEnd(
            reason: .exited(0),
            output: Array("\(words)\n".utf8) + request.input + Array(variables.utf8), errors: [])
        }
      }
      state.programs["json"] = { _, _ in
        ProcessEnd(reason: .exited(0), output: Array("{\"a\": [1, null]}\n".utf8), errors: [])
      }
      state.programs["killed"] = { _, _ in
        ProcessEnd(reason: .signalled(9), output: [], errors: [])
      }
      state.programs["chatty"] = { _, _ in
        ProcessEnd(reason: .tooMuchOutput, output: [1], errors: [])
      }
      state.files["/in.csv"] = Array("name,age\nAda,36\n\"B, C\",\n".utf8)
      state.files["/latin"] = [0x67, 0x72, 0xFC, 0x6E]
    }
    return run
  }

  private func value(_ steps: String) throws -> Value { try run(steps).perform().value }

  private func code(_ steps: String) throws -> String? {
    let error = #expect(throws: RunError.self) { try run(steps).perform() }
    return error?.code.name
  }

  // MARK: Programs

  struct Row: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let steps: String
    let expected: Value

    init(_ name: String, _ steps: String, _ expected: Value) {
      (testDescription, self.steps, self.expected) = (name, steps, expected)
    }
  }

  @Test(arguments: [
    Row("words are never split", "- exec: [echo, 'a b', '$(x); y']", .string("a b|$(x); y")),
    Row("values are words", "- exec: [echo, '{{ 1 + 1 }}', '{{ [1, 2] }}']", .string("2|1, 2")),
    Row("args come after", "- exec: {command: [echo, a], args: [b]}", .string("a|b")),
    Row(
      "a shell has its args apart", "- exec: {shell: 'echo \"$1\"', args: ['; x']}",
      .string("-c|echo \"$1\"|sh|; x")),
    Row("a text is input", "- exec: {command: [echo], stdin: in}", .string("\nin")),
    Row("a list is lines of input", "- exec: {command: [echo], stdin: [a, b]}", .string("\na\nb")),
    Row("variables", "- exec: {command: [echo], env: {A: 1}}", .string("\nA=1")),
    Row(
      "lines", "- exec: {command: [echo, a], stdin: [b, c], parse: lines}",
      .list([.string("a"), .string("b"), .string("c")])),
    Row(
      "json", "- exec: {command: [json], parse: json}",
      .map(MapValue([("a", .list([.int(1), .null]))]))),
    Row("a path of the output", "- exec: {command: [echo], save: /out}", .string("/out")),
    Row(
      "without check a signal is told",
      "- exec: {command: [killed], check: false}\n- value: '{{ it.signal }}'",
      .string("SIGKILL")),
    Row(
      "what comes from outside is no template", "- exec: [echo, '{{{{ 1 }}']\n- value: '{{ it }}'",
      .string("{{ 1 }}")),
  ])
  func programs(_ row: Row) throws {
    #expect(try value(row.steps) == row.expected)
  }

  // MARK: Codes

  @Test(arguments: [
    ("exec", "- exec: [no-such-program]"), ("exec", "- exec: [killed]"),
    ("exec", "- exec: [chatty]"), ("exec", "- exec: {command: [chatty], check: false}"),
    ("invalid-value", "- exec: '{{ [1].filter(n, n > 1) }}'"),
    ("invalid-value", "- exec: {command: [echo], parse: json}"),
    ("invalid-value", "- exec: [echo, '{{ \"a\\u0000b\" }}']"),
    ("not-found", "- read-file: /none"), ("invalid-value", "- read-file: /latin"),
    ("invalid-value", "- read-file: {path: /in.csv, parse: json}"),
    ("invalid-value", "- read-file: {path: /in.csv, csv: '{{ {\"sep\": uuid()} }}'}"),
    ("conflict", "- write-file: {path: /in.csv, text: x, mode: create}"),
    ("timeout", "- wait: 1h\n  timeout: 1s"),
    ("invalid-value", "- progress: {done: '{{ 1 - size([now(), now()]) }}'}"),
    ("needs-value", "- ask: Who?"), ("failed", "- fail: x"),
    ("invalid-value", "- value: '{{ 1 / (size([now()]) - 1) }}'"),
    ("not-found", "- get: {ref: 'note:9'}"), ("denied", "- unwrap: https://errand.localhost/w/x"),
    (
      "ambiguous",
      "- create: {entity: Task, set: {title: a}}\n- create: {entity: Task, set: {title: a}}\n"
        + "- get: {ref: a, entity: Task}"
    ),
    (
      "conflict",
      "- create: {entity: Link, set: {url: 'https://x.org'}}\n"
        + "- create: {entity: Link, set: {url: 'https://x.org'}}"
    ),
  ])
  func codes(_ expected: String, _ steps: String) throws {
    #expect(try code(steps) == expected)
  }

  @Test func refusedOrLeftQuestionEndsRun() throws {
    func code(_ steps: String, _ replies: [Reply]) -> String? {
      (#expect(throws: RunError.self) { try run(steps, replies: replies).perform() })?.code.name
    }
    #expect(code("- confirm: Sure?", [.confirmed(false)]) == "declined")
    #expect(code("- ask: Who?", []) == "cancelled")
  }

  // MARK: Files

  @Test(arguments: [
    Row("lines", "- read-file: {path: /in.csv, parse: lines}\n- value: '{{ size(it) }}'", .int(3)),
    Row(
      "rows are maps",
      "- read-file: {path: /in.csv, parse: csv}\n- value: '{{ it[0].name + it[1].name }}'",
      .string("AdaB, C")),
    Row(
      "without a header they are lists",
      "- read-file: {path: /in.csv, parse: csv, csv: {header: false}}\n- value: '{{ it[0][1] }}'",
      .string("age")),
    Row("encodings", "- read-file: {path: /latin, csv: {encoding: latin1}}", .string("grün")),
    Row(
      "json there and back",
      "- write-file: {path: /j, json: {a: [1, 2.5, null, true]}}\n- read-file: {path: /j, parse: json}",
      .map(MapValue([("a", .list([.int(1), .double(2.5), .null, .bool(true)]))]))),
    Row(
      "a table there and back",
      "- write-file: {path: /t, csv: [{a: 'x, \"y\"', b: \"1\\n2\"}]}\n"
        + "- read-file: {path: /t, parse: csv}\n- value: '{{ it[0].a + it[0].b }}'",
      .string("x, \"y\"1\n2")),
    Row(
      "append ends its line",
      "- write-file: {path: /l, text: a, mode: append}\n- write-file: {path: /l, text: b, mode: append}\n"
        + "- read-file: /l", .string("a\nb\n")),
    Row(
      "append begins a line",
      "- write-file: {path: /l, text: 'a,b'}\n- write-file: {path: /l, text: '1,2', mode: append}\n"
        + "- read-file: /l", .string("a,b\n1,2\n")),
    Row(
      "rows are added below their header",
      "- write-file: {path: /l, csv: [{a: 1, b: 2}]}\n"
        + "- write-file: {path: /l, csv: [{b: 4, a: 3}], mode: append}\n- read-file: /l",
      .string("a,b\n1,2\n3,4\n")),
    Row(
      "rows are added with the separator of their header",
      "- write-file: {path: /l, text: \"a;b\\n\"}\n"
        + "- write-file: {path: /l, csv: [{b: '2,5', a: 1}], mode: append}\n- read-file: /l",
      .string("a;b\n1;2,5\n")),
    Row(
      "the separator is that of the header",
      "- write-file: {path: /l, text: \"n;m\\nAda;1,5\\n\"}\n"
        + "- read-file: {path: /l, parse: csv}\n- value: '{{ it[0].m }}'", .string("1,5")),
    Row(
      "two columns of a name are both kept",
      "- write-file: {path: /l, text: \"n,n\\nAda,B\\n\"}\n"
        + "- read-file: {path: /l, parse: csv}\n- value: '{{ it[0].n + it[0].n_2 }}'",
      .string("AdaB")),
    Row(
      "a cell that is missing is empty",
      "- write-file: {path: /l, text: \"n,m\\nAda\\n\"}\n"
        + "- read-file: {path: /l, parse: csv}\n- value: '{{ it[0].m }}'", .string("")),
    Row("the path is the value", "- write-file: {path: /l, lines: [a, b]}", .string("/l")),
  ])
  func files(_ row: Row) throws {
    #expect(try value(row.steps) == row.expected)
  }

  /// A table that would lose a value is refused, with the line.
  @Test(arguments: [
    (
      "- write-file: {path: /l, text: \"n\\n1,5\\n\"}\n- read-file: {path: /l, parse: csv}",
      "line 2 has 2 values, and the header names 1"
    ),
    (
      "- write-file: {path: /l, csv: [{a: 1}]}\n"
        + "- write-file: {path: /l, csv: [{c: 1}], mode: append}",
      "has no column `c`"
    ),
  ])
  func tableThatWouldLoseAValueIsRefused(_ steps: String, _ message: String) throws {
    let error = #expect(throws: RunError.self) { try run(steps).perform() }
    #expect(error?.message.contains(message) == true, "\(String(describing: error))")
  }

  // MARK: Waiting and notifying

  @Test func waitTakesItsDuration() throws {
    let run = try run("- wait: 90s\n- wait: {until: '{{ now() + minutes(5) }}'}")
    try run.perform()
    let seconds = run.world.state.withLock { $0.nanoseconds / 1_000_000_000 }
    // The fake wall clock advances a second with each read.
    #expect((388...390).contains(seconds))
  }

  @Test func waitForItemReturnsItemOrNull() throws {
    let steps =
      "- wait: {entity: Note, where: 'text == \"here\"', for: 3s}\n  as: note\n- value: '{{ note }}'"
    #expect(try value(steps) == .null)
    let there =
      "- create: {entity: Note, set: {text: here}}\n" + steps
      + "\n- value: '{{ note == null ? \"\" : note.text }}'"
    #expect(try value(there) == .string("here"))
  }

  @Test func notifyShowsNotification() throws {
    let run = try run(
      "- notify: {title: T, text: 'n {{ 1 }}'}\n  as: action\n- value: '{{ action }}'")
    #expect(try run.perform().value == .null)
    #expect(run.world.state.withLock { $0.notifications } == ["n 1"])
  }

  @Test func stepWithoutValueKeepsIt() throws {
    #expect(
      try value("- value: 1\n- log: x\n- wait: 1s\n- notify: x\n- progress: 1\n- value: '{{ it }}'")
        == .int(1))
  }
}
