import CEL
import Catalog
import Engine
import ErrandKit
import Glibc
import Platform
import Program
import Source
import Store
import Worker

/// One call of the program, with the services a command needs, created on first use.
final class Invocation {
  let console: Console
  /// The arguments; fully parsed once the command is known.
  private(set) var arguments: Arguments
  let mode: OutputMode
  let places: Places?
  /// Exit status, unless the call ends with an error.
  var status = ExitStatus.done
  private let hasFailedToOpen = Notice()
  /// The exit status at the end: that of a failure if something could not be opened.
  var finalStatus: Int32 {
    status == ExitStatus.done && hasFailedToOpen.isSet ? ExitStatus.failed : status
  }
  /// Bytes of the document given as a file or pipe; nil for a name.
  var document: [UInt8]?
  /// Cause recorded in the change log.
  private var cause = ""
  /// Whether a name is a built-in command, which shadows definitions.
  let isCommand: (String) -> Bool
  /// Languages for texts that a person reads, best first; empty for English.
  let languages: [String]
  /// Whether the command only reads and must not create a store.
  private(set) var onlyReads = false
  private var loadedCatalog: DefinitionCatalog?
  /// Receives the outcomes of an action instead of the person; nil to write them.
  var takesOutcomes: (([Outcome]) throws -> Void)?
  /// The words of this call for another process, if they are not those of this one.
  private(set) var handedWords: [String]?
  private(set) var madeRun: Run?
  private var madeFront: (any Front)?

  /// - Parameter command: The built-in command; nil for an action.
  /// - Throws: `UsageError` when common flags contradict each other.
  init(
    _ arguments: Arguments, _ console: Console, _ command: Command? = nil,
    isCommand: @escaping (String) -> Bool
  ) throws {
    self.console = console
    self.isCommand = isCommand
    self.arguments = arguments
    mode = try OutputMode(arguments)
    languages = try Self.languages(arguments, command, mode)
    try console.setColor(arguments.last("color"))
    places = Places(
      environment: ProcessEnvironment.value, workingFolder: ProcessEnvironment.workingFolder)
    if let command, command.sortsFlags { take(arguments, command) }
    showMissedNotifications()
    if console.stdoutIsTerminal || console.stderrIsTerminal {
      console.setDefaultColor { [settings] in settings.value(of: .colour) }
    }
  }

  /// Commands that show items and texts of definitions to a person; all other commands work on
  /// files.
  private static let spokenCommands: Set<String> = [
    "call", "do", "find", "get", "help", "list", "phrases", "resume", "run", "shelf",
    "widget",
  ]

  /// The languages that are asked for; none where a program or a file is spoken to.
  ///
  /// - Throws: `UsageError` for a flag that names none.
  private static func languages(
    _ arguments: Arguments, _ command: Command?, _ mode: OutputMode
  ) throws(UsageError) -> [String] {
    let flag = arguments.last("language")
    let wanted = LanguageCode.wanted(flag) { ProcessEnvironment.value($0) }
    if let flag, wanted.isEmpty, !["C", "POSIX"].contains(flag) {
      throw UsageError("--language must be a code such as de or pt-BR, not “\(flag)”")
    }
    switch mode {
    case .json, .jsonLines, .format: return []
    case .plain, .events:
      return command.map { spokenCommands.contains($0.name) } ?? true ? wanted : []
    }
  }

  /// The languages of accepted sentences, even if results are in English.
  var spokenLanguages: [String] {
    LanguageCode.wanted(arguments.last("language")) { ProcessEnvironment.value($0) }
  }

  /// The program's own questions in the person's language.
  var words: ProgramWords {
    ProgramWords(languages.lazy.compactMap(Language.named).first ?? .english)
  }

  /// Sets the parsed arguments of a command.
  func take(_ arguments: Arguments, _ command: Command) {
    self.arguments = arguments
    cause = command.name
    onlyReads = command.onlyReads(arguments)
    if onlyReads { console.noteThatItOnlyReads() }
    // These have nothing to work on in a new store.
    if ["update", "delete", "undo", "redo"].contains(command.name) { onlyReads = true }
  }

  /// Records the number of items found; with `--exit-status`, none is a failure.
  func note(found count: Int) {
    if count == 0, arguments.isOn(Flag.exitStatus.name) { status = ExitStatus.failed }
  }

  /// Parses the remaining words with the flags of the action.
  ///
  /// - Throws: `UsageError` for words that do not fit.
  func take(_ flags: [Flag], advice: FlagAdvice) throws(UsageError) {
    try arguments.take(flags, advice: advice)
  }

  /// Rethrows a deferred store error, after all output.
  func expectSoundStore() throws { try madeRun?.workspace.throwStoreFault() }

