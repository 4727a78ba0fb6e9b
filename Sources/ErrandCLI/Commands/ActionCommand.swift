import CEL
import Catalog
import Engine
import ErrandKit
import Items
import Program
import Source
import YAML

/// An intent or a shortcut as a command.
enum ActionCommand {
  /// Runs it with the words of the call, whose flags are known now.
  ///
  /// - Parameter target: The file that defines it, which is checked first; nil for none.
  static func run(
    _ definition: ActionDefinition, _ invocation: Invocation, _ target: RunTarget? = nil
  ) throws -> Int32 {
    var definition = definition
    try invocation.take(ActionArguments(definition).flags() + Flag.common)
    let arguments = invocation.arguments
    if arguments.isOn("help") {
      invocation.console.out(
        HelpText(invocation.console).action(definition, Alias.names(of:)))
      return ExitStatus.done
    }
    defer { invocation.finish() }
    // The first word of `run` and `call` is the name.
    let words = Array(arguments.words.dropFirst(target == nil ? 0 : 1))
    let library = try invocation.library()
    definition = try ActionArguments(definition).counterpart(for: words, in: library) ?? definition
    let command = ActionArguments(definition)
    let name = definition.name.text
    func wants(_ flag: Flag) -> Bool { command.owns(flag) && arguments.isOn(flag.name) }
    if wants(.allowRequests), !wants(.dryRun) {
      throw UsageError("--allow-requests is for a dry run", help: "add --dry-run, or leave it out")
    }
    let session = try invocation.session(
      .init(
        action: name,
        // An item is in a store that is there: one that is misspelt must not be made.
        needsItems: command.namesItems(words), isDryRun: wants(.dryRun),
        makesRequests: wants(.allowRequests)))
    try target?.check(in: session.workspace)
    try session.workspace.check(action: name)
    try Handover.goOnWithNetwork(name, invocation)
    session.decideAccess = { [unowned session] request in
      try AccessGate(invocation, session).decide(request)
    }
    let items = try command.items(arguments, words: words, session)
    let isFiltered = command.takesFilter && arguments.last(ItemSelection.filterFlag.name) != nil
    let ownWords = items == nil && !isFiltered ? words : []
    let repeated = try command.repeatedValues(ownWords, session)
    let handed = try invocation.console.link.handed?.values(for: definition) ?? [:]
    let given = try command.given(
      arguments, words: repeated == nil ? ownWords : Array(ownWords.prefix(1))
    ) {
      try StandardInput.text()
    }.merging(handed) { $1 }
    if library.place(ofAction: name)?.layer == .file, let folder = invocation.places?.workingFolder
    {
      session.origin = target?.path(in: folder)
    }
    // A template that is wrong is bad usage, and must be found before anything is done.
    try invocation.resultWriter.checkFormat()
    if wants(.explainRun) {
      session.queryObserver = { query in
        let explanation = try session.explain(query)
        try ExplanationWriter(invocation).note(explanation, of: query.entity)
      }
    }
    let watching = try RunWatching(session, invocation, wants: wants)
    var calls = [given]
    if let items, let (position, _) = command.itemParameter {
      calls = items.map { item in
        given.merging([position: .value(.object(item))]) { _, item in item }
      }
    }
    if let repeated {
      calls = repeated.values.map { value in
        given.merging([repeated.position: .texts([value])]) { _, value in value }
      }
    }
    if let items = try command.listedItems(arguments, words: words, session) {
      calls = [given.merging([items.position: .value(items.value)]) { _, items in items }]
    }
    let isEach = items != nil || repeated != nil
    var outcomes: [Outcome] = []
    var status = ExitStatus.done
    try invocation.carryOut(session, definition.displayTitle) {
      try watching.perform(name, each: calls) { outcome in
        outcomes.append(outcome)
        if isEach { try invocation.resultWriter.showOnTerminal(outcome) }
      } then: {
        status = try finish(outcomes, isEach: isEach, session, command, invocation)
      }
    }
    guard status == ExitStatus.done, wants(.now) else { return status }
    return try invocation.doJobs(of: session)
  }

