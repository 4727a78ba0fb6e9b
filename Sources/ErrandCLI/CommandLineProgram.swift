import Catalog
import Engine
import ErrandKit
import Exchange
import Glibc
import JSON
import Source

/// The program: finds out what a command line asks for, and does it.
package enum CommandLineProgram {
  /// Runs a command line, its first word left out, and gives the exit status.
  ///
  /// - Parameter network: makes what reaches the network; nil in the link that does not.
  package static func main(network: NetworkMaker? = nil) -> Int32 {
    StandardStreams.fill()
    let console: Console
    do throws(RunError) {
      console = Console(try ProgramLink.taking(network))
    } catch {
      return report(error, [], Console())
    }
    let status = status(console)
    console.flush()
    return console.status(status)
  }

  private static func status(_ console: Console) -> Int32 {
    do {
      if console.link.words != nil { HandedCall.endWithReader() }
      let words = try console.link.words ?? arguments()
      do {
        return try run(words, console)
      } catch let end as Cancellation {
        if let failure = end.failure { _ = report(failure, words, console) }
        console.flush()
        Interruption.finish()
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
      if let word = String(validatingCString: pointer) {
        words.append(word)
      } else if takesAnyName {
        words.append(RawWord.text(of: pointer))
      } else {
        throw UsageError("argument \(index) is not valid UTF-8", help: "convert it to UTF-8 first")
      }
    }
    return words
  }

  /// Whether words may be names of files in whatever bytes: they are shared, and not looked at.
  private static var takesAnyName: Bool {
    (1..<max(1, Int(CommandLine.argc))).contains { index in
      CommandLine.unsafeArgv[index].map { strcmp($0, ShareInCommand.name) == 0 } ?? false
    }
  }

  private static func run(_ words: [String], _ console: Console) throws -> Int32 {
    var line = ParsedArguments(words)
    try line.takeKnown(Flag.common)
    guard let name = line.takeFirst() else { return try withoutCommand(line, console) }
    if let command = CommandTable.command(named: name) {
      guard case .invocation = command.body else {
        return try run(command, Invocation(line, console, isCommand: CommandTable.holds))
      }
      // What is wrong with the flags is told before anything is looked at.
      if try !expectUse(of: command, &line, console) { return ExitStatus.done }
      return try run(command, Invocation(line, console, command, isCommand: CommandTable.holds))
    }
    let invocation = try Invocation(line, console, isCommand: CommandTable.holds)
    let library = try invocation.library()
    if let definition = try library.action(name) {
      return try ActionCommand.run(definition, invocation)
    }
    guard let alias = Alias(named: name) else { throw CommandTable.unknown(name, library) }
    let meaning = try alias.meaning(line, in: library)
    guard let command = CommandTable.command(named: meaning) else {
      guard let definition = try library.action(meaning) else {
        throw CommandTable.unknown(meaning, library)
      }
      return try ActionCommand.run(definition, invocation)
    }
    if try !expectUse(of: command, &line, console) { return ExitStatus.done }
    invocation.take(line, command)
    return try run(command, invocation)
  }

  /// Sorts the words of a command; false when they ask for its help, which is written then.
  private static func expectUse(
    of command: Command, _ line: inout ParsedArguments, _ console: Console
  ) throws -> Bool {
    try line.take(
      command.flags + command.commonFlags,
      advice: FlagAdvice(command: command.name, help: command.flagHelp))
    if line.isOn("help") {
      console.out(HelpText(console).command(command, Alias.names(of:)))
      return false
    }
    try command.expectUse(of: line.words)
    return true
  }

  /// Runs a command of the program's own.
  private static func run(_ command: Command, _ invocation: Invocation) throws -> Int32 {
    switch command.body {
    case .invocation(let run):
      defer { invocation.finish() }
      let status = try run(invocation, invocation.arguments)
      try invocation.expectSoundStore()
      return status
    case .target(let target):
      guard let word = invocation.arguments.plainWords.first else {
        if invocation.arguments.isOn("help") {
          invocation.console.out(
            HelpText(invocation.console).command(command, Alias.names(of:)))
          return ExitStatus.done
        }
        throw UsageError(
          "`\(command.name)` needs a name", help: "`errand list` shows the names")
      }
      let target = try target(word, invocation)
      let library = try invocation.library()
      guard let definition = try library.action(target.name) else {
        throw CommandTable.unknown(target.name, library)
      }
      return try ActionCommand.run(definition, invocation, target)
    }
  }

  private static func withoutCommand(_ line: ParsedArguments, _ console: Console) throws -> Int32 {
    var line = line
    if line.open.contains("--version") || line.open.contains("-V") {
      console.out("errand \(Release.version)\n")
      return ExitStatus.done
    }
    try line.take(Flag.common)
    let invocation = try Invocation(line, console, isCommand: CommandTable.holds)
    if line.isOn("help") {
      invocation.pager.write(
        HelpText(console).overview(
          try invocation.library(), CommandTable.groups, Alias.names(of:)))
    } else {
      console.out(HelpText(console).start(isEmpty: try invocation.absentStore() != nil))
    }
    return ExitStatus.done
  }

  private static func report(_ error: any Error, _ words: [String], _ console: Console) -> Int32 {
    let report = ErrorReport(error)
    let isEvents = words.contains("--events")
    // With a template or NUL a person may still be reading; a program reads a pipe.
    let hasForm =
      words.contains("-0") || words.contains("--null")
      || words.contains { $0 == "--format" || $0.hasPrefix("--format=") }
    let isJSON =
      isEvents || words.contains("--json") || words.contains("--jsonl")
      || hasForm && !console.stderrIsTerminal
    console.flush()
    guard isJSON, let text = try? JSONWriter().text(of: report.json.value) else {
      console.err(report.text(style: console.diagnosticStyle))
      return report.status
    }
    if isEvents {
      console.result("{\"event\":\"error\",\"error\":\(text)}\n")
    } else {
      console.err("{\"error\":\(text)}\n")
    }
    return report.status
  }
}
