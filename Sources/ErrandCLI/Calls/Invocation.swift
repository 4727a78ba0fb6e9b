import CEL
import Catalog
import Engine
import ErrandKit
import Glibc
import Program
import Source
import Store
import System
import Worker

/// One call of the program: what a command needs, made when it is first wanted.
final class Invocation {
  let console: Console
  /// The words of the call; all are sorted once it is known what is called.
  private(set) var arguments: ParsedArguments
  let mode: OutputMode
  let places: Places?
  /// The document that a person named or piped in; nil when a name was given.
  var document: [UInt8]?
  /// What the change log names as the cause of changes.
  private var cause = ""
  /// Whether a name is that of a command, which hides a definition.
  private let isCommand: (String) -> Bool
  /// Whether the command changes nothing, so that it makes no store either.
  private var onlyReads = false
  private var loadedLibrary: Library?
  private var madeRun: Run?
  private var madeFront: (any Front)?

  /// - Parameter command: The command of the program's own; nil where something else is called.
  /// - Throws: `UsageError` when common flags contradict each other.
  init(
    _ arguments: ParsedArguments, _ console: Console, _ command: Command? = nil,
    isCommand: @escaping (String) -> Bool
  ) throws {
    self.console = console
    self.isCommand = isCommand
    self.arguments = arguments
    mode = try OutputMode(arguments)
    try console.setColor(arguments.last("color"))
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    // A path that is not UTF-8 would be altered, and could be that of another folder then.
    let folder = getcwd(&buffer, buffer.count).flatMap { String(validatingCString: $0) } ?? "/"
    places = Places(environment: ProcessEnvironment.value, workingFolder: folder)
    if let command { take(arguments, command) }
    tellWhatWaited()
    if console.stdoutIsTerminal || console.stderrIsTerminal {
      console.setUsualColor { [settings] in settings.value(of: .colour) }
    }
  }

  /// Takes the words of a command, all of them sorted.
  func take(_ arguments: ParsedArguments, _ command: Command) {
    self.arguments = arguments
    cause = command.name
    onlyReads = command.onlyReads(arguments)
    if onlyReads { console.noteThatItOnlyReads() }
    // These have nothing to work on in a new store.
    if ["update", "delete", "undo", "redo"].contains(command.name) { onlyReads = true }
  }

  /// Sorts all words of the call, whose flags are known now.
  ///
  /// - Throws: `UsageError` for words that don't fit.
  func take(_ flags: [Flag]) throws(UsageError) { try arguments.take(flags) }

  /// How many notifications are told at once.
  private static let toldNotifications = 10

  /// Tells a person on a terminal of what nobody was there to see.
  private func tellWhatWaited() {
    guard console.stderrIsTerminal, mode.isPlain, !console.link.isContinued,
      !arguments.isOn("quiet"), let places
    else { return }
    let entries = NotificationLog(in: places.state).takeWaiting()
    if entries.isEmpty { return }
    let now = SystemHost.now()
    console.err("errand: while you were away: \(entries.count)\n")
    for entry in entries.suffix(Self.toldNotifications) {
      console.err("  \(entry.line)  \(Age(since: entry.time, at: now).text) ago\n")
    }
    if entries.count > Self.toldNotifications {
      console.err("  `errand log --notifications` shows all of them\n")
    }
  }

  /// Throws what the store could not tell when it happened, now that all is said.
  func expectSoundStore() throws { try madeRun?.workspace.throwStoreFault() }

  /// Closes the store and leaves the rest to the end of the process, which frees it at once.
  ///
  /// To free thousands of small pieces first takes as long as a whole query.
  func finish() {
    if madeRun != nil { activityBoard?.flush() }
    madeRun?.workspace.closeStore()
    _ = Unmanaged.passRetained(self)
  }

  // MARK: Definitions

  /// The definitions in reach as they are now, for a process that lasts.
  func freshLibrary() throws -> Library {
    loadedLibrary = nil
    return try library()
  }

  /// The definitions in reach.
  func library() throws -> Library {
    if let loadedLibrary { return loadedLibrary }
    let loader = LibraryLoader(
      places: places, catalogFolder: arguments.last("catalog"),
      note: { [console] in if !console.link.isContinued { console.err("\($0)\n") } })
    let library = try loader.load()
    loadedLibrary = library
    // All of it was told by the link that this one takes the place of.
    if console.link.isContinued { return library }
    let problems = DiagnosticSummary(library.problems)
    for problem in problems.shown {
      console.err("\(problem.rendered(style: console.diagnosticStyle))\n")
    }
    for note in problems.notes { console.err("\(note)\n") }
    // A later release may take a name that a person has used already.
    for name in library.addedActionNames where isCommand(name) {
      console.err(
        "errand: `\(name)` is a command; yours is reached by `errand call \(name)`\n")
    }
    return library
  }

  /// What a word stands for that names an intent, a shortcut or a file.
  ///
  /// - Throws: as `RunTarget`.
  func target(_ word: String) throws -> RunTarget {
    // A pipe can be read once: the link before this one did.
    let target = try RunTarget(word, in: library(), handed: console.link.document) {
      try session().workspace
    }
    document = target.bytes
    return target
  }

