import Catalog
import Engine
import Exchange
import Glibc
import JSON
import Source

/// The program: finds out what a command line asks for, and does it.
package enum Errand {
  /// The version of this release.
  package static let version = "0.1.0"

  /// Runs a command line, its first word left out, and gives the exit status.
  package static func main() -> Int32 {
    let console = Console()
    defer { console.flush() }
    do {
      let words = try arguments()
      do {
        return try run(words, console)
      } catch {
        return report(error, words, console)
      }
    } catch {
      return report(error, [], console)
    }
  }

  /// The words of the command line.
  ///
  /// - Throws: `UsageError` for one that is not UTF-8, which the standard library would alter.
  private static func arguments() throws(UsageError) -> [String] {
    var words: [String] = []
    for index in 1..<max(1, Int(CommandLine.argc)) {
      guard let pointer = CommandLine.unsafeArgv[index] else { break }
      guard let word = String(validatingCString: pointer) else {
        throw UsageError("argument \(index) is not valid UTF-8", help: "convert it to UTF-8 first")
      }
      words.append(word)
    }
    return words
  }

  private static func run(_ words: [String], _ console: Console) throws -> Int32 {
    guard let start = try commandIndex(in: words) else { return try withoutCommand(words, console) }
    let name = words[start]
    // Common flags may stand before the command, too.
    let rest = Array(words[(start + 1)...])
    let before = Array(words[..<start])
    guard let command = Command.named(name) else {
      let loader = try Invocation(try parsed(before + rest, lenient: true), console: console)
      guard let definition = try loader.library().action(name) else {
        throw unknown(name, try loader.library())
      }
      return try ActionCommand.run(definition, before + rest, console: console) { arguments in
        try Invocation(arguments, after: loader)
      }
    }
    if command.name == "run" || command.name == "call" {
      return try runTarget(command, before + rest, console)
    }
    let arguments = try ParsedArguments(before + rest, flags: command.flags + Flag.common)
    if arguments.isOn("help") {
      console.out(HelpText(console).command(command))
      return ExitStatus.done
    }
    try command.expectUse(of: arguments.words)
    let invocation = try Invocation(arguments, console: console, cause: command.name)
    defer { invocation.finish() }
    let status = try command.run(invocation, arguments)
    try invocation.expectSoundStore()
    return status
  }

  /// `run` and `call`: the flags are known once it is known what is to be run.
  private static func runTarget(
    _ command: Command, _ rest: [String], _ console: Console
  ) throws -> Int32 {
    let first = try parsed(rest, lenient: true)
    guard let word = first.words.first else {
      if first.isOn("help") {
        console.out(HelpText(console).command(command))
        return ExitStatus.done
      }
      throw UsageError(
        "`\(command.name)` needs a name", help: "`errand list` shows the names")
    }
    let loader = try Invocation(first, console: console)
    let name =
      command.name == "run" ? try RunTarget(try loader.session()).name(word) : word
    guard let definition = try loader.library().action(name) else {
      throw unknown(name, try loader.library())
    }
    let flags = ActionArguments(definition).flags() + Flag.common
    let arguments = try ParsedArguments(rest, flags: flags)
    if arguments.isOn("help") {
      console.out(HelpText(console).action(definition))
      return ExitStatus.done
    }
    let invocation = try Invocation(arguments, after: loader)
    return try ActionCommand.run(
      definition, arguments, words: Array(arguments.words.dropFirst()), invocation)
  }

  /// The common flags among words whose other flags are not known yet.
  private static func parsed(_ words: [String], lenient: Bool) throws(UsageError) -> ParsedArguments
  {
    try ParsedArguments(words, flags: Flag.common, passesUnknown: lenient)
  }

  /// Where the name of the command stands: the first word that is no flag or a flag's value.
  private static func commandIndex(in words: [String]) throws(UsageError) -> Int? {
    var index = 0
    while index < words.count {
      let word = words[index]
      if word == "--" { return index + 1 < words.count ? index + 1 : nil }
      guard word.hasPrefix("-"), word != "-" else { return index }
      let flag = Flag.common.first { flag in
        "--" + flag.name == word || flag.short.map { "-\($0)" == word } ?? false
      }
      if let flag, case .value = flag.kind { index += 1 }
      index += 1
    }
    return nil
  }

  private static func withoutCommand(_ words: [String], _ console: Console) throws -> Int32 {
    if words.contains("--version") || words.contains("-V") {
      console.out("errand \(version)\n")
      return ExitStatus.done
    }
    let arguments = try ParsedArguments(words, flags: Flag.common)
    let invocation = try Invocation(arguments, console: console)
    let text = HelpText(console).overview(try invocation.library())
    if arguments.isOn("help") {
      console.out(text)
      return ExitStatus.done
    }
    console.err(text)
    return ExitStatus.usage
  }

  /// The error for a word that is no command.
  static func unknown(_ name: String, _ library: Library) -> UsageError {
    let names = Command.all.map(\.name) + library.actionNames
    return UsageError(
      "there is no command `\(name)`",
      help: Suggestion.nearest(to: name, in: names).map { "did you mean `errand \($0)`?" }
        ?? "`errand help` lists the commands")
  }

  private static func report(_ error: any Error, _ words: [String], _ console: Console) -> Int32 {
    let report = ErrorReport(error)
    let isEvents = words.contains("--events")
    let isJSON =
      isEvents || words.contains("--json") || words.contains("--jsonl") || words.contains("-0")
      || words.contains { $0 == "--format" || $0.hasPrefix("--format=") }
    console.flush()
    guard isJSON, let text = try? JSONWriter().text(of: report.json.value) else {
      console.err(report.text(style: console.diagnosticStyle))
      return report.status
    }
    if isEvents {
      console.out("{\"event\":\"error\",\"error\":\(text)}\n")
    } else {
      console.err("{\"error\":\(text)}\n")
    }
    return report.status
  }
}
