import CEL
import Catalog
import Engine
import ErrandKit
import Glibc
import Inbox
import Items
import POSIX
import Program
import Source
import Store
import Worker

extension Invocation {
  /// Tells a person once that a run's jobs wait and no worker is running.
  func noteWaitingJobs(of run: Run) throws {
    guard let store = run.workspace.openedStore, !store.session.enqueuedJobs.isEmpty,
      try tellsOfWorker(Self.workerHint, of: store)
    else { return }
    let numbers = store.session.enqueuedJobs
    let handlers = try store.jobs.all(JobSelection(numbers: numbers)).map(\.handler)
    if handlers.allSatisfy({ $0 == "enrich" }) {
      let pages = numbers.count == 1 ? "The page" : "The pages"
      say(
        "\(pages) will be fetched later. Fetch \(numbers.count == 1 ? "it" : "them") now with "
          + "`errand enrich`; `errand worker install` does it automatically.")
    } else {
      let jobs = numbers.count == 1 ? "A job" : "\(numbers.count) jobs"
      say(
        "\(jobs) will run later. Run \(numbers.count == 1 ? "it" : "them") now with "
          + "`errand worker --once`; `errand worker install` does it automatically.")
    }
  }

  /// Tells a person once that a result has reminders and no worker is running.
  func noteReminders(of outcomes: [Outcome], _ run: Run) throws {
    let isReminding = outcomes.contains { outcome in
      let values = if case .list(let values) = outcome.value { values } else { [outcome.value] }
      return values.contains { value in
        guard case .object(let object) = value, let item = object as? Item else { return false }
        return item.schema.properties.contains { property in
          guard property.type.isOfReminders, case .list(let reminders) = item.field(property.name)
          else { return false }
          return !reminders.isEmpty
        }
      }
    }
    guard isReminding, let store = run.workspace.openedStore,
      try tellsOfWorker(Self.reminderHint, of: store)
    else { return }
    say("A worker sends reminders, and none is running: `errand worker install` sets one up.")
  }

  /// Store keys that record that a hint was shown.
  private static let workerHint = "worker-hint"
  private static let reminderHint = "reminder-hint"

  /// Whether a person is to see a hint for the first time; it counts as seen from then on.
  private func tellsOfWorker(_ hint: String, of store: Database) throws -> Bool {
    guard mode.isPlain, console.stderrIsTerminal, !arguments.isOn("quiet"), !runOptions.isDryRun,
      try store.jobs.seats?.others().isEmpty == true, try store.metadata(hint) == nil
    else { return false }
    try store.setMetadata(hint, to: "told")
    return true
  }

  /// Runs the jobs a run has queued, in this process and with its front.
  func doJobs(of run: Run) throws {
    guard let store = run.workspace.openedStore, !store.session.enqueuedJobs.isEmpty else { return }
    let numbers = store.session.enqueuedJobs
    store.session.enqueuedJobs = []
    try expectSoundStore()
    var words = ["queue", "drain", "--foreground"] + numbers.map { String($0) }
    if let path = try storePath() { words += ["--store", path] }
    if let folder = arguments.last("catalog") { words += ["--catalog", folder] }
    if case .plain = mode {} else { words.append("--quiet") }
    if arguments.isOn("quiet") { words.append("--quiet") }
    run.workspace.closeStore()
    try Reexec.goOnWithRecordedRun(self, asking: words)
    var options = JobWorker.Options.once(JobSelection(numbers: numbers))
    options.isForced = true
    let summary = try work(options, grace: .seconds(20), isInForeground: true)
    if summary.failed + summary.doneInPart > 0 { status = ExitStatus.failed }
  }

  /// Runs a worker that logs to standard output.
  ///
  /// - Parameters:
  ///   - isInForeground: Whether jobs use the person's front, and only failures are logged.
  ///   - didDo: Called after each job.
  func work(
    _ options: JobWorker.Options, grace: Duration, isLogged: Bool = true,
    isInForeground: Bool = false,
    didDo: @escaping (Job) -> Void = { _ in }
  ) throws -> JobWorker.Summary {
    let isJSON = !mode.isPlain
    let isQuiet = !isLogged || isInForeground || arguments.isOn("quiet")
    let log = WorkerLog(
      isJSON: isJSON, isForJournal: WorkerLog.journalReadsOutput(ProcessEnvironment.value),
      now: SystemHost.now,
      write: isQuiet
        ? nil
        : { [console] line in
          console.result(console.secrets.masked(line))
          console.flush()
        })
    WorkerSignals.install()
    let watch = JobWatch(grace: grace)
    watch.begin()
    let world = SystemWorld(
      machineState, home: ProcessEnvironment.value("HOME"), ending: WorkerSignals.ending)
    let worker = makeWorker(
      options, world, log, watch: watch,
      front: isInForeground
        ? front : WorkerFront(log) { [activityBoard] in activityBoard?.progress($0) })
    if isInForeground {
      worker.didFail = { [console] job, reason in
        console.err("errand: job \(job.number) `\(job.handler)`: \(reason)\n")
      }
    }
    worker.didBeginFailing = { session, job, reason in
      let host = session.makeRun(session.workspace, nil).host
      let notification = DesktopNotification(
        title: job.handler, text: host.secrets.masked("failed: \(reason)"), urgency: .normal,
        actions: [])
      if case .shown? = try? host.machine.notify(
        notification, WaitBounds(deadline: nil, descriptors: []))
      {
        return
      }
      _ = host.keepNotification(notification, [])
    }
    let didPerform = worker.didPerform
    worker.didPerform = { job, end in
      didPerform(job, end)
      if end == .done { didDo(job) }
    }
    try worker.run()
    return worker.summary
  }