  /// Returns a call of another command with the definitions and the store of this one, which is
  /// over then.
  func calling(_ command: Command, _ words: [String]) throws -> Invocation {
    var line = Arguments(words)
    try line.takeKnown(Flag.common)
    if command.sortsFlags { try line.take(command.flags + command.commonFlags) }
    let inner = try Invocation(line, console, command, isCommand: isCommand)
    inner.loadedCatalog = loadedCatalog
    inner.settings = settings
    inner.handedWords = [command.name] + words
    inner.madeFront = madeFront
    madeRun?.workspace.releaseStore()
    return inner
  }

  /// Uses a front of the command's own.
  func use(_ front: any Front) { madeFront = front }

  /// Closes the store and leaks the rest; the process is about to end.
  ///
  /// Freeing thousands of small objects takes as long as a query.
  func finish() {
    if madeRun != nil { activityBoard?.flush() }
    madeRun?.workspace.closeStore()
    _ = Unmanaged.passRetained(self)
  }

  // MARK: Definitions

  /// Reloads the definitions, for long-lived processes.
  func freshCatalog() throws -> DefinitionCatalog {
    loadedCatalog = nil
    return try catalog()
  }

  /// Loader of the definitions in scope.
  var loader: CatalogLoader {
    CatalogLoader(
      places: places, catalogFolder: arguments.last("catalog"),
      note: { [console] in if !console.link.isContinued { console.err("\($0)\n") } })
  }

  /// Returns the definitions in scope, loaded once.
  func catalog() throws -> DefinitionCatalog {
    if let loadedCatalog { return loadedCatalog }
    let catalog = try loader.load()
    catalog.languages = languages
    loadedCatalog = catalog
    if let flag = arguments.last("language"), let code = languages.first,
      !console.link.isContinued, !catalog.speaks(code)
    {
      tell("there are no texts in the language “\(flag)”; English is used")
    }
    // The binary that handed over has reported these already.
    if console.link.isContinued { return catalog }
    let problems = DiagnosticSummary(catalog.problems)
    for problem in problems.shown {
      console.err("\(problem.rendered(style: console.diagnosticStyle))\n")
    }
    for note in problems.notes { console.err("\(note)\n") }
    // A later release may add a command with the name of a person's definition.
    for name in catalog.addedActionNames where isCommand(name) {
      console.err("errand: `\(name)` is a command; yours is reached by `errand call \(name)`\n")
    }
    return catalog
  }

  /// Resolves a word to an intent, a shortcut or a file.
  ///
  /// - Throws: as `RunTarget`.
  func target(_ word: String) throws -> RunTarget {
    // A pipe can be read only once, and the previous binary has.
    let target = try RunTarget(word, in: catalog(), handed: console.link.document) {
      try openRun().workspace
    }
    document = target.bytes
    return target
  }

  /// Returns a workspace that finds all errors and warnings in definitions and runs nothing.
  func checkingWorkspace(_ catalog: DefinitionCatalog) -> Workspace {
    Workspace(catalog: catalog, host: makeHost(), checksBuiltIns: true, reportsWarnings: true) {
      [unowned self] context in try self.openStore(context)
    }
  }

  // MARK: Environment

  /// The person's settings.
  private(set) lazy var settings = Settings(
    path: places?.settings, environment: ProcessEnvironment.value,
    note: { [console] in console.err($0) })

  /// The folder of shared activity records; nil without a home folder.
  var activityFolder: ActivityFolder? {
    places.map { ActivityFolder($0.state + "/activities", now: SystemHost.now) }
  }

  /// Publishes this process's activities; nil without a home folder.
  private(set) lazy var activityBoard = activityFolder.map { ActivityBoard($0) }

  func makeHost() -> Host {
    var host = SystemHost.make(
      places: places, settings: settings, secrets: console.secrets, interrupt: Interruption.run,
      http: console.link.network?("errand/\(Release.version)") { ProcessEnvironment.value($0) },
      pushCipher: console.link.pushCipher, board: activityBoard,
      doesJobsNow: arguments.isOn(Flag.now.name),
      note: { [console] in console.err($0) })
    host.open = { [open = host.open, hasFailedToOpen] url in
      let isOpened = open(url)
      if !isOpened { hasFailedToOpen.set() }
      return isOpened
    }
    host.fetchKept = KeptFileFetch.fetch
    host.isOnline = { MachineState().hasNetwork }
    return host
  }

  /// Returns a function that makes paths absolute and resolves links, for comparing capabilities.
  ///
  /// - Parameter files: File access of a run, whose folder may differ.
  func canonical(
    in files: FileAccess = .system(environment: ProcessEnvironment.value)
  ) -> @Sendable (String) -> String {
    { files.canonical(Places.expanded($0)) }
  }

  // MARK: Run

