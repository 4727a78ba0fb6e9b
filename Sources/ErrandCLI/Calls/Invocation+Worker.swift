import CEL
import Catalog
import Engine
import Source
import Store
import Worker

extension Invocation {
  /// A worker of this call's store and definitions.
  func makeWorker(
    _ options: Worker.Options, _ world: SystemWorld, _ log: WorkerLog, _ watch: JobWatch
  ) -> Worker {
    let folders = DefinitionFingerprint([places?.config, arguments.last("catalog")].compactMap { $0 })
    let worker = Worker(options, world, log, fingerprint: { folders.text }) { [unowned self] in
      try makeWorkerSession(log, watch)
    }
    worker.didMakeSession = { session in world.storeWatch = session.store.watch() }
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
    return try WorkerSession(
      Workspace(library: try freshLibrary(), host: host) { [unowned self] context in
        try openStore(context)
      },
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
