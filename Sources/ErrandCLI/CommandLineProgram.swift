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
      console = Console(
        network == nil
          ? ProgramLink(words: try HandedWords.take()) : try ProgramLink.taking(network))
    } catch {
      return report(error, [], Console())
    }
    let status = status(console)
    console.flush()
    return console.status(status)
  }

  private static func status(_ console: Console) -> Int32 {
    do {
      if console.link.words != nil { HandedWords.endWithReader() }
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
    guard let start = try commandIndex(in: words) else { return try withoutCommand(words, console) }
    let name = words[start]
    // Common flags may stand before the command, too.
    let rest = Array(words[..<start]) + Array(words[(start + 1)...])
    if let command = CommandTable.command(named: name) { return try run(command, rest, console) }
    let first = try ParsedArguments(rest, flags: Flag.common, passesUnknown: true)
    let loader = try Invocation(first, console: console, isCommand: CommandTable.holds)
    let library = try loader.library()
    if let definition = try library.action(name) {
      return try run(definition, rest, console, after: loader)
    }
    guard let alias = Alias(named: name) else {
      throw CommandTable.unknown(name, library)
    }
    let meaning = try alias.meaning(rest, in: library)
    if let command = CommandTable.command(named: meaning.name) {
      return try run(command, meaning.rest, console, after: loader)
    }
    guard let definition = try library.action(meaning.name) else {
      throw CommandTable.unknown(meaning.name, library)
    }
    return try run(definition, meaning.rest, console, after: loader)
  }

  private static func run(
    _ definition: ActionDefinition, _ rest: [String], _ console: Console, after loader: Invocation
  ) throws -> Int32 {
    try ActionCommand.run(definition, rest, console: console) { arguments in
      try Invocation(arguments, after: loader)
    }
  }

  /// Runs a command of the program's own.
  ///
  /// - Parameter loader: The invocation that has read the definitions already, if any.
  private static func run(
    _ command: Command, _ rest: [String], _ console: Console, after loader: Invocation? = nil
  ) throws -> Int32 {
    switch command.body {
    case .words(let run): return try run(command, rest, console)
    case .invocation(let run):
      let arguments = try ParsedArguments(
        rest, flags: command.flags + command.commonFlags,
        advice: FlagAdvice(command: command.name, help: command.flagHelp))
      if arguments.isOn("help") {
        console.out(HelpText(console).command(command, Alias.names(of:)))
        return ExitStatus.done
      }
      try command.expectUse(of: arguments.words)
      if command.onlyReads(arguments) { console.noteThatItOnlyReads() }
      let invocation =
        try loader.map {
          try Invocation(arguments, after: $0, cause: command.name)
        }
        ?? Invocation(
          arguments, console: console, cause: command.name, isCommand: CommandTable.holds)
      // These have nothing to work on in a new store.
      let needsItems = ["update", "delete", "undo", "redo"].contains(command.name)
      invocation.onlyReads = { needsItems || command.onlyReads(arguments) }
      defer { invocation.finish() }
      let status = try run(invocation, arguments)
      try invocation.expectSoundStore()
      return status
    }
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
      console.out("errand \(Release.version)\n")
      return ExitStatus.done
    }
    let arguments = try ParsedArguments(words, flags: Flag.common)
    let invocation = try Invocation(arguments, console: console, isCommand: CommandTable.holds)
    if arguments.isOn("help") {
      invocation.pager.write(
        HelpText(console).overview(
          try invocation.library(), CommandTable.groups, Alias.names(of:)))
    } else {
      console.out(HelpText(console).start(isEmpty: try invocation.isLibraryEmpty))
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
