package import CEL
package import Catalog
package import Engine
import Glibc
import Items
import POSIX
import Program
import Store
import Worker

/// The runs of automations in the time ahead, by a worker in simulated time.
///
/// It changes a copy of the library, and nothing outside.
package struct AutomationSimulation {
  /// A run.
  package struct Entry {
    package let time: Timestamp
    package let automation: String
    /// The title of the item that triggers it; nil if it has none.
    package let item: String?
    /// The steps that would change something.
    package let steps: [DryRun.Omission]
    /// The reason for which it fails; nil if it does not.
    package let failure: String?

    /// The entry for machine-readable output.
    package var value: Value {
      .record([
        "time": time, "automation": automation, "item": item,
        "steps": Value.list(steps.map(\.value)), "error": failure,
      ])
    }
  }

  private let catalog: DefinitionCatalog
  private let host: Host
  private let interrupt: Interrupt

  /// Creates a simulation of a person's automations.
  ///
  /// - Parameter host: The real host.
  package init(_ catalog: DefinitionCatalog, _ host: Host, _ interrupt: Interrupt) {
    self.catalog = catalog
    self.host = host.forDryRun(makesRequests: false)
    self.interrupt = interrupt
  }

  /// Runs from now on; the path is that of a store that may be changed, nil for a new one in memory.
  ///
  /// - Parameters:
  ///   - length: The time to run in seconds.
  ///   - tell: Called with each run; false ends the simulation.
  ///   - report: Called with each automation whose trigger cannot be checked, and the reason.
  package func run(
    for length: Int64, on path: String?, tell: @escaping (Entry) -> Bool,
    report: @escaping (_ automation: String, _ reason: String) -> Void
  ) throws {
    guard let clock = host.machine.simulation else { return }
    let end = Timestamp(seconds: clock.now.seconds + length)
    let world = ForeseenWorld(
      clock, until: end, like: SystemWorld(home: nil, ending: interrupt))
    var log = WorkerLog(isJSON: false, now: { clock.now }, write: nil)
    log.observer = { level, message, fields in
      let texts = Dictionary(fields.map { ($0.0, $0.1.text) }) { first, _ in first }
      if level == .error { report(texts["automation"] ?? "worker", texts["error"] ?? message) }
    }
    var options = JobWorker.Options()
    options.isForced = true
    options.selection.originPrefix = "automation "
    var steps: [DryRun.Omission] = []
    let worker = JobWorker(options, world, log) { [catalog, host, interrupt] in
      let workspace = Workspace(catalog: catalog, host: host) { context in
        try Database(at: path.map { .file($0) } ?? .memory, context: context)
      }
      return try WorkerSession(workspace) { workspace, _ in
        let run = Run(
          workspace, host: host, front: SilentFront(), answers: PresetAnswers(), cause: "worker",
          interrupt: interrupt)
        run.recorder.recordsChanges = true
        run.recorder.observers.append(DryRun(makesRequests: false) { steps.append($0) })
        return run
      }
    }
    var time = clock.now
    var item: String?
    var failure: String?
    worker.willPerform = { session, job in
      (time, steps, failure) = (clock.now, [], nil)
      let run = session.makeRun(session.workspace, nil)
      item = run.triggeringItem(of: job).map(run.renderer.text)
    }
    worker.didFail = { failure = $1 }
    worker.didPerform = { job, end in
      guard end != nil else { return }
      let entry = Entry(
        time: time, automation: job.handler, item: item, steps: steps, failure: failure)
      if !tell(entry) || interrupt.isSet { world.isCutShort = true }
    }
    // The locks of runs and workers, which a store keeps beside it.
    defer { if let path { for suffix in [".runs", ".workers"] { unlink(path + suffix) } } }
    try worker.run()
  }
}
