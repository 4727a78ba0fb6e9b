import CEL
import Source
import Testing

@testable import Engine

/// Language §6: effects of steps on `it`, names and control flow.
@Suite struct StepTests {
  struct Row: CustomTestStringConvertible, Sendable {
    let name: String
    let steps: String
    let expected: Value

    init(_ name: String, _ steps: String, _ expected: Value) {
      self.name = name
      self.steps = steps
      self.expected = expected
    }

    var testDescription: String { name }
  }

  static func ints(_ values: Int64...) -> Value { .list(values.map(Value.int)) }

  @Test(arguments: [
    Row("a call sets it", "- value: 1\n- value: '{{ it + 1 }}'", .int(2)),
    Row("say leaves it alone", "- value: 1\n- say: hello\n- log: x\n- value: '{{ it }}'", .int(1)),
    Row("set leaves it alone", "- value: 1\n- set: {n: 5}", .int(1)),
    Row(
      "as names a result", "- value: 1\n  as: one\n- value: 2\n- value: '{{ one + it }}'", .int(3)),
    Row("a skipped step leaves it alone", "- value: 1\n- value: 2\n  when: false", .int(1)),
    Row(
      "a skipped step names null", "- value: 2\n  when: false\n  as: x\n- value: '{{ x == null }}'",
      .bool(true)),
    Row(
      "if takes the branch",
      "- value: 3\n- if: it > 2\n  then: [{value: big}]\n  else: [{value: small}]", .string("big")),
    Row(
      "elif",
      "- value: 2\n- if: it > 2\n  then: [{value: a}]\n  elif: [{if: it == 2, then: [{value: b}]}]\n  else: [{value: c}]",
      .string("b")),
    Row(
      "else", "- value: 0\n- if: it > 2\n  then: [{value: a}]\n  else: [{value: c}]", .string("c")),
    Row(
      "a block's value has a name", "- if: true\n  then: [{value: 7}]\n  as: x\n- value: '{{ x }}'",
      .int(7)),
    Row(
      "no branch taken is null",
      "- value: 1\n- if: false\n  then: [{value: 7}]\n  as: x\n- value: '{{ x == null && it == 1 }}'",
      .bool(true)),
    Row(
      "it begins in a block as outside",
      "- value: 4\n- if: true\n  then: [{value: '{{ it * 2 }}'}]", .int(8)),
    Row(
      "for gives the list of its passes",
      "- for: n\n  in: [1, 2, 3]\n  do: [{value: '{{ n * 10 }}'}]", ints(10, 20, 30)),
    Row(
      "in a loop it is the item", "- for: n\n  in: [1, 2]\n  do: [{value: '{{ it + n }}'}]",
      ints(2, 4)),
    Row(
      "index counts from zero", "- for: n\n  in: [5, 6]\n  index: i\n  do: [{value: '{{ i }}'}]",
      ints(0, 1)),
    Row(
      "continue leaves a pass out",
      "- for: n\n  in: [1, 2, 3]\n  do:\n    - if: n == 2\n      then: [continue]\n    - value: '{{ n }}'",
      ints(1, 3)),
    Row(
      "break leaves its pass out",
      "- for: n\n  in: [1, 2, 3]\n  do:\n    - if: n == 2\n      then: [break]\n    - value: '{{ n }}'",
      ints(1)),
    Row(
      "repeat counts",
      "- set: {n: 0}\n- repeat: 3\n  do: [{set: {n: '{{ n + 1 }}'}}, {value: '{{ n }}'}]",
      ints(1, 2, 3)),
    Row(
      "while goes on",
      "- set: {n: 0}\n- while: n < 3\n  do: [{set: {n: '{{ n + 1 }}'}}]\n- value: '{{ n }}'",
      .int(3)),
    Row("for over null is no pass", "- for: n\n  in: '{{ null }}'\n  do: [{value: 1}]", .list([])),
    Row(
      "for over a map", "- for: e\n  in: {a: 1, b: 2}\n  do: [{value: '{{ e.key }}'}]",
      .list([.string("a"), .string("b")])),
    Row(
      "set assigns the nearest",
      "- set: {n: 1}\n- if: true\n  then: [{set: {n: 2}}]\n- value: '{{ n }}'", .int(2)),
    Row(
      "set finds all values first",
      "- set: {a: 1, b: 2}\n- set: {a: '{{ b }}', b: '{{ a }}'}\n- value: '{{ a * 10 + b }}'",
      .int(21)),
    Row(
      "a block's names end with it",
      "- if: true\n  then: [{value: 1, as: x}]\n- value: 2\n  as: x\n- value: '{{ x }}'", .int(2)),
    Row(
      "as may hide an outer name",
      "- value: 1\n  as: x\n- if: true\n  then: [{value: 2, as: x}]\n- value: '{{ x }}'", .int(1)),
    Row("stop ends with no value", "- value: 1\n- stop\n- value: 2", .null),
    Row("return ends with one", "- value: 1\n- return: 5\n- value: 2", .int(5)),
    Row(
      "return from within a loop", "- for: n\n  in: [1, 2]\n  do: [{return: '{{ n }}'}]", .int(1)),
    Row("a lone template keeps its type", "- value: '{{ [1, 2] }}'", ints(1, 2)),
    Row("mixed text is rendered", "- value: 'a {{ [1, 2] }} {{ null }}b'", .string("a 1, 2 b")),
    Row(
      "plain scalars follow the core schema", "- value: [1, 1.5, true, yes, ~, '1']",
      .list([.int(1), .double(1.5), .bool(true), .string("yes"), .null, .string("1")])),
    Row("maps", "- value: {value: {a: 1, b: '{{ 1 + 1 }}'}}\n- value: '{{ it.b }}'", .int(2)),
    Row("a literal opening", "- value: '{{{{ x }}'", .string("{{ x }}")),
    Row("a block scalar's last newline goes", "- value: |\n    {{ 1 + 1 }}", .int(2)),
    Row("expressions may stand in braces", "- if: '{{ 1 < 2 }}'\n  then: [{value: 1}]", .int(1)),
  ])
  func steps(_ row: Row) throws {
    #expect(try value(row.steps) == row.expected)
  }

