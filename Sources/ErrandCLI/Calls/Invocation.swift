import CEL
import Catalog
import Engine
import ErrandKit
import Glibc
import Items
import Source
import Store
import System
import Worker

/// One call of the program: what every command needs, made when first wanted.
final class Invocation {
  let console: Console
  let arguments: ParsedArguments
  let mode: OutputMode
  let places: Places?
  /// What the change log names as the cause of changes.
  private let cause: String
  /// Whether a name is that of a command, which hides a definition.
  private let isCommand: (String) -> Bool
  /// Whether the call changes nothing, so that it makes no store either.
  var onlyReads: () -> Bool = { false }
  /// Whether the run is to read only, and to tell what it would do.
  var isRehearsal = false
  /// Whether requests that only read are made all the same.
  var makesRequests = false
  private var loadedLibrary: Library?
  /// The document that a person named or piped in; nil when a name was given.
  var document: [UInt8]?
  private var madeWorkspace: Workspace?
  private var madeRun: Run?
  private var madeFront: (any Front)?
  /// The same call before all its flags were known, whose workspace goes on being used.
  private let predecessor: Invocation?
  /// The same call with all its flags known, which says where the store is.
  private weak var successor: Invocation?
  /// What stands before a relative path of the store, once the working folder is another one.
  private var storePrefix: String?

  /// - Throws: `UsageError` when common flags contradict each other.
  init(
    _ arguments: ParsedArguments, console: Console, cause: String = "",
    isCommand: @escaping (String) -> Bool
  ) throws {
    self.isCommand = isCommand
    self.cause = cause
    predecessor = nil
    self.console = console
    self.arguments = arguments
    mode = try OutputMode(arguments)
    try console.setColor(arguments.last("color"))
    var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
    // A path that is not UTF-8 would be altered, and could be that of another folder then.
    let folder = getcwd(&buffer, buffer.count).flatMap { String(validatingCString: $0) } ?? "/"
    places = Places(environment: ProcessEnvironment.value, workingFolder: folder)
    tellWhatWaited()
    if console.stdoutIsTerminal || console.stderrIsTerminal {
      console.setUsualColor { [settings] in settings.value(of: .colour) }
    }
  }

  /// The same call with all its flags known, once a first look told what is to be run.
  ///
  /// - Throws: `UsageError` when common flags contradict each other.
  init(_ arguments: ParsedArguments, after first: Invocation, cause: String = "") throws {
    self.cause = cause
    isCommand = first.isCommand
    console = first.console
    self.arguments = arguments
    mode = try OutputMode(arguments)
    places = first.places
    predecessor = first
    loadedLibrary = try first.library()
    document = first.document
    madeWorkspace = first.madeWorkspace
    first.successor = self
  }

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

  /// Tells a person who has a signed link now that it leads nowhere but here, unless a base is set.
  func noteLinkBase(of run: Run) {
    guard mode.isPlain, run.hasWrapped, console.stdoutIsTerminal || console.stderrIsTerminal,
      !arguments.isOn("quiet"), settings.entry(.linkBase).origin == .usual
    else { return }
    let name = Setting.usualLinkBase.split(separator: "/").last ?? ""
    say(
      "\(String(name)) works only on this machine; errand settings set linkBase https://… "
        + "makes links work elsewhere.")
  }

  /// Closes the store and leaves the rest to the end of the process, which frees it at once.
  ///
  /// To free thousands of small pieces first takes as long as a whole query.
  func finish() {
    if madeRun != nil { activityBoard?.flush() }
    madeRun?.workspace.closeStore()
    _ = Unmanaged.passRetained(self)
  }

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

  /// What the person has set.
  private(set) lazy var settings = Settings(
    path: places?.settings, environment: ProcessEnvironment.value,
    note: { [console] in console.err($0) })