  /// The machine state that jobs can require.
  var machineState: MachineState {
    MachineState(isVaultOpen: { [vault = places?.vault] in
      vault.map { !$0.exists || $0.isUnlocked } ?? true
    })
  }

  /// Creates a worker for this call's store and definitions.
  func makeWorker(
    _ options: JobWorker.Options, _ world: SystemWorld, _ log: WorkerLog, watch: JobWatch,
    front: any Front
  ) -> JobWorker {
    var options = options
    options.definitionFolders = [places?.config, arguments.last("catalog")].compactMap { $0 }
    let folders = DefinitionFingerprint(options.definitionFolders)
    let shares = options.hasAutomations ? try? ShareFeed(self) : nil
    let calendars = options.hasAutomations && !options.isOnce ? CalendarFeed() : nil
    let worker = JobWorker(
      options, world, log, fingerprint: { folders.text },
      makeSession: { [unowned self] in try makeWorkerSession(watch, front) })
    worker.intakeFolders = { (shares.map { [$0.folder] } ?? []) + (calendars?.folders ?? []) }
    var follower: KeptProcess?
    worker.didMakeSession = { [isOnce = options.isOnce] session in
      // Others see that a worker is there; the hub's follower takes jobs only for those.
      if !isOnce { _ = try? session.store.jobs.seats?.take() }
      if !isOnce, (try? session.store.hub.membership()) != nil,
        case .file(let path) = session.store.location,
        let program = Folder.resolved("/proc/self/exe")
      {
        follower =
          follower
          ?? KeptProcess([program, "hub", "sync", "--follow", "--quiet", "--store", path])
        follower?.keepRunning()
      }
      // A single pass needs no store events; it would only see its own writes.
      if !isOnce { world.storeWatch = session.store.watch() }
      shares?.forget()
    }
    worker.intake = { session in
      let times = [
        try shares?.look(session, log),
        try calendars?.look(session, world, hasFileNews: world.takeFileNews(), log),
      ]
      let next = times.compactMap { $0 }.min()
      guard let follower else { return next }
      follower.keepRunning()
      let now = SystemHost.now().microseconds
      let again = Timestamp(microseconds: now + KeptProcess.pause.microseconds)
      return min(next ?? again, again)
    }
    worker.willPerform = { [activityBoard] session, job in
      let title = (try? session.catalog.action(job.handler))?.displayTitle ?? job.handler
      activityBoard?.begin(Activity(.job, key: "job \(getpid())", title: title))
      let beat = session.store.jobs.seats?.beat
      watch.follow(nil) {
        beat?()
        activityBoard?.tick()
      }
    }
    worker.didPerform = { [console, activityBoard] _, end in
      watch.follow(nil, beat: nil)
      switch end {
      case .done?, .doneInPart?: activityBoard?.end(.done)
      case .failed?, .givenUp?, nil: activityBoard?.end(.failed)
      case .putBack?, .cutOff?: activityBoard?.end(.cancelled, continuesLater: true)
      case .lost?: activityBoard?.end(.cancelled)
      }
      console.flush()
    }
    return worker
  }

  private func makeWorkerSession(
    _ watch: JobWatch, _ front: any Front
  ) throws -> WorkerSession {
    let host = makeHost()
    let workspace = Workspace(catalog: try freshCatalog(), host: host) { [unowned self] context in
      try openStore(context)
    }
    return try WorkerSession(
      workspace,
      makeRun: { [unowned self] workspace, call in
        let interrupt = Interrupt()
        watch.follow(interrupt)
        // Paths are relative to the folder of the process that started the run.
        var host = host
        if let folder = call?.folder, folder != places?.workingFolder {
          host = host.working(in: folder)
        }
        let run = Run(
          workspace, host: host, front: front,
          answers: PresetAnswers(
            call?.answers ?? [], acceptsConfirmations: call?.acceptsConfirmations ?? false),
          cause: "worker", limits: (try? limits()) ?? RunLimits(), interrupt: interrupt)
        run.recorder.recordsChanges = true
        run.identity.folder = call?.folder ?? places?.workingFolder
        run.access.decide = { [unowned self, unowned run] request in
          try PermissionPrompt(self, run).decide(request)
        }
        return run
      })
  }
}