  /// A workspace that looks for every mistake and doubt in definitions, and runs none.
  func checkingWorkspace(_ library: Library) -> Workspace {
    Workspace(library: library, host: makeHost(), checksBuiltIns: true, findsDoubts: true) {
      [unowned self] context in try self.openStore(context)
    }
  }

  // MARK: The world

  /// The person's settings.
  private(set) lazy var settings = Settings(
    path: places?.settings, environment: ProcessEnvironment.value,
    note: { [console] in console.err($0) })

  /// The folder in which programs tell each other what goes on; nil where there is no place for it.
  var activityFolder: ActivityFolder? {
    places.map { ActivityFolder($0.state + "/activities", now: SystemHost.now) }
  }

  /// Shows other programs what this one does; nil where there is no place for it.
  private(set) lazy var activityBoard = activityFolder.map { ActivityBoard($0) }

  func makeHost() -> Host {
    var host = SystemHost.make(
      places: places, settings: settings, secrets: console.secrets, interrupt: Interruption.run,
      http: console.link.network?("errand/\(Release.version)") { ProcessEnvironment.value($0) },
      board: activityBoard, doesJobsNow: arguments.isOn(Flag.now.name),
      note: { [console] in console.err($0) })
    host.isOnline = { MachineState().hasNetwork }
    return host
  }

  /// A path in full and without links, as paths of definitions from elsewhere are compared.
  ///
  /// - Parameter files: Those of a run, whose folder may be another.
  func canonical(
    in files: FileAccess = .system(environment: ProcessEnvironment.value)
  ) -> @Sendable (String) -> String {
    { files.canonical(Places.expanded($0)) }
  }

  // MARK: The run

  /// The way in which an intent or a shortcut is run.
  struct RunOptions {
    /// The name; nil for a command's own work.
    var action: String?
    /// Whether it works on items that must be there.
    var needsItems = false
    /// Whether the run reads only, and tells what it would do.
    var isDryRun = false
    /// Whether requests that only read are made all the same.
    var makesRequests = false
  }

  /// The run of this call, made by its first use.
  func session(_ options: @autoclosure () -> RunOptions = RunOptions()) throws -> Run {
    if let madeRun { return madeRun }
    let options = options()
    var host = makeHost()
    if options.isDryRun { host = host.forDryRun(makesRequests: options.makesRequests) }
    let run = try makeRun(
      try library(), host,
      Answers(try arguments.pairs("answer"), acceptsConfirmations: arguments.isOn("yes")), options)
    run.folder = places?.workingFolder
    return run
  }

  /// The run of this call with other definitions, asked what a recorded one was asked.
  func remakeSession(_ library: Library, answering call: RecordedCall) throws -> Run {
    madeRun?.workspace.closeStore()
    var host = makeHost()
    if let folder = call.folder, folder != places?.workingFolder {
      guard access(folder + "/.", X_OK) == 0 else {
        throw RunError(
          .io,
          "the folder “\(folder)”, in which the run was begun, can't be entered: "
            + String(cString: strerror(errno)))
      }
      // Its paths are relative to the folder in which it was asked for.
      host = host.working(in: folder)
    }
    let run = try makeRun(
      library, host,
      Answers(
        try arguments.pairs("answer") + call.answers,
        acceptsConfirmations: arguments.isOn("yes") || call.acceptsConfirmations), RunOptions())
    run.folder = call.folder
    run.origin = call.origin
    return run
  }

  private func makeRun(
    _ library: Library, _ host: Host, _ answers: Answers, _ options: RunOptions
  ) throws -> Run {
    let workspace = Workspace(library: library, host: host) { [unowned self] context in
      try self.openStore(context, options)
    }
    if madeFront == nil { madeFront = try makeFront() }
    let run = Run(
      workspace, host: host, front: front, answers: answers, cause: cause, limits: try limits(),
      interrupt: Interruption.run)
    run.recordsRuns = true
    madeRun = run
    return run
  }

  /// What a run may use in all.
  ///
  /// - Throws: `UsageError` for a number of steps that is none.
  func limits() throws -> RunLimits {
    var limits = settings.limits
    if let text = arguments.last(Flag.maxSteps.name) {
      guard let steps = Int(text.filter { $0 != "_" && $0 != "," }), steps > 0 else {
        throw UsageError("--max-steps is a whole number from 1, and “\(text)” is not")
      }
      limits.steps = steps
    }
    return limits
  }

  // MARK: The store

  /// The store of this call, whether or not it is there.
  ///
  /// - Throws: `UsageError` for an empty path.
  private func storeOpening() throws(UsageError) -> StoreOpening {
    let opening = StoreOpening(
      named: arguments.last("store"), places: places, settings: settings,
      environment: ProcessEnvironment.value, isCancelled: { Interruption.run.isSet },
      tell: { [console, isQuiet = arguments.isOn("quiet")] news in
        Self.tell(news, isQuiet: isQuiet, console)
      })
    if opening.path == "" { throw UsageError("the path of the store is empty") }
    return opening
  }