  @Test func variableKeepsType() throws {
    let error = #expect(throws: RunError.self) {
      try value("- set: {n: 1}\n- set: {n: '{{ parseJson(\"[]\") }}'}")
    }
    #expect(error?.code == .invalidValue)
    #expect(
      try problems("shortcut: t\nsteps:\n  - set: {n: 1}\n  - set: {n: text}\n")
        == ["invalid-value 4:14"])
  }

  @Test func declaredVariableConvertsToType() throws {
    let run = try TestRun(
      "shortcut: t\nvariables: {x: {type: double, value: 1}}\nsteps:\n  - value: '{{ x + 0.5 }}'\n")
    #expect(try run.perform().value == .double(1.5))
  }

  @Test func failRaisesErrorWithPath() throws {
    let error = #expect(throws: RunError.self) {
      try value(
        "- if: true\n  name: Look\n  then:\n    - fail: {message: It went wrong, code: oops}")
    }
    #expect(error?.code.name == "oops")
    #expect(error?.message == "It went wrong")
    #expect(error?.path == ["Look", "fail"])
    #expect(error?.span?.position.line == 6)
  }

  /// The ranges declared by verbs also apply to values known only at run time.
  @Test(arguments: [
    ("fail: {message: x, status: '{{ input }}'}", "126", "`status` must be from 1 to 125, not 126"),
    ("find: {entity: Link, limit: '{{ input }}'}", "-1", "`limit` must be at least 0, not -1"),
    ("progress: {done: '{{ input }}'}", "-1", "`done` must be at least 0, not -1"),
    (
      "progress: {done: '{{ 1.0 / double(input) }}'}", "0",
      "`done` must be at least 0, not Infinity"
    ),
    ("activity: {key: x, progress: '{{ input }}'}", "2", "`progress` must be from 0 to 1, not 2"),
  ])
  func anArgumentStaysInItsRange(step: String, n: String, message: String) throws {
    let run = try TestRun("shortcut: t\ninput: int\nsteps:\n  - \(step)\n")
    let error = #expect(throws: RunError.self) { try run.perform(nil, ["input": n]) }
    #expect(error?.code == .invalidValue)
    #expect(error?.message.hasSuffix(message) == true, "\(error?.message ?? "")")
    #expect(error?.span?.position.line == 4)
  }

  @Test func endlessLoopHitsLimit() throws {
    let error = #expect(throws: RunError.self) { try value("- while: true\n  do: [{set: {n: 1}}]") }
    #expect(error?.code == .failed)
  }

  @Test func recursionHitsLimit() throws {
    let run = try TestRun("shortcut: again\nsteps:\n  - again\n")
    let error = #expect(throws: RunError.self) { try run.perform() }
    #expect(error?.code == .failed)
  }

  @Test func failedEvaluationHasPlace() throws {
    let error = #expect(throws: RunError.self) {
      try value("- value: 'a {{ 1 / (size([now()]) - 1) }}'")
    }
    #expect(error?.span?.position.line == 3)
    #expect(error?.span?.position.column == 20)
  }
}