  func makeHost() -> Host {
    var host = SystemHost.make(
      places: places, settings: settings, secrets: console.secrets, interrupt: Interruption.run,
      http: console.link.network?("errand/\(Release.version)") { ProcessEnvironment.value($0) },
      keyPath: ProcessEnvironment.value("ERRAND_KEY") ?? places?.key,
      note: { [console] in console.err($0) })
    let isNow = arguments.isOn(Flag.now.name)
    host.allowsJob = { [settings] name in
      name != "enrich" || isNow || settings.value(of: .enrich) != "off"
    }
    host.isOnline = { MachineState().hasNetwork }
    host.home = { [settings] in Coordinates(settings.value(of: .location)) }
    showActivities(of: &host)
    return host
  }

  /// Shows other programs what this one does; nil where there is no place for it.
  private(set) lazy var activityBoard = activityFolder.map { ActivityBoard($0) }

  /// A workspace that looks for every mistake and doubt in definitions, and runs none.
  func checkingWorkspace(_ library: Library) -> Workspace {
    Workspace(library: library, host: makeHost(), checksBuiltIns: true, findsDoubts: true) {
      [unowned self] context in try self.openStore(context)
    }
  }

  /// The definitions in reach with what is compiled of them, and the store.
  private func workspace(_ host: Host) throws -> Workspace {
    if let madeWorkspace { return madeWorkspace }
    let workspace = Workspace(library: try library(), host: host) {
      [unowned self] context in try (self.successor ?? self).openStore(context)
    }
    madeWorkspace = workspace
    return workspace
  }

  /// The run of this call.
  func session() throws -> Run {
    if let madeRun { return madeRun }
    let host = isRehearsal ? DryRun.host(makeHost(), makesRequests: makesRequests) : makeHost()
    let workspace = try workspace(host)
    if madeFront == nil { madeFront = try makeFront() }
    let run = Run(
      workspace, host: host, front: front,
      answers: Answers(
        try arguments.pairs("answer"), acceptsConfirmations: arguments.isOn("yes")),
      cause: cause, limits: try limits(), interrupt: Interruption.run)
    run.recordsRuns = true
    run.folder = places?.workingFolder
    madeRun = run
    return run
  }

  /// The run of this call with other definitions, asked what a recorded one was asked.
  func remakeSession(_ library: Library, answering call: RecordedCall) throws -> Run {
    madeRun?.workspace.closeStore()
    let host = makeHost()
    let workspace = Workspace(library: library, host: host) {
      [unowned self] context in try self.openStore(context)
    }
    let run = Run(
      workspace, host: host, front: front,
      answers: Answers(
        try arguments.pairs("answer") + call.answers,
        acceptsConfirmations: arguments.isOn("yes") || call.acceptsConfirmations),
      cause: cause, limits: try limits(), interrupt: Interruption.run)
    run.recordsRuns = true
    run.folder = call.folder
    run.origin = call.origin
    madeRun = run
    guard let folder = call.folder, folder != places?.workingFolder else { return run }
    // Its paths are relative to the folder in which it was asked for; its store is open by then.
    storePrefix = places.map { $0.workingFolder + "/" }
    _ = try run.store()
    guard chdir(folder) == 0 else {
      throw RunError(
        .io,
        "the folder “\(folder)”, in which the run was begun, can't be entered: "
          + String(cString: strerror(errno)))
    }
    return run
  }

  /// A path in full and without links, as paths of definitions from elsewhere are compared.
  let canonical: @Sendable (String) -> String = { path in
    FileAccess.system(environment: ProcessEnvironment.value).canonical(Places.expanded(path))
  }

  /// What a run may use in all.
  ///
  /// - Throws: `UsageError` for a number of steps that is none.
  func limits() throws -> RunLimits {
    var limits = RunLimits()
    if let text = arguments.last(Flag.maxSteps.name) {
      guard let steps = Int(text.filter { $0 != "_" && $0 != "," }), steps > 0 else {
        throw UsageError("--max-steps is a whole number from 1, and “\(text)” is not")
      }
      limits.steps = steps
    } else if case let set = settings.entry(.maxSteps), set.origin == .file,
      let steps = Int(set.value)
    {
      limits.steps = steps
    }
    return limits
  }

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
      let events = EventsFront(console: console)
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

