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
  /// Runs it with the arguments of the call, whose flags are now known.
  ///
  /// - Parameter target: The file that defines it, checked before the run; nil for none.
  static func run(
    _ definition: ActionDefinition, _ invocation: Invocation, _ target: RunTarget? = nil
  ) throws {
    var definition = definition
    let call =
      target == nil
      ? definition.name.text
      : "run \(invocation.arguments.plainWords.first ?? "")"
    let declared = ActionArguments(definition, call: call)
    try invocation.take(
      declared.flags() + Flag.common,
      advice: FlagAdvice(
        command: definition.name.text, call: target == nil ? nil : call,
        takesWords: { declared.takesWords }
      ) { _ in nil })
    var arguments = invocation.arguments
    if arguments.isOn("help") {
      return invocation.console.out(HelpText(invocation.console).action(definition))
    }
    // The first word of `run` and `call` is the name.
    if target != nil { arguments.dropFirst() }
    var words = arguments.words
    let catalog = try invocation.catalog()
    if declared.itemParameter != nil { words = words.map(WordForm.normal) }
    let counterpart = try declared.counterpart(for: words, in: catalog)
    definition = counterpart ?? definition
    let command = counterpart.map { ActionArguments($0, call: call) } ?? declared
    let name = definition.name.text
    try command.expectFitting(arguments, in: catalog)
    func wants(_ flag: Flag) -> Bool { command.owns(flag) && arguments.isOn(flag.name) }
    if wants(.allowRequests), !wants(.dryRun) {
      throw UsageError("--allow-requests is for a dry run", help: "add --dry-run, or leave it out")
    }
    invocation.runOptions = .init(
      action: name,
      // Items are in an existing store; a mistyped path must not create one.
      needsItems: command.namesItems(words), isDryRun: wants(.dryRun),
      makesRequests: wants(.allowRequests))
    let liveRun = try invocation.openRun()
    try target?.check(in: liveRun.workspace)
    try liveRun.workspace.check(action: name)
    try Reexec.goOnWithNetwork(name, invocation)
    liveRun.access.decide = { [unowned liveRun] request in
      try PermissionPrompt(invocation, liveRun).decide(request)
    }
    try command.expectWhole(arguments, liveRun)
    words = command.withAddresses(words, liveRun) { invocation.tell($0) }
    let items = try command.items(arguments, words: words, liveRun)
    let isFiltered = command.takesFilter && arguments.last(ItemSelection.filterFlag.name) != nil
    var ownWords = items == nil && !isFiltered ? words : []
    var repeated: (position: Int, values: [String])?
    var lines: InputLines?
    if let (position, parameter) = command.lineParameter(ownWords) {
      let read = try InputLines(parameter, liveRun, invocation)
      ownWords = read.isSingle ? read.values.map(\.text) : []
      if !read.isSingle { (lines, repeated) = (read, (position, read.values.map(\.text))) }
    } else {
      repeated = try command.repeatedValues(ownWords, liveRun)
    }
    let handed = try invocation.console.link.handed?.values(for: definition) ?? [:]
    let given = try command.given(
      arguments, words: repeated == nil ? ownWords : Array(ownWords.prefix(1)),
      note: { invocation.tell($0) }
    ) {
      try StandardInput.text()
    }.merging(handed) { $1 }
    if let meant = command.date(meantBy: ownWords, arguments, liveRun) { invocation.tell(meant) }
    if arguments.isOn("json"), let word = ownWords.first, word.hasPrefix("{") {
      invocation.tell(
        "“\(word.shortened)” is taken for a value: --json is only about the output",
        isForAll: true)
    }
    if catalog.place(ofAction: name)?.layer == .file, let folder = invocation.places?.workingFolder
    {
      liveRun.identity.origin = target?.path(in: folder)
    }
    // A wrong template is a usage error and must be found before anything runs.
    try invocation.resultWriter.checkFormat()
    if wants(.explainRun) {
      liveRun.queryObserver = { query in
        let explanation = try liveRun.explain(query)
        try invocation.note(explanation, of: query.entity)
      }
    }
    let watching = try RunWatching(liveRun, invocation, wants: wants)
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
    if let items = try command.listedItems(arguments, words: words, liveRun) {
      calls = [given.merging([items.position: .value(items.value)]) { _, items in items }]
    }
    let isEach = items != nil || repeated != nil
    var outcomes: [Outcome] = []
    try invocation.carryOut(liveRun, definition.displayTitle) {
      var begun = 0
      func perform() throws {
        try watching.perform(name, each: Array(calls.dropFirst(begun))) { outcome in
          begun += 1
          outcomes.append(outcome)
          if isEach { try invocation.resultWriter.showOnTerminal(outcome) }
          if lines != nil {
            liveRun.front.progress(Progress(done: Double(begun), total: Double(calls.count)))
          }
        } then: {
          begun = .max
          try finish(outcomes, isEach: isEach, liveRun, command, invocation: invocation)
        }
      }
      while begun < calls.count {
        do { try perform() } catch let error as RunError {
          guard let lines, begun < calls.count, !error.endsAll else { throw error }
          lines.report(error, ofLine: lines.values[begun].number)
          begun += 1
        }
      }
      if begun != .max {
        try finish(outcomes, isEach: isEach, liveRun, command, invocation: invocation)
      }
    }
    if invocation.status == ExitStatus.done, wants(.now) { try invocation.doJobs(of: liveRun) }
  }

  /// Writes the result of a run.
  private static func finish(
    _ outcomes: [Outcome], isEach: Bool, _ liveRun: Run, _ command: ActionArguments,
    invocation: Invocation
  ) throws {
    for key in liveRun.answers.unused {
      invocation.console.err(
        liveRun.answers.wasTaken(key)
          ? "errand: “\(key)” was not asked again, so its last --answer was not used\n"
          : "errand: no question “\(key)” was asked, so its --answer was not used\n")
    }
    if let takesOutcomes = invocation.takesOutcomes {
      try takesOutcomes(outcomes)
    } else if isEach {
      try invocation.resultWriter.write(each: outcomes)
    } else if let outcome = outcomes.first {
      try invocation.resultWriter.write(outcome)
    }
    try invocation.expectSoundStore()
    noteLinkBase(of: liveRun, invocation)
    if !(command.owns(.now) && invocation.arguments.isOn(Flag.now.name)) {
      try invocation.noteWaitingJobs(of: liveRun)
    }
    if try liveRun.workspace.mayChange(command.definition.name.text) {
      try invocation.noteReminders(of: outcomes, liveRun)
    }
    if command.tellsEmpty, case .list(let values)? = outcomes.first?.value, values.isEmpty {
      invocation.note(found: 0)
      let words = invocation.arguments.words
      if let help = FindCommand.help(forNothingBy: words, of: "links", liveRun) {
        invocation.tell(help)
      }
    }
  }

  /// Tells a person with a new signed link that it works only on this machine, unless a base is
  /// set.
  private static func noteLinkBase(of run: Run, _ invocation: Invocation) {
    guard invocation.mode.isPlain, run.hasWrapped,
      invocation.console.stdoutIsTerminal || invocation.console.stderrIsTerminal,
      !invocation.arguments.isOn("quiet"), invocation.settings.entry(.linkBase).origin == .default
    else { return }
    let name = Setting.defaultLinkBase.split(separator: "/").last ?? ""
    invocation.say(
      "\(String(name)) works only on this machine; errand settings set linkBase https://… "
        + "makes links work elsewhere.")
  }
}

