import CEL
import Engine
import ErrandKit
import Exchange
import JSON
import Source

/// Evaluates expressions from the command line or from JSON Lines.
struct EvalCommand {
  static let command = Command(
    "eval", "evaluate an expression", usage: "EXPRESSION",
    discussion: """
      With --batch, reads JSON Lines {"expr": …, "vars": {…}} and answers each with a line
      {"value": …} or {"error": {…}}.
      """,
    flags: [
      Flag(
        "var", .value("NAME=VALUE"), "a variable with a text value; may be repeated",
        isList: true),
      Flag("vars", .value("JSON"), "variables as a JSON object"),
      Flag("batch", .toggle, "evaluate each line of standard input"),
    ],
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    try EvalCommand(invocation).run(arguments)
  }

  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run(_ arguments: ParsedArguments) throws -> Int32 {
    if arguments.isOn("batch") { return try batch() }
    guard let text = arguments.words.first, arguments.words.count == 1 else {
      throw UsageError(
        arguments.words.isEmpty ? "missing expression" : "an expression is one word",
        help: "put it in quotes: errand eval '1 + 2'")
    }
    var variables: [(String, Value)] = []
    for (name, value) in try arguments.pairs("var") {
      if case .string(let earlier)? = variables.first(where: { $0.0 == name })?.1 {
        throw UsageError(givenTwice: "`\(name)`", earlier, value)
      }
      variables.append((name, .string(value)))
    }
    if let json = arguments.last("vars") {
      guard case .map(let map) = try JSONParser().parse(json) else {
        throw UsageError("--vars is a JSON object", help: "write --vars '{\"n\": 1}'")
      }
      variables += map.entries.map { ($0.key.text, $0.value) }
    }
    let value = try invocation.session().evaluate(
      text == "-" ? try StandardInput.text() : text, variables, label: "<expression>")
    try invocation.resultWriter.write(value)
    return ExitStatus.done
  }

  /// Answers each line of standard input with a line of its own; a bad line stops nothing.
  private func batch() throws -> Int32 {
    let session = try invocation.session()
    let json = ItemJSON(session.host.clock)
    let input = InputFile(descriptor: 0, name: "standard input")
    var lines = JSONLinesReader { try input.read(into: $0) }
    var status = ExitStatus.done
    while let line = try lines.next() {
      let answer: (String, Value)
      do {
        answer = ("value", try value(of: line, session))
      } catch {
        answer = ("error", ErrorReport(error).json.value)
        status = ExitStatus.failed
      }
      let text: String
      do {
        text = try json.text(of: .map(MapValue([answer])))
      } catch {
        text = try json.text(of: .map(MapValue([("error", ErrorReport(error).json.value)])))
        status = ExitStatus.failed
      }
      invocation.console.result(text + "\n")
      invocation.console.flush()
    }
    return status
  }

  private func value(of line: JSONLinesReader.Line, _ session: Run) throws -> Value {
    guard case .map(let map) = try line.value.get(), case .string(let text)? = map["expr"] else {
      throw UsageError("a line is an object with `expr`", help: "write {\"expr\": \"1 + 2\"}")
    }
    var variables: [(name: String, value: Value)] = []
    switch map["vars"] {
    case nil, .null?: break
    case .map(let given)?: variables = given.entries.map { ($0.key.text, $0.value) }
    default: throw UsageError("`vars` is an object from names to values")
    }
    return try session.evaluate(text, variables, label: "line \(line.number)")
  }
}
