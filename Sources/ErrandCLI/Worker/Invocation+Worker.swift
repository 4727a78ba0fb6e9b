import CEL
import Catalog
import Engine
import Program
import Source
import Store
import Worker

extension Invocation {
  /// Tells a person once that jobs wait for a worker, where a run has put some in and none works.
  func noteWaitingJobs(of run: Run) throws {
    guard mode.isPlain, console.stderrIsTerminal, !arguments.isOn("quiet"),
      let store = run.workspace.openedStore, store.enqueuedJobs > 0,
      try store.seats?.others().isEmpty == true, try store.metadata(Self.workerHint) == nil
    else { return }
    try store.setMetadata(Self.workerHint, to: "told")
    let jobs = store.enqueuedJobs == 1 ? "A job waits" : "\(store.enqueuedJobs) jobs wait"
    say(
      "\(jobs) for a worker: `errand worker --once` does it now, `errand worker install` keeps one."
    )
  }

  /// The key under which the store notes that this was told.
  private static let workerHint = "worker-hint"

  /// Works with a worker's log on standard output.
  func work(
    _ options: Worker.Options, grace: Int64, isLogged: Bool = true
  ) throws -> Worker.Summary {
    let isJSON = !mode.isPlain
    let isQuiet = !isLogged || arguments.isOn("quiet")
    let log = WorkerLog(isJSON: isJSON, now: SystemHost.now) { [console] line in
      if isQuiet { return }
      console.result(console.secrets.masked(line))
      console.flush()
    }
    WorkerSignals.install()
    let watch = JobWatch(grace: grace * 1_000_000_000)
    watch.begin()
    let world = SystemWorld(home: Environment.value("HOME"), ending: WorkerSignals.ending)
    let worker = makeWorker(options, world, log, watch)
    try worker.run()
    return worker.summary
  }

  /// A worker of this call's store and definitions.
  func makeWorker(
    _ options: Worker.Options, _ world: SystemWorld, _ log: WorkerLog, _ watch: JobWatch
  ) -> Worker {
    var options = options
    options.definitionFolders = [places?.config, arguments.last("catalog")].compactMap { $0 }
    let folders = DefinitionFingerprint(options.definitionFolders)
    let shares = options.hasAutomations ? try? ShareFeed(self) : nil
    options.intakeFolders = shares.map { [$0.folder] } ?? []
    let worker = Worker(
      options, world, log, fingerprint: { folders.text },
      makeSession: { [unowned self] in try makeWorkerSession(log, watch) })
    worker.didMakeSession = { session in
      world.storeWatch = session.store.watch()
      shares?.forget()
    }
    worker.intake = { session in try shares?.look(session, log) }
    worker.willPerform = { session, _ in watch.follow(nil, beat: session.store.seats?.beat) }
    worker.didPerform = { [console] _ in
      watch.follow(nil, beat: nil)
      console.flush()
    }
    return worker
  }

  private func makeWorkerSession(_ log: WorkerLog, _ watch: JobWatch) throws -> WorkerSession {
    let host = makeHost()
    let front = WorkerFront(log)
    let workspace = Workspace(library: try freshLibrary(), host: host) { [unowned self] context in
      try openStore(context)
    }
    return try WorkerSession(
      workspace,
      makeRun: { [unowned self] workspace, call in
        let interrupt = Interrupt()
        watch.follow(interrupt)
        let run = Run(
          workspace, host: host, front: front,
          answers: Answers(
            call?.answers ?? [], acceptsConfirmations: call?.acceptsConfirmations ?? false),
          cause: "worker", limits: (try? limits()) ?? RunLimits(), interrupt: interrupt)
        run.recordsRuns = true
        run.folder = call?.folder ?? places?.workingFolder
        run.decideAccess = { request in try AccessGate(self).decide(request) }
        return run
      },
      makeWorkspace: { library, store in Workspace(library: library, host: host) { _ in store } })
  }
}
