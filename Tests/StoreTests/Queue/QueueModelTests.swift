import CEL
import Glibc
import Items
import Store
import StoreFixtures
import TestSupport
import Testing

/// The queue against a model without SQL, under random operations of several workers.
@Suite struct QueueModelTests {
  /// A job in the model.
  private struct ModelJob {
    var state = Job.State.waiting
    var failures = 0
    var deaths = 0
    var due: Int64
    var key: String?
    var times: Int
    /// The worker that runs it.
    var worker: Int?
  }

  private let folder: TemporaryFolder
  private let clock = QueueClock()

  init() throws { folder = try TemporaryFolder() }

  @Test(arguments: 1...12 as ClosedRange<UInt64>)
  func queueMatchesModel(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let path = folder.path + "/library.db"
    let watcher = try clock.store(at: path)
    var workers: [Database] = []
    for _ in 0..<3 { workers.append(try clock.store(at: path)) }
    var model: [Int64: ModelJob] = [:]
    var stale: Set<Int> = []

    func waitingKey(_ key: String?) -> Bool {
      key != nil && model.values.contains { $0.state == .waiting && $0.key == key }
    }
    func putBack(_ number: Int64, _ change: (inout ModelJob) -> Void) throws {
      var job = try #require(model[number])
      job.worker = nil
      change(&job)
      if job.state == .waiting, waitingKey(job.key) { job.state = .cancelled }
      model[number] = job
    }
    func held(by worker: Int) -> Int64? { model.first { $0.value.worker == worker }?.key }

    for step in 0..<250 {
      let worker = Int.random(in: 0..<workers.count, using: &random)
      clock.microseconds += Int64.random(in: 0...400_000_000, using: &random)
      switch Int.random(in: 0..<12, using: &random) {
      case 0...3:
        let key = Bool.random(using: &random) ? nil : "k\(Int.random(in: 0..<2, using: &random))"
        let times = Int.random(in: 0...3, using: &random)
        let number = try watcher.jobs.enqueue(
          NewJob(
            handler: "h", key: key, origin: "model",
            retry: JobRetry(times: times, delay: .seconds(60), backoff: 2)))
        #expect((number == nil) == waitingKey(key))
        if let number {
          model[number] = ModelJob(due: clock.microseconds, key: key, times: times)
        }
      case 4...6:
        guard held(by: worker) == nil, !stale.contains(worker) else { continue }
        let expected = model.filter {
          $0.value.state == .waiting && $0.value.due <= clock.microseconds
        }
        .min { ($0.value.due, $0.key) < ($1.value.due, $1.key) }?.key
        let taken = try workers[worker].jobs.take()?.number
        #expect(taken == expected, "seed \(seed), step \(step)")
        if let taken {
          model[taken]?.state = .running
          model[taken]?.worker = worker
        }
      case 7, 8:
        if stale.contains(worker) {
          #expect(throws: StoreError.self) { try workers[worker].jobs.finish() }
          workers[worker].jobs.forget()
          stale.remove(worker)
        } else if let number = held(by: worker) {
          try workers[worker].jobs.finish()
          model[number]?.state = .done
          model[number]?.worker = nil
        }
      case 9:
        guard let number = held(by: worker), !stale.contains(worker) else { continue }
        let due = try workers[worker].jobs.fail("no")
        try putBack(number) { job in
          job.failures += 1
          if job.failures > job.times {
            job.state = .dead
          } else {
            job.state = .waiting
            job.due = clock.microseconds + 60_000_000 * (1 << Int64(job.failures - 1))
          }
        }
        #expect((due == nil) == (model[number]?.state == .dead))
      case 10:
        // A process dies, and another takes its place.
        let number = held(by: worker)
        stale.remove(worker)
        workers[worker] = try clock.store(at: path)
        if let number {
          // Only workers recover it.
          let other = try clock.store(at: path)
          // Programs that other tests start hold the lock of the dead process until they have replaced
          // their parent.
          for _ in 0..<2_000 {
            _ = try other.jobs.take(among: JobSelection(numbers: []))
            if try other.jobs.job(number)?.state != .running { break }
            usleep(1_000)
          }
          try putBack(number) { job in
            job.deaths += 1
            job.state = job.deaths >= 5 ? .dead : .waiting
            job.due = clock.microseconds
          }
        }
      default:
        // A process is frozen, so that others are given its job.
        guard let number = held(by: worker), !stale.contains(worker),
          model.values.count(where: { $0.state == .running }) == 1
        else { continue }
        let other = try clock.store(at: path)
        _ = try other.jobs.take(among: JobSelection(numbers: []), frozenAfter: .seconds(-1))
        stale.insert(worker)
        try putBack(number) { job in
          job.deaths += 1
          job.state = job.deaths >= 5 ? .dead : .waiting
          job.due = clock.microseconds
        }
      }
      for (number, expected) in model {
        let job = try #require(try watcher.jobs.job(number))
        #expect(job.state == expected.state, "seed \(seed), step \(step), job \(number)")
        #expect(job.failures == expected.failures)
        #expect(job.deaths == expected.deaths)
        if expected.state == .waiting { #expect(job.due.microseconds == expected.due) }
      }
    }
  }
}
