import Catalog
package import Engine
import ErrandKit
import Exchange
import Glibc
import JSON
import Program
import Source

/// The command-line program: parses arguments, runs the command, intent or shortcut they name, and
/// reports the outcome.
///
/// The target owns everything a person meets on a terminal: flags, commands, help, messages, prompts,
/// the pager and exit statuses.
package enum CommandLineProgram {
  /// Runs the process's command line and returns the exit status.
  ///
  /// - Parameters:
  ///   - network: Makes the HTTP client; nil in the binary without network access.
  ///   - pushCipher: The cryptography of Web Push; nil in the binary without network access.
  ///   - serve: Serves the HTTP API; nil in the binary without network access.
  ///   - hub: Connects to a hub; nil in the binary without network access.
  package static func main(
    network: NetworkMaker? = nil, pushCipher: PushCipher? = nil, serve: ServerMaker? = nil,
    hub: HubMaker? = nil
  ) -> Int32 {
    StandardStreams.fill()
    let console: Console
    do throws(RunError) {
      var link = try ProgramLink.taking(network)
      link.pushCipher = pushCipher
      link.serve = serve
      link.hub = hub
      console = Console(link)
    } catch {
      return report(error, [], Console())
    }
    let status = status(console)
    console.flush()
    return console.status(status)
  }

  private static func status(_ console: Console) -> Int32 {
    do {
      if console.link.words != nil { HandedCall.whenReaderIsGone { Interruption.loseReader() } }
      let words = try console.link.words ?? arguments()
      do {
        return try run(words, console)
      } catch let end as Cancellation {
        // A person sees their own Ctrl-C; a program needs an event.
        let cancelled = isForPrograms(words) ? RunError(.cancelled, "the run was ended") : nil
        if let error = end.failure ?? cancelled { _ = report(error, words, console) }
        console.flush()
        Interruption.finish()
      } catch {
        return report(error, words, console)
      }
    } catch {
      return report(error, [], console)
    }
  }

  /// Returns the arguments.
  ///
  /// - Throws: `UsageError` for invalid UTF-8, which the standard library would repair silently.
  private static func arguments() throws(UsageError) -> [String] {
    let words = (1..<max(1, Int(CommandLine.argc))).compactMap { index in
      CommandLine.unsafeArgv[index].map { RawWord.text(of: $0) }
    }
    // File names to share may be any bytes, so the words of `share-in` are not checked.
    let wrong = words.firstIndex { !RawWord.isText($0) }
    guard let wrong, !words.contains(ShareInCommand.name), words.first != Completer.name
    else { return words }
    throw UsageError("argument \(wrong + 1) is not valid UTF-8", help: "convert it to UTF-8 first")
  }

  private static func run(_ words: [String], _ console: Console) throws -> Int32 {
    if words.first == Completer.name {
      console.result(Completer(Array(words.dropFirst())).text)
      return ExitStatus.done
    }
    if words.first == ManPage.name, let page = words.last.flatMap(ManPage.init) {
      console.result(page.text)
      return ExitStatus.done
    }
    var line = Arguments(words)
    try line.takeKnown(Flag.common)
    let strayFlag = line.strayFlag
    guard let name = line.takeFirst() else { return try withoutCommand(line, console) }
    if var command = CommandTable.command(named: name) {
      if let other = line.plainWords.first.flatMap({ command.others[$0] }) {
        command = other()
        _ = line.takeFirst()
      }
      // Wrong flags are reported before definitions or store are read.
      guard try isWanted(command, &line, console) else { return ExitStatus.done }
      let invocation = try Invocation(line, console, command, isCommand: CommandTable.holds)
      return try finish(invocation) { try command.run(invocation, invocation.arguments) }
    }
    let invocation = try Invocation(line, console, isCommand: CommandTable.holds)
    let catalog = try invocation.catalog()
    if let definition = try catalog.action(name) {
      return try finish(invocation) { try ActionCommand.run(definition, invocation) }
    }
    if !["ls", "rm"].contains(name),
      let meant = try NounAndVerb.command(
        meantBy: [name] + line.parts.words, flags: line.parts.flags, in: catalog,
        isCommand: CommandTable.holds)
    {
      throw UsageError("unknown command `\(name)`", help: "did you mean `\(meant)`?")
    }
    let meaning = try Alias.meaning(of: name, line, in: catalog) ?? name
    if let command = CommandTable.command(named: meaning) {
      guard try isWanted(command, &line, console) else { return ExitStatus.done }
      invocation.take(line, command)
      return try finish(invocation) { try command.run(invocation, invocation.arguments) }
    }
    guard let definition = try catalog.action(meaning) else {
      if let strayFlag { throw line.strayFlag(strayFlag, before: name) }
      throw CommandTable.unknown(meaning, catalog, after: line.plainWords, invocation)
    }
    return try finish(invocation) { try ActionCommand.run(definition, invocation) }
  }

  /// Parses the arguments of a command; false if they asked for help, which is then printed.
  private static func isWanted(
    _ command: Command, _ line: inout Arguments, _ console: Console
  ) throws -> Bool {
    guard command.sortsFlags else { return true }
    try line.take(
      command.flags + command.commonFlags,
      advice: FlagAdvice(
        command: command.name, takesWords: { [usage = command.usage] in usage.hasPart("WORDS…") },
        help: command.flagHelp)
    )
    if line.isOn("help") {
      console.out(HelpText(console).command(command))
      return false
    }
    try command.expectUse(of: line)
    return true
  }

  /// Runs a call to its end and returns the exit status.
  private static func finish(_ invocation: Invocation, _ body: () throws -> Void) throws -> Int32 {
    defer { invocation.finish() }
    try body()
    try invocation.expectSoundStore()
    return invocation.finalStatus
  }

  private static func withoutCommand(_ line: Arguments, _ console: Console) throws -> Int32 {
    var line = line
    if line.open.contains("--version") || line.open.contains("-V") {
      console.out("errand \(Release.version)\n")
      return ExitStatus.done
    }
    try line.take(Flag.common)
    let invocation = try Invocation(line, console, isCommand: CommandTable.holds)
    if line.isOn("help") {
      invocation.pager.write(HelpText(console).overview(try invocation.catalog()))
    } else {
      let isEmpty = try invocation.absentStore() != nil
      var options = Errand.Options()
      options.store = invocation.arguments.last("store")
      let suggestions = isEmpty ? [] : (try? Errand.open(options).suggestions()) ?? []
      console.out(
        HelpText(console).start(
          isEmpty: isEmpty, suggestions: suggestions.map { ("errand \($0.name)", $0.reason) }))
    }
    return ExitStatus.done
  }

  /// Whether a call writes events or entries for another program.
  private static func isForPrograms(_ words: [String]) -> Bool {
    words.contains("--events") || words.contains("--transcript")
  }

  private static func report(_ error: any Error, _ words: [String], _ console: Console) -> Int32 {
    let report = ErrorReport(error)
    let isEvents = isForPrograms(words)
    // `--format` and NUL may still be read by a person; JSON errors only if stderr is not a terminal. A call that is
    // refused may not have such a form at all.
    let hasForm =
      words.contains("-0") || words.contains("--null")
      || words.contains { $0 == "--format" || $0.hasPrefix("--format=") }
    let isJSON =
      isEvents || words.contains("--json") || words.contains("--jsonl")
      || hasForm && !console.stderrIsTerminal && !(error is UsageError)
    console.flush()
    guard isJSON, let text = try? JSONWriter().text(of: report.json.value) else {
      console.err(report.text(style: console.diagnosticStyle))
      return report.status
    }
    if words.contains("--transcript") {
      // A started run has already written its end.
      guard !console.hasEndedTranscript else { return report.status }
      let time = (try? JSONValue.now.text()) ?? "null"
      console.result(
        "{\"number\":1,\"time\":\(time),\"kind\":\"error\",\"remedies\":[],\(text.dropFirst())\n"
          + "{\"number\":2,\"time\":\(time),\"kind\":\"ended\",\"state\":\"failed\"}\n")
    } else if isEvents {
      console.result("{\"event\":\"error\",\"error\":\(text)}\n")
    } else {
      console.err("{\"error\":\(text)}\n")
    }
    return report.status
  }
}