  func openStore(_ context: StoreContext) throws -> EntityStore {
    // What is only tried makes no store.
    var isUnwanted = false
    if let absent = try absentStore() {
      let onlyReads = self.onlyReads()
      if absent.isNamed, onlyReads { throw absent.error }
      isUnwanted = onlyReads || arguments.isOn("dry-run")
      if absent.isNamed, !isUnwanted, !arguments.isOn("quiet") {
        console.err("errand: made a new store, \(absent.path)\n")
      }
    }
    guard let path = isUnwanted ? ":memory:" : try storePath() else {
      throw RunError(
        .io, "cannot find the library: HOME is not set",
        help: "set HOME, or use --store PATH")
    }
    // SQLite would take a name that begins so for a URI.
    var whole = path.hasPrefix("file:") ? "./" + path : path
    if let storePrefix, !path.hasPrefix("/"), path != ":memory:" { whole = storePrefix + path }
    let location = StoreLocation(path: whole)
    if path != ":memory:", arguments.last("store") == nil,
      ProcessEnvironment.value("ERRAND_STORE") == nil,
      let slash = path.lastIndex(of: "/")
    {
      try PrivateFolder(path: String(path[..<slash])).make()
    }
    var status = stat()
    if path != ":memory:", stat(path, &status) == 0, status.st_mode & S_IFMT != S_IFREG {
      throw RunError(
        .io, "the store “\(path)” is not a regular file",
        help: "use the path of a file with --store")
    }
    var context = context
    context.keptRunTime = { [settings] in
      Setting.microseconds(settings.value(of: .keepRuns)) ?? StoreContext.usualKeptRunTime
    }
    context.willMigrate = { [console] entity, count in
      guard count >= Self.shownMigration, console.stderrIsTerminal else { return }
      console.err("errand: bringing \(entity) up to date, about \(count) items; please wait\n")
    }
    context.isCancelled = { Interruption.run.isSet }
    context.isWaiting = { [console] holder in
      let who = holder.map { holder in
        "process \(holder.process)" + (holder.name.map { " (\($0.harmless()))" } ?? "")
      }
      console.err(
        "errand: waiting for \(who ?? "another process"), which is writing to the store\n")
    }
    if !arguments.isOn("quiet") {
      context.didCopyBeforeMigrating = { [console] entity, path in
        console.err(
          "errand: brought \(entity) up to date; the store as it was is kept in "
            + "\(path)\n")
      }
    }
    return try EntityStore(at: location, context: context)
  }

  /// From how many items on a migration takes so long that a person wonders.
  private static let shownMigration = 20_000

  /// The path of the store: `--store`, else `ERRAND_STORE`, else the person's library.
  func storePath() throws -> String? {
    if let path = arguments.last("store") ?? ProcessEnvironment.value("ERRAND_STORE") {
      if path.isEmpty { throw UsageError("the path of the store is empty") }
      return path
    }
    return places?.defaultStore
  }

  /// A store that is not there.
  struct AbsentStore {
    let path: String
    /// Whether a person named it, rather than that none was made yet.
    let isNamed: Bool

    /// What is said when it is needed.
    var error: RunError {
      RunError(
        .notFound, "there is no store “\(path)”",
        help: isNamed ? "check the path" : "it is made when the first item is saved")
    }
  }

  /// The store when it is not there, for commands that look after one and must not make it.
  func absentStore() throws -> AbsentStore? {
    guard let path = try storePath(), path != ":memory:" else { return nil }
    var status = stat()
    guard stat(path, &status) != 0, errno == ENOENT else { return nil }
    return AbsentStore(
      path: path,
      isNamed: arguments.last("store") != nil || ProcessEnvironment.value("ERRAND_STORE") != nil)
  }

  /// Whether there is no store yet, or one that is empty on the disk.
  var isLibraryEmpty: Bool {
    get throws { try absentStore() != nil }
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

  var resultWriter: ResultWriter { ResultWriter(self) }
}

/// The variables of the process.
enum Environment {
  /// The value of a variable; nil when it is unset or empty.
  static func value(_ name: String) -> String? {
    guard let pointer = getenv(name) else { return nil }
    let text = String(cString: pointer)
    return text.isEmpty ? nil : text
  }
}