  /// Hands on what the run came to, and gives the status to exit with.
  private static func finish(
    _ outcomes: [Outcome], isEach: Bool, _ session: Run, _ command: ActionArguments,
    _ invocation: Invocation
  ) throws -> Int32 {
    for key in session.answers.unused {
      invocation.console.err(
        "errand: no question “\(key)” was asked, so its --answer was not used\n")
    }
    if isEach {
      try invocation.resultWriter.write(each: outcomes)
    } else if let outcome = outcomes.first {
      try invocation.resultWriter.write(outcome)
    }
    try invocation.expectSoundStore()
    noteLinkBase(of: session, invocation)
    if !(command.owns(.now) && invocation.arguments.isOn(Flag.now.name)) {
      try invocation.noteWaitingJobs(of: session)
    }
    if command.tellsEmpty, case .list(let values)? = outcomes.first?.value, values.isEmpty {
      return invocation.arguments.status(ofFound: 0)
    }
    return ExitStatus.done
  }

  /// Tells a person who has a signed link now that it leads nowhere but here, unless a base is set.
  private static func noteLinkBase(of run: Run, _ invocation: Invocation) {
    guard invocation.mode.isPlain, run.hasWrapped,
      invocation.console.stdoutIsTerminal || invocation.console.stderrIsTerminal,
      !invocation.arguments.isOn("quiet"), invocation.settings.entry(.linkBase).origin == .usual
    else { return }
    let name = Setting.usualLinkBase.split(separator: "/").last ?? ""
    invocation.say(
      "\(String(name)) works only on this machine; errand settings set linkBase https://… "
        + "makes links work elsewhere.")
  }
}

/// What the person wants to see and decide of a run while it goes on.
private struct RunWatching {
  private let run: Run
  private let invocation: Invocation
  private let wants: (Flag) -> Bool
  private let dryRun: DryRun?

  /// Lets a run be watched as its flags say.
  ///
  /// - Throws: `UsageError` when there is nobody who could be asked.
  init(_ run: Run, _ invocation: Invocation, wants: @escaping (Flag) -> Bool) throws {
    self.run = run
    self.invocation = invocation
    self.wants = wants
    let clock = run.host.clock
    if let events = run.front as? EventsFront { events.begin(run.id) }
    dryRun =
      !wants(.dryRun)
      ? nil
      : DryRun(makesRequests: wants(.allowRequests)) { [invocation] in
        try Self.tell($0, StepText(clock), invocation)
      }
    if wants(.trace) {
      if let events = run.front as? EventsFront {
        run.observers.append(TraceEvents(events))
      } else {
        run.observers.append(TraceWriter(invocation.console, clock: clock))
      }
    }
    if let dryRun { run.observers.append(dryRun) }
    if wants(.step) {
      guard run.front.canAnswer else {
        throw UsageError(
          "--step asks before each step, and nobody can answer",
          help: "run it on a terminal, or take --trace")
      }
      run.observers.append(StepAsker(run))
    }
  }

  private static func tell(
    _ step: DryRun.Omission, _ text: StepText, _ invocation: Invocation
  ) throws {
    let console = invocation.console
    console.flush()
    if invocation.mode.hasJSONErrors { return console.err("\(try text.json(of: step.value))\n") }
    let shown = step.arguments.isEmpty ? "" : "  " + text.text(of: step.arguments)
    let style = console.errorStyle
    console.err(
      style.bold("would \(step.verb)") + "\(shown)" + style.dim("  \(step.place.description)")
        + "\n")
  }

  /// Runs what was asked for with each of some values.
  ///
  /// - Parameters:
  ///   - done: hears of each outcome.
  ///   - finish: is called at the end, while what was written can be read.
  func perform(
    _ name: String, each calls: [[Int: GivenValue]], done: (Outcome) throws -> Void,
    then finish: () throws -> Void
  ) throws {
    guard let dryRun else {
      try run.perform(name, each: calls, done: done)
      return try finish()
    }
    do {
      try run.rehearse(
        name, each: calls, makesRequests: wants(.allowRequests), done: done, then: finish)
    } catch let error as RunError where dryRun.lacksValues {
      // Nothing tells what the program or the server would have given.
      note(
        "the dry run stops here: the next step needs a result that a skipped step would have given"
          + (dryRun.skippedRequest ? "; --allow-requests makes requests that only read" : ""))
      throw error
    }
    note("dry run: nothing was changed")
  }

  private func note(_ text: String) {
    if invocation.arguments.isOn("quiet") || invocation.mode.hasJSONErrors { return }
    invocation.console.flush()
    invocation.console.err("errand: \(text)\n")
  }
}