  /// Options for running an intent or a shortcut.
  struct RunOptions {
    /// Name of the action; nil for a built-in command.
    var action: String?
    /// Whether it works on existing items.
    var needsItems = false
    /// Whether this is a dry run.
    var isDryRun = false
    /// Whether a dry run makes read-only requests.
    var makesRequests = false
  }

  /// Options of this call's run.
  var runOptions = RunOptions()

  /// Returns this call's run, created on first use.
  func openRun() throws -> Run { try madeRun ?? makeRun(try catalog(), answering: nil) }

  /// Replaces this call's run by one with other definitions and the arguments of a recorded call.
  func remakeRun(_ catalog: DefinitionCatalog, answering call: RecordedCall) throws -> Run {
    madeRun?.workspace.closeStore()
    return try makeRun(catalog, answering: call)
  }

  private func makeRun(_ catalog: DefinitionCatalog, answering call: RecordedCall?) throws -> Run {
    if madeRun == nil { noteVariableProblems() }
    var host = makeHost()
    if runOptions.isDryRun { host = host.forDryRun(makesRequests: runOptions.makesRequests) }
    if let folder = call?.folder, folder != places?.workingFolder {
      guard access(folder + "/.", X_OK) == 0 else {
        throw RunError(
          .io,
          "cannot enter the folder in which the run started, “\(folder)”: "
            + String(cString: strerror(errno)))
      }
      // Its paths are relative to the folder it was started in.
      host = host.working(in: folder)
    }
    let workspace = Workspace(catalog: catalog, host: host) { [unowned self] context in
      try self.openStore(context)
    }
    if madeFront == nil { madeFront = try makeFront() }
    let answers = PresetAnswers(
      try arguments.pairs("answer") + (call?.answers ?? []),
      acceptsConfirmations: arguments.isOn("yes") || call?.acceptsConfirmations == true)
    let run = Run(
      workspace, host: host, front: front, answers: answers, cause: cause, limits: try limits(),
      interrupt: Interruption.run)
    run.recorder.recordsChanges = true
    run.identity.caller = console.link.handed?.cause
    run.identity.folder = call == nil ? places?.workingFolder : call?.folder
    run.identity.origin = call?.origin
    madeRun = run
    var shown: Set<String> = []
    run.warningObserver = { [console, arguments] warning in
      let text = warning.rendered(style: console.diagnosticStyle)
      if !arguments.isOn("quiet"), !console.link.isContinued, shown.insert("\(text)").inserted {
        console.err("\(text)\n")
      }
    }
    return run
  }

  /// Resource limits of a run.
  ///
  /// - Throws: `UsageError` for an invalid `--max-steps`.
  func limits() throws -> RunLimits {
    var limits = settings.limits
    if let text = arguments.last(Flag.maxSteps.name) {
      guard let steps = Int(text.filter { $0 != "_" && $0 != "," }), steps > 0 else {
        throw UsageError("--max-steps must be a whole number, 1 or more, not “\(text)”")
      }
      limits.steps = steps
    }
    return limits
  }

  // MARK: Interaction

  /// Shows a sentence; interpolated names are escaped and cannot add lines.
  func say(_ text: TerminalText) { front.say(text.text) }

  /// The front; the terminal if the requested one is unavailable.
  var front: any Front {
    if let madeFront { return madeFront }
    let front = (try? makeFront()) ?? TerminalFront(console: console)
    madeFront = front
    return front
  }

  /// Runs `body` as an activity that other programs can see.
  ///
  /// - Throws: Rethrows errors of `body`.
  func asActivity(_ kind: Activity.Kind, _ title: String, _ body: () throws -> Void) throws {
    activityBoard?.begin(Activity(kind, key: "\(kind.rawValue) \(getpid())", title: title))
    do {
      try body()
      activityBoard?.end(.done)
    } catch {
      if error is Cancellation {
        activityBoard?.end(.cancelled)
      } else {
        activityBoard?.end(
          .failed, console.secrets.masked(ErrorReport(error).message),
          continuesLater: (error as? RunError)?.code == .suspended)
      }
      throw error
    }
  }

  /// Runs `body` so that Ctrl-C cancels the run, other programs see it as an activity, and the front
  /// is notified of a failure.
  ///
  /// - Throws: Rethrows errors of `body`; `suspended` for a run that continues later.
  func carryOut(_ run: Run, _ title: String? = nil, _ body: () throws -> Void) throws {
    Interruption.hold()
    defer { Interruption.release() }
    do {
      if let title { try asActivity(.run, title, body) } else { try body() }
    } catch let end as Cancellation {
      throw end.told(of: run)
    } catch {
      run.failedBeforeStart(error)
      if let failure = error as? RunError, failure.code != .declined, failure.code != .cancelled {
        front.failed(run.host.secrets.masked(failure.message))
      }
      throw error
    }
  }

  var resultWriter: ResultWriter { ResultWriter(self) }
}
