import CEL
import Catalog
import Engine
import Items
import Program
import Source
import Store
import Synchronization
import Worker

/// A simulated world: waiting returns at once and advances the clock.
final class SimulatedWorld: WorkerWorld {
  /// The clock and the effects of jobs, shared with hosts.
  final class State: Sendable {
    let microseconds: Mutex<Int64>
    let effects = Mutex<[String]>([])

    init(_ start: Int64) { microseconds = Mutex(start) }

    var now: Timestamp { Timestamp(microseconds: microseconds.withLock { $0 }) }
  }

  let state: State
  var isEnding = false
  var missing: Set<Requirement> = []
  var folders: [String: [WatchedFile]] = [:]
  /// The number of waits.
  var waits = 0
  /// Scheduled actions; each runs once, at its time.
  var events: [(time: Int64, action: () throws -> Void)] = [] {
    didSet { isSorted = false }
  }
  /// Whether `events` is sorted, with the next one last.
  private var isSorted = false
  /// The time at which the worker must end.
  var end: Int64 = .max

  init(_ start: Timestamp) { state = State(start.microseconds) }

  var now: Timestamp { state.now }

  /// Sets the clock; pending actions keep their distance to the current time.
  func set(back length: Int64) {
    state.microseconds.withLock { $0 -= length }
    events = events.map { ($0.time - length, $0.action) }
    end -= length
  }

  func available() -> [Requirement] { Requirement.allCases.filter { !missing.contains($0) } }

  /// The name of the time since the machine started, and how long it has slept.
  var session: (boot: String, slept: Duration) = ("first", .zero)

  func expanded(_ path: String) -> String { path }

  func files(in folder: String) -> [WatchedFile]? { folders[folder] }

  func wait(until time: Timestamp?, watching folders: [String], forMachine: Bool) {
    waits += 1
    sortEvents()
    let event = events.last
    let next = min(time?.microseconds ?? .max, event?.time ?? .max, end)
    if next == .max {
      isEnding = true
      return
    }
    state.microseconds.withLock { $0 = max($0, next) }
    let now = self.now.microseconds
    if now >= end { isEnding = true }
    while let event = events.last, event.time <= now {
      events.removeLast()
      isSorted = true
      do { try event.action() } catch { isEnding = true }
      // The action may have scheduled others or set the clock.
      sortEvents()
    }
  }

  private func sortEvents() {
    if isSorted { return }
    events.sort { $0.time > $1.time }
    isSorted = true
  }

  /// The host of runs in this world: programs fail while the network is down.
  func host(_ zone: String) -> Host {
    let state = state
    let chance = Mutex<UInt8>(0)
    return Host(
      now: { state.now },
      randomBytes: { count in
        chance.withLock { chance in
          (0..<count).map { _ in
            chance = chance &* 73 &+ 41
            return chance
          }
        }
      },
      environment: { _ in nil }, clock: LocalClock { .named(zone) ?? .utc },
      readClipboard: { nil }, writeClipboard: { _ in false }, open: { _ in false },
      linkBase: "https://errand.localhost", keyPath: nil,
      log: { text in state.effects.withLock { $0.append(text) } },
      machine: Machine(
        monotonic: { state.now.microseconds &* 1000 },
        pause: { until, _ in
          guard let until else { return }
          state.microseconds.withLock { $0 = max($0, until / 1000) }
        },
        exec: { _, _ in throw RunError(.exec, "there are no programs here") },
        files: FileAccess(
          read: { path, _ in throw RunError(.notFound, path) },
          write: { path, _, _ in throw RunError(.io, path) }, list: { _, _ in [] },
          transfer: { _ in nil }, trash: { throw RunError(.io, $0) }, takeBack: { $0 },
          status: { _ in nil }),
        notify: { _, _ in .shown(action: nil) }))
  }
}

/// Workers with a shared store and separate definitions.
struct WorkerBench {
  let world: SimulatedWorld
  let path: String
  let yaml: String
  var zone = "Europe/Vienna"
  let lines: Lines

  /// The lines of the log.
  final class Lines {
    var all: [String] = []
  }

  init(_ yaml: String, at path: String, from start: String = "2026-11-22T08:00:00Z") {
    self.yaml = yaml
    self.path = path
    world = SimulatedWorld(Timestamp(rfc3339: start) ?? Timestamp(seconds: 0))
    lines = Lines()
  }

  /// A session with its own store.
  func session(_ interrupt: Interrupt = Interrupt()) throws -> WorkerSession {
    let host = world.host(zone)
    let catalog = DefinitionCatalog()
    catalog.add(SourceFile(name: "test.yaml", text: yaml), to: .user)
    if !catalog.problems.isEmpty { throw Diagnostics(catalog.problems) }
    let workspace = Workspace(catalog: catalog, host: host) { [path] in
      try Database(at: .file(path), context: $0)
    }
    let front = SilentFront()
    return try WorkerSession(
      workspace,
      makeRun: { workspace, call in
        let run = Run(
          workspace, host: host, front: front, answers: PresetAnswers(call?.answers ?? []),
          interrupt: interrupt)
        run.recorder.recordsChanges = true
        return run
      })
  }

  /// A worker with its own store.
  func worker(isOnce: Bool = false) -> JobWorker {
    var options = JobWorker.Options()
    options.isOnce = isOnce
    let lines = lines
    let log = WorkerLog(
      isJSON: false, now: { [world] in world.now }, write: { lines.all.append($0) })
    return JobWorker(options, world, log, makeSession: { try session() })
  }

  /// The texts logged by steps.
  var effects: [String] { world.state.effects.withLock { $0 } }
}
