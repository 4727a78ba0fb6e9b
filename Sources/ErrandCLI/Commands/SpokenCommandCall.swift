import CEL
import Catalog
import Engine
import ErrandKit
import Program
import Source

/// A command that a sentence asks for: `delete the sourdough article`.
struct SpokenCommandCall {
  let run: Run
  let phrases: SpokenPhrases
  let invocation: Invocation

  /// Does the command, or tells it with `--explain`; asks first which item is meant, and before it changes
  /// several.
  ///
  /// - Throws: `declined`; what the command throws.
  func perform(_ command: SpokenCommand) throws {
    if DoCommand.onlyTells(invocation) { return try tell(command) }
    let command = try command.isUnclear ? chosen(of: command) : command
    switch command.name {
    case .help: return showExamples()
    case .nothing: return invocation.say("\(invocation.words.nothingIsDone)")
    default: break
    }
    if invocation.arguments.isOn(Flag.dryRun.name) {
      return invocation.say("\(invocation.words.readAs(command.line))")
    }
    if command.asksFirst {
      let isSure = try run.confirm(
        run.words.doThis(command.line), key: DoCommand.confirmation)
      guard isSure else { throw RunError(.declined, "nothing was done") }
    } else if !command.items.isEmpty {
      invocation.say("\(invocation.words.readAs(command.line))")
    }
    try call(command.words)
  }

  /// Undoes the last change.
  func undo() throws { try call(["undo"]) }

  private func tell(_ command: SpokenCommand) throws {
    guard invocation.mode.isPlain else { return try invocation.resultWriter.write(.null) }
    let console = invocation.console
    switch command.name {
    case .help: console.out("errand phrases\n")
    case .nothing: console.out("\(invocation.words.nothingIsDone)\n")
    default: console.out("\(command.line)\n")
    }
    for item in command.items { console.out("  \(item.reference): \(item.title)\n") }
    if command.isUnclear { console.out("  which of them: is asked\n") }
  }

  /// The command about the item that the person means.
  private func chosen(of command: SpokenCommand) throws -> SpokenCommand {
    let choices = command.items.map { Question.Choice(title: $0.title, subtitle: $0.reference) }
    do {
      let chosen = try run.choose(
        choices, prompt: run.words.whatMeant, key: DoCommand.confirmation)
      guard let position = chosen else { throw RunError(.declined, "nothing was done") }
      return command.about(command.items[position])
    } catch let error as RunError where error.code == .needsValue {
      let lines = command.items.prefix(Self.mostLines).map { item in
        "\(command.about(item).line)  (\(item.title))"
      }
      throw UsageError(
        "the words fit \(command.items.count) items equally well",
        help: "write one of:\n\(lines.joined(separator: "\n"))")
    }
  }

  private static let mostLines = 5

  private func call(_ line: [String]) throws {
    guard let name = line.first, let made = CommandTable.command(named: name) else { return }
    let words = line.dropFirst() + invocation.arguments.words(of: made.commonFlags)
    let inner = try invocation.calling(made, Array(words))
    defer { inner.finish() }
    try made.run(inner, inner.arguments)
    try inner.expectSoundStore()
    if inner.finalStatus != ExitStatus.done { invocation.status = inner.finalStatus }
  }

  /// The number of intents and shortcuts of which a sentence is shown.
  private static let mostExamples = 14

  /// Shows a sentence for each of some intents and shortcuts.
  private func showExamples() {
    let examples = SpokenExamples(phrases, run)
    var seen: Set<String> = []
    for phrase in phrases.phrases where seen.count < Self.mostExamples {
      guard seen.insert(phrase.action).inserted else { continue }
      invocation.console.out("  “\(examples.example(of: phrase))” (\(phrase.action))\n")
    }
    invocation.say("`errand phrases` lists what can be said.")
  }
}