/// The --trace, --step and --dry-run observers of a run.
private struct RunWatching {
  private let run: Run
  private let invocation: Invocation
  private let wants: (Flag) -> Bool
  private let dryRun: DryRun?

  /// Installs the observers requested by flags.
  ///
  /// - Throws: `UsageError` if `--step` is given without a way to answer.
  init(_ run: Run, _ invocation: Invocation, wants: @escaping (Flag) -> Bool) throws {
    self.run = run
    self.invocation = invocation
    self.wants = wants
    let clock = run.host.clock
    let events = invocation.front as? EventsFront
    events?.begin(run.id)
    dryRun =
      !wants(.dryRun)
      ? nil
      : DryRun(makesRequests: wants(.allowRequests)) { [invocation] in
        try Self.report($0, StepText(clock), invocation)
      }
    if wants(.trace) {
      if let events {
        run.recorder.observers.append(TraceEvents(events))
      } else {
        run.recorder.observers.append(TraceWriter(invocation.console, clock: clock))
      }
    }
    if let dryRun { run.recorder.observers.append(dryRun) }
    if wants(.step) {
      try UsageError.expect(
        run.front.canAnswer, "--step asks before each step, but nobody can answer",
        help: "run it in a terminal, or use --trace")
      run.recorder.observers.append(StepAsker(run))
    }
  }

  private static func report(
    _ step: DryRun.Omission, _ text: StepText, _ invocation: Invocation
  ) throws {
    let console = invocation.console
    console.flush()
    if !invocation.mode.isPlain { return console.err("\(try text.json(of: step.value))\n") }
    let shown = step.arguments.isEmpty ? "" : "  " + text.text(of: step.arguments)
    let style = console.errorStyle
    console.err(
      style.bold("would \(step.verb)") + "\(shown)" + style.dim("  \(step.place.description)")
        + "\n")
  }

  /// Runs the action once for each of some values.
  ///
  /// - Parameters:
  ///   - done: Called with each outcome.
  ///   - finish: Called at the end, while written data can still be read.
  func perform(
    _ name: String, each calls: [[Int: GivenValue]], done: (Outcome) throws -> Void,
    then finish: () throws -> Void
  ) throws {
    guard let dryRun else {
      try run.perform(name, each: calls, done: done)
      return try finish()
    }
    do {
      try run.dryRun(
        name, each: calls, makesRequests: wants(.allowRequests), done: done, then: finish)
    } catch let error as RunError
      where dryRun.lacksValues && error.farewell == nil && !Self.outside.contains(error.code)
    {
      // The result of the skipped program or request is unknown.
      let place = error.span.map { " at \($0.location)" } ?? ""
      throw error.with(
        \.farewell,
        "errand: the dry run stops\(place): this step needs a result that a skipped step would have given"
          + (dryRun.skippedRequest ? "; --allow-requests makes read-only requests" : ""))
    }
    note("dry run: nothing was changed")
  }

  /// The codes of failures that do not come from an unknown result.
  private static let outside: [RunError.Code] = [.notFound, .io, .conflict, .exec, .cancelled]

  private func note(_ text: String) {
    if invocation.arguments.isOn("quiet") || !invocation.mode.isPlain { return }
    invocation.console.flush()
    invocation.console.err("errand: \(text)\n")
  }
}