  private static func tell(_ news: StoreOpening.News, isQuiet: Bool, _ console: Console) {
    switch news {
    case .made(let path) where !isQuiet: console.err("errand: made a new store, \(path)\n")
    case .migrating(let entity, let count)
    where count >= shownMigration && console.stderrIsTerminal:
      console.err("errand: bringing \(entity) up to date, about \(count) items; please wait\n")
    case .migrated(let entity, let path) where !isQuiet:
      console.err(
        "errand: brought \(entity) up to date; the store as it was is kept in \(path)\n")
    case .waiting(let holder):
      let who = holder.map { holder in
        "process \(holder.process)" + (holder.name.map { " (\($0.harmless()))" } ?? "")
      }
      console.err(
        "errand: waiting for \(who ?? "another process"), which is writing to the store\n")
    case .made, .migrating, .migrated: break
    }
  }

  /// The path of the store: `--store`, else `ERRAND_STORE`, else the person's library.
  func storePath() throws -> String? { try storeOpening().path }

  /// The store when it is not there, for commands that look after one and must not make it.
  func absentStore() throws -> StoreOpening.Absence? { try storeOpening().absence }

  /// From how many items on a migration takes so long that a person wonders.
  private static let shownMigration = 20_000

  func openStore(
    _ context: StoreContext, _ options: RunOptions = RunOptions()
  ) throws -> EntityStore {
    try storeOpening().open(context) {
      if let name = options.action {
        let mayWrite = (try? madeRun?.mayWrite(name)) ?? true
        if options.needsItems || !mayWrite { return .reading }
      } else if onlyReads {
        return .reading
      }
      return arguments.isOn("dry-run") ? .trying : .changing
    }
  }

  // MARK: The person

  /// What shows long texts page by page.
  var pager: Pager {
    Pager(console) { [settings, arguments] in
      let command = settings.value(of: .pager)
      return arguments.isOn("no-pager") || command == "none" ? nil : command
    }
  }

  private func makeFront() throws -> any Front {
    let progressed: (Progress) -> Void = { [activityBoard] in activityBoard?.progress($0) }
    if case .events = mode {
      let input = InputFile(descriptor: 0, name: "standard input")
      let events = EventsFront(
        write: { [console] line in
          console.result(line)
          console.flush()
        },
        read: {
          try Interruption.wait(forInput: input.descriptor)
          return try input.read(into: $0)
        })
      events.progressed = progressed
      return events
    }
    let terminal = TerminalFront(
      console: console, isQuiet: arguments.isOn("quiet"), historyPath: places?.history)
    terminal.pager = pager
    terminal.progressed = progressed
    switch arguments.last(Flag.front.name) {
    case nil: return DesktopFront.usual(console) { terminal.canAnswer } ?? terminal
    case "terminal": return terminal
    case "desktop":
      guard let desktop = DesktopFront(console) else {
        throw UsageError(
          "no program here can ask on a desktop",
          help: "install zenity, kdialog or rofi")
      }
      return desktop
    case let name?:
      throw UsageError("--front must be terminal or desktop, not `\(name)`")
    }
  }

  /// Says a sentence to the person; no name in it can add a line of its own.
  func say(_ text: TerminalText) {
    front.say(text.text)
  }

  /// Who hears and answers; the terminal where the flags ask for another that is not there.
  var front: any Front {
    if let madeFront { return madeFront }
    let front = (try? makeFront()) ?? TerminalFront(console: console)
    madeFront = front
    return front
  }

  /// Shows a body of work as what this process does.
  ///
  /// - Throws: what the body throws.
  func asActivity<Result>(
    _ kind: Activity.Kind, _ title: String, _ body: () throws -> Result
  ) throws -> Result {
    activityBoard?.begin(Activity(kind, key: "\(kind.rawValue) \(getpid())", title: title))
    do {
      let result = try body()
      activityBoard?.end(.done)
      return result
    } catch {
      endActivity(error)
      throw error
    }
  }

  private func endActivity(_ error: any Error) {
    if error is Cancellation { return activityBoard?.end(.cancelled) ?? () }
    activityBoard?.end(.failed, console.secrets.masked(ErrorReport(error).message))
  }

  /// Carries out what a run was asked for: Ctrl-C asks it to end, other programs see it under its
  /// title, and the front hears why it failed.
  ///
  /// - Throws: what the body throws; `suspended` for a run that goes on later.
  func carryOut(_ run: Run, _ title: String? = nil, _ body: () throws -> Void) throws {
    if let title {
      activityBoard?.begin(Activity(.run, key: "run \(getpid())", title: title))
    }
    Interruption.hold()
    defer { Interruption.release() }
    do {
      try body()
      if title != nil { activityBoard?.end(.done) }
    } catch {
      if title != nil { endActivity(error) }
      if let end = error as? Cancellation { throw end.told(of: run) }
      if let failure = error as? RunError, failure.code != .declined, failure.code != .cancelled {
        front.failed(run.host.secrets.masked(failure.message))
      }
      throw error
    }
  }

  var resultWriter: ResultWriter { ResultWriter(self) }
}
