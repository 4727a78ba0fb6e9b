import CEL
import Engine
import ErrandKit
import Exchange
import Items
import JSON
import Program
import Source

/// `errand eval`: evaluates expressions from the command line or from JSON Lines.
enum EvalCommand {
  static let command = Command(
    "eval", "evaluate an expression", usage: "EXPRESSION…",
    discussion: """
      Several words are one expression; quotes keep the shell from changing it. With --batch, reads JSON Lines {"expr": …, "vars": {…}} and answers each with a line
      {"value": …} or {"error": {…}}.
      """,
    flags: [
      Flag(
        "var", .value("NAME=VALUE"), "a variable with a text value; may be repeated",
        isList: true),
      Flag("vars", .value("JSON"), "variables as a JSON object; @FILE and - read one"),
      Flag("batch", .toggle, "evaluate each line of standard input"),
    ],
    serves: [.json, .format, .events], reads: .always
  ) { invocation, arguments in
    if arguments.isOn("batch") { return try batch(invocation) }
    let text = arguments.words.joined(separator: " ")
    try UsageError.expect(
      !text.isEmpty, "missing expression", help: "put it in quotes: errand eval '1 + 2'")
    // A path of jq; `.size(x)` calls a function.
    if text.hasPrefix("."), text.dropFirst().first?.isLetter == true, !text.contains("("),
      arguments.last("vars") == nil, arguments.last("var") == nil
    {
      throw UsageError(
        "nothing stands before the dot of “\(text.shortened)”",
        help: "give JSON by --vars, and begin with the name of a field: "
          + "errand eval --vars - \(String(text.drop { $0 == "." }).quotedForShell) < FILE")
    }
    var variables: [(String, Value)] = []
    for (name, value) in try arguments.pairs("var") {
      if case .string(let earlier)? = variables.first(where: { $0.0 == name })?.1 {
        throw UsageError(givenTwice: "`\(name)`", earlier, value)
      }
      variables.append((name, .string(value)))
    }
    if let json = arguments.last("vars") {
      let given = try ShellValue(
        name: "vars", type: .map(.any), isFlag: true, note: { _ in }
      ).given([json])
      guard case .value(.map(let map)) = given else {
        throw UsageError("--vars must be a JSON object", help: "write --vars '{\"n\": 1}'")
      }
      variables += map.entries.map { ($0.key.text, $0.value) }
    }
    let value = try invocation.openRun().evaluate(
      text == "-" ? try StandardInput.text() : text, variables, label: "<expression>")
    try invocation.resultWriter.write(value)
  }

  /// Evaluates standard input line by line, with one result line each; evaluation continues after
  /// an invalid line.
  private static func batch(_ invocation: Invocation) throws {
    let run = try invocation.openRun()
    let json = ItemJSON(run.host.clock)
    let input = InputFile(descriptor: 0, name: "standard input")
    var lines = JSONLinesReader { try input.read(into: $0) }
    while let line = try lines.next() {
      let text: String
      do {
        text = try json.text(of: .record(["value": try value(of: line, run)]))
      } catch {
        text = try json.text(of: .record(["error": ErrorReport(error).json.value]))
        invocation.status = ExitStatus.failed
      }
      invocation.console.result(text + "\n")
      invocation.console.flush()
    }
  }

  private static func value(of line: JSONLinesReader.Line, _ run: Run) throws -> Value {
    guard case .map(let map) = try line.value.get(), case .string(let text)? = map["expr"] else {
      throw UsageError(
        "each line must be an object with `expr`", help: "write {\"expr\": \"1 + 2\"}")
    }
    var variables: [(name: String, value: Value)] = []
    switch map["vars"] {
    case nil, .null?: break
    case .map(let given)?: variables = given.entries.map { ($0.key.text, $0.value) }
    default: throw UsageError("`vars` must be an object of names and values")
    }
    return try run.evaluate(text, variables, label: "line \(line.number)")
  }
}
