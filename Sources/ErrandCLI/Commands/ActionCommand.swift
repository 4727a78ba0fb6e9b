import CEL
import Catalog
import Engine
import Items
import Source
import YAML

/// An intent or a shortcut as a command.
enum ActionCommand {
  /// Runs it with the words of the command line that follow its name.
  static func run(
    _ definition: ActionDefinition, _ rest: [String], console: Console,
    invocation: (ParsedArguments) throws -> Invocation
  ) throws -> Int32 {
    let command = ActionArguments(definition)
    let arguments = try ParsedArguments(rest, flags: command.flags() + Flag.common)
    let invocation = try invocation(arguments)
    if arguments.isOn("help") {
      console.out(HelpText(console).action(definition))
      return ExitStatus.done
    }
    return try run(definition, arguments, words: arguments.words, invocation)
  }

  /// Runs it with what was given.
  static func run(
    _ definition: ActionDefinition, _ arguments: ParsedArguments, words: [String],
    _ invocation: Invocation
  ) throws -> Int32 {
    defer { invocation.finish() }
    let command = ActionArguments(definition)
    let given = try command.given(arguments, words: words) {
      try StandardInput.text()
    }
    let session = try invocation.session()
    // A template that is wrong is bad usage, and must be found before anything is done.
    try invocation.resultWriter.checkFormat()
    if command.explains, arguments.isOn(Flag.explainRun.name) {
      session.queryObserver = { query in
        let explanation = try session.explain(query)
        try ExplanationWriter(invocation).note(explanation, of: query.entity)
      }
    }
    let outcome = try Interruption.holding { try session.perform(definition.name.text, given) }
    for key in session.answers.unused {
      invocation.console.err("errand: nothing asked for “\(key)”, so its --answer was not used\n")
    }
    try invocation.resultWriter.write(outcome)
    try invocation.expectSoundStore()
    if command.tellsEmpty, case .list(let values) = outcome.value, values.isEmpty {
      return arguments.status(ofFound: 0)
    }
    return ExitStatus.done
  }
}

/// Text on standard input, read only where a person wrote `-`.
enum StandardInput {
  /// How much is read at most.
  private static let limit = 64 << 20

  /// All of it, without the line end after the last line.
  ///
  /// - Throws: a `Diagnostic` when it can't be read or is not UTF-8.
  static func text() throws -> String {
    var bytes = try FileReader.bytes(of: "-", limit: limit)
    if bytes.last == 0x0A { bytes.removeLast() }
    if bytes.last == 0x0D { bytes.removeLast() }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw Diagnostic(
        "invalid-utf8", "standard input is not valid UTF-8", help: "convert it to UTF-8 first")
    }
    return text
  }
}
