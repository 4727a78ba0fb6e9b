import CLinux
import ErrandKit
import Glibc
import Synchronization
import Web

/// Threads that read and write the library for the serving thread, each with its own context.
final class WorkerPool {
  /// A job's work, done by a worker.
  typealias Work = @Sendable (WorkerContext) -> Outcome

  /// The outcome of a job.
  enum Outcome: Sendable {
    case response(Response)
    case started(StartedRun)
  }

  /// The part shared with the workers.
  private final class Shared: Sendable {
    struct State {
      var jobs: [(number: Int, work: Work)] = []
      var done: [(number: Int, outcome: Outcome)] = []
    }

    let state = Mutex(State())
    /// Counts jobs; in stable memory, and never freed, since workers may wait on it.
    nonisolated(unsafe) let jobs: UnsafeMutablePointer<sem_t>
    /// Readable when a job is done.
    let wake: Int32

    init() {
      jobs = .allocate(capacity: 1)
      sem_init(jobs, 0, 0)
      wake = errand_eventfd()
    }

    func work(in context: WorkerContext) {
      while true {
        while sem_wait(jobs) != 0 {}
        guard let job = state.withLock({ $0.jobs.isEmpty ? nil : $0.jobs.removeFirst() }) else {
          return
        }
        let outcome = job.work(context)
        state.withLock { $0.done.append((job.number, outcome)) }
        var one: UInt64 = 1
        _ = write(wake, &one, 8)
      }
    }
  }

  private final class Start {
    let shared: Shared
    let options: Errand.Options
    let memory: SidebarMemory

    init(_ shared: Shared, _ options: Errand.Options, _ memory: SidebarMemory) {
      (self.shared, self.options, self.memory) = (shared, options, memory)
    }
  }

  private let shared = Shared()
  private var waiting: [Int: (Outcome) -> Void] = [:]
  private var lastNumber = 0
  private let threads: Int

  /// The maximum number of waiting jobs.
  private static let limit = 2_000

  /// Starts workers.
  init(_ options: Errand.Options, threads: Int = 4) {
    self.threads = threads
    let memory = SidebarMemory()
    for _ in 0..<threads {
      let start = Unmanaged.passRetained(Start(shared, options, memory)).toOpaque()
      var thread = pthread_t()
      let status = pthread_create(
        &thread, nil,
        { context in
          guard let context else { return nil }
          let start = Unmanaged<Start>.fromOpaque(context).takeRetainedValue()
          start.shared.work(in: WorkerContext(start.options, memory: start.memory))
          return nil
        }, start)
      if status == 0 {
        pthread_detach(thread)
      } else {
        Unmanaged<Start>.fromOpaque(start).release()
      }
    }
  }

  /// Ends the workers after their current jobs.
  deinit {
    shared.state.withLock { $0.jobs = [] }
    for _ in 0..<threads { sem_post(shared.jobs) }
  }

  /// Readable when a job is done.
  var descriptor: Int32 { shared.wake }

  /// The number of jobs that are not done.
  var count: Int { waiting.count }

  /// Submits a job to a worker.
  ///
  /// - Parameter then: Called by ``deliver()`` with the outcome.
  func submit(_ work: @escaping Work, then: @escaping (Outcome) -> Void) {
    guard waiting.count < Self.limit else {
      var problem = Problem(503, "busy", "too many requests are waiting")
      problem.headers = [("Retry-After", "1")]
      return then(.response(problem.response))
    }
    lastNumber += 1
    waiting[lastNumber] = then
    shared.state.withLock { $0.jobs.append((lastNumber, work)) }
    sem_post(shared.jobs)
  }

  /// Delivers the outcomes of finished jobs.
  func deliver() {
    var count: UInt64 = 0
    _ = read(shared.wake, &count, 8)
    let done = shared.state.withLock { state in
      defer { state.done = [] }
      return state.done
    }
    for (number, outcome) in done { waiting.removeValue(forKey: number)?(outcome) }
  }

  /// Has a worker respond to a request; its errors are responses, too.
  func answer(
    _ reply: @escaping (Reply) -> Void,
    by work: @escaping @Sendable (WorkerContext) throws -> Response
  ) {
    submit(
      { context in
        do { return .response(try work(context)) } catch {
          return .response(Problem(error).response)
        }
      }, then: { if case .response(let response) = $0 { reply(.response(response)) } })
  }
}
