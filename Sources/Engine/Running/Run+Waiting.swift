import CEL
import POSIX
import Program
import Store

/// Waits of a run, during which its other branches work.
extension Run {
  /// Runs an outside operation while other branches take their turns.
  func outside<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let clock = host.machine.simulation else { return try withoutTurn(body) }
    // A fake returns at once and reports its simulated duration.
    defer { if let instant = clock.takeOwed() { sleep(until: instant, [], clock) } }
    return try body()
  }

  /// Runs a body while other branches take their turns.
  func withoutTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let turns = branches.turns else { return try body() }
    turns.leave()
    defer { turns.enter() }
    return try body()
  }

  /// Waits in simulated time until an instant, or until a descriptor is readable.
  private func sleep(until instant: Int64, _ descriptors: [Int32], _ clock: SimulatedClock) {
    if let turns = branches.turns {
      turns.sleep(until: instant) { Interrupt.isAnyReadable(descriptors) }
    } else if !Interrupt.isAnyReadable(descriptors) {
      clock.advance(to: instant)
    }
  }

  /// Lets other branches work in simulated time, at most until an instant; false when there are
  /// none and no instant, so that waiting would never end.
  func waitForOthers(until end: Int64?, _ task: TaskContext) throws -> Bool {
    let now = host.machine.monotonic()
    if let turns = branches.turns,
      turns.othersAreReady || turns.earliestWake.map({ $0 <= now }) == true
    {
      try commitWrites()
      turns.leave()
      turns.enter()
      try task.check(host.machine.monotonic)
      return true
    }
    guard let instant = [end, branches.turns?.earliestWake].compactMap({ $0 }).min() else {
      return false
    }
    try pause(until: instant, task)
    return true
  }

  /// The deadline and interrupts of a task context as bounds for a wait.
  func bounds(of task: TaskContext) -> WaitBounds {
    WaitBounds(deadline: task.nearestDeadline, descriptors: task.pollDescriptors)
  }

  /// Longest wait during which writes may stay uncommitted.
  private static let shortWait = Duration.milliseconds(20)

  /// Waits until an instant of the monotonic clock.
  ///
  /// - Parameter isPace: whether it waits for a rate limit; after a short wait, earlier writes are
  ///   committed with later ones.
  /// - Throws: `Cancellation` when the branch must end.
  func pause(until instant: Int64, _ task: TaskContext, isPace: Bool = false) throws {
    let machine = host.machine
    if !isPace {
      try commitWrites()
    } else if instant - machine.monotonic() > Self.shortWait.nanoseconds {
      try commitWritesTogether()
    }
    while machine.monotonic() < instant {
      try task.check(machine.monotonic)
      wait(until: instant, [], task)
    }
    try task.check(machine.monotonic)
  }

  /// Waits once until an instant, a readable descriptor or the end of the branch.
  private func wait(until instant: Int64, _ descriptors: [Int32], _ task: TaskContext) {
    let bounds = bounds(of: task)
    let until = bounds.deadline.map { min($0, instant) } ?? instant
    let descriptors = bounds.descriptors + descriptors
    if let clock = host.machine.simulation {
      sleep(until: until, descriptors, clock)
    } else {
      outside { host.machine.pause(until, descriptors) }
    }
  }

  /// Waits until an instant, or until a descriptor is readable.
  ///
  /// - Throws: `Cancellation` when the branch must end.
  func pause(until instant: Int64, orReadable descriptor: Int32, _ task: TaskContext) throws {
    try commitWrites()
    try task.check(host.machine.monotonic)
    wait(until: instant, [descriptor], task)
    try task.check(host.machine.monotonic)
  }

  /// Waits for a duration.
  ///
  /// - Throws: `Cancellation` when the branch must end.
  func pause(for length: DurationValue, _ task: TaskContext) throws {
    try pause(until: host.machine.monotonic() &+ length.length.nanoseconds, task)
  }

  /// Asks the person a question; branches ask one at a time.
  ///
  /// - Throws: `needs-value` in a transaction, which must not wait for a person.
  package func put(_ question: Question) throws -> Reply {
    guard writer.heldTelling == nil else {
      throw RunError(
        .needsValue, "“\(question.prompt)” cannot be asked in `atomic`",
        remedy: .answer(key: question.key))
    }
    try commitWrites()
    do {
      guard let questions = branches.questions else { return try front.ask(question) }
      return try outside {
        questions.enter()
        defer { questions.leave() }
        return try front.ask(question)
      }
    } catch let end as Cancellation where end.reason == .interrupted {
      // A durable run is suspended when its process is terminated, even during a question.
      throw Cancellation(reasonOfInterrupt())
    }
  }

  /// Commits writes before an effect that the person or the outside world can observe.
  @inline(__always)
  func prepare(for effect: Effect) throws {
    switch effect {
    case .pure, .read, .write: break
    case .tell, .ask: try commitWrites()
    case .outside:
      try commitWritesTogether()
      if session.record != nil { try prepareToReachOutside() }
    }
  }

  /// Records a run before an outside effect, and checks that its lease is valid.
  private func prepareToReachOutside() throws {
    guard let store = workspace.openedStore, session.lease != nil else { return recordReach() }
    try RunError.translating { try store.runs.expectLease() }
  }
}

extension DurationValue {
  /// The length, clamped so that adding it to a clock value cannot overflow.
  var length: Duration { .nanoseconds(min(max(totalNanoseconds ?? .max, 0), .max / 4)) }
}

/// Notification of the journal and the observers.
extension Run {
  /// The journal for resuming the run; nil in a transaction, which is one step of the journal.
  var lines: RunJournal? {
    guard let journal = recorder.journal, journal.isDurable, writer.transactionDepth == 0 else {
      return nil
    }
    return journal
  }

  /// The number of the next journal line; nil when the run cannot be resumed.
  var nextLine: Int64? { lines?.nextNumber }

  /// Whether the run is in a transaction, where it must not wait for a person.
  package var isInTransaction: Bool { writer.transactionDepth > 0 }

  /// Notifies all observers of the end of a step.
  func tellObservers(_ end: StepEnd, _ step: CompiledStep, at place: StepPlace) throws {
    for observer in recorder.observers { try observer.stepEnds(step, at: place, end) }
  }

  /// Writes a journal line about a step, with its values if the run can be resumed.
  func note(
    _ key: String, _ kind: JournalLine.Kind, _ step: CompiledStep, took: Duration,
    value: () throws -> Value? = { nil }
  ) throws {
    guard let journal = recorder.journal else { return }
    if journal.isDurable {
      guard writer.transactionDepth == 0 else { return }
      try journal.note(key, kind, name: step.displayName, value: try value(), took: took)
    } else {
      // Without restoring, only errors are worth the space.
      let kept = kind == .failed || kind == .attempted ? try value() : nil
      try journal.note(key, kind, name: step.displayName, value: kept, took: took)
      if journal.isFull, recorder.observers.isEmpty { recorder.isWatched = false }
    }
  }
}
