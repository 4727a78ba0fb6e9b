import CEL
import Program
import Store

/// Waits of a run: everything that takes time outside lets other branches work meanwhile.
extension Run {
  /// Runs a body that waits for something outside, while other branches take their turns.
  func outside<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let clock = host.machine.simulation else { return try withoutTurn(body) }
    // What stands for the world answers at once, and says how long it would have taken.
    defer { if let instant = clock.takeOwed() { sleep(until: instant, [], clock) } }
    return try body()
  }

  /// Runs a body while other branches take their turns.
  func withoutTurn<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let turns else { return try body() }
    turns.leave()
    defer { turns.enter() }
    return try body()
  }

  /// Waits in simulated time, until an instant or until one of the descriptors can be read.
  private func sleep(until instant: Int64, _ descriptors: [Int32], _ clock: SimulatedClock) {
    if let turns {
      turns.sleep(until: instant) { Interrupt.isAnyReadable(descriptors) }
    } else if !Interrupt.isAnyReadable(descriptors) {
      clock.advance(to: instant)
    }
  }

  /// Lets other branches work in simulated time, at most until an instant; false when there are none
  /// and no instant, so that nothing can come any more.
  func waitForOthers(until end: Int64?, _ strand: Strand) throws -> Bool {
    let now = host.machine.monotonic()
    if let turns, turns.othersAreReady || turns.earliestWake.map({ $0 <= now }) == true {
      try commitWrites()
      turns.leave()
      turns.enter()
      try strand.check(host.machine.monotonic)
      return true
    }
    guard let instant = [end, turns?.earliestWake].compactMap({ $0 }).min() else { return false }
    try pause(until: instant, strand)
    return true
  }

  /// What ends a wait of a line of steps.
  func bounds(of strand: Strand) -> WaitBounds {
    WaitBounds(deadline: strand.nearestDeadline, descriptors: strand.pollDescriptors)
  }

  /// For how long writes may wait for the next commit, in nanoseconds.
  private static let shortWait: Int64 = 20_000_000

  /// Waits until an instant of the monotonic clock.
  ///
  /// - Parameter isPace: whether it only waits for its turn at a server; where that comes soon, what
  ///   was written is committed with what follows.
  /// - Throws: `Cancellation` when the line must end.
  func pause(until instant: Int64, _ strand: Strand, isPace: Bool = false) throws {
    let machine = host.machine
    if !isPace {
      try commitWrites()
    } else if instant - machine.monotonic() > Self.shortWait {
      try commitWritesTogether()
    }
    while machine.monotonic() < instant {
      try strand.check(machine.monotonic)
      let bounds = bounds(of: strand)
      let until = bounds.deadline.map { min($0, instant) } ?? instant
      if let clock = machine.simulation {
        sleep(until: until, bounds.descriptors, clock)
      } else {
        outside { machine.pause(until, bounds.descriptors) }
      }
    }
    try strand.check(machine.monotonic)
  }

  /// Waits until an instant, or until a descriptor can be read.
  ///
  /// - Throws: `Cancellation` when the line must end.
  func pause(until instant: Int64, orReadable descriptor: Int32, _ strand: Strand) throws {
    let machine = host.machine
    try commitWrites()
    try strand.check(machine.monotonic)
    let bounds = bounds(of: strand)
    let until = bounds.deadline.map { min($0, instant) } ?? instant
    outside { machine.pause(until, bounds.descriptors + [descriptor]) }
    try strand.check(machine.monotonic)
  }

  /// Waits for a length of time.
  ///
  /// - Throws: `Cancellation` when the line must end.
  func pause(for length: Duration, _ strand: Strand) throws {
    try pause(until: host.machine.monotonic() &+ length.clampedNanoseconds, strand)
  }

  /// Puts a question to the person; branches ask one at a time.
  ///
  /// - Throws: `needs-value` within a transaction, which must not wait for a person.
  package func put(_ question: Question) throws -> Reply {
    guard heldTelling == nil else {
      throw RunError(
        .needsValue, "“\(question.prompt)” can't be asked in `atomic`",
        remedy: .answer(key: question.key))
    }
    try commitWrites()
    do {
      guard let questions else { return try front.ask(question) }
      return try outside {
        questions.enter()
        defer { questions.leave() }
        return try front.ask(question)
      }
    } catch let end as Cancellation where end.reason == .interrupted {
      // A durable run whose process is asked to end goes on later, also from an open question.
      throw Cancellation(reasonOfInterrupt())
    }
  }

  /// Does what must be done before something happens that the person or the world can notice.
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

  /// Records a run that reaches outside, and expects that it may still do so.
  private func prepareToReachOutside() throws {
    guard let store = workspace.openedStore, session.lease != nil else { return recordReach() }
    try RunError.translating { try store.runs.expectLease() }
  }
}

extension Duration {
  /// The length in nanoseconds, within what 64 bits and a clock's sum can hold.
  var clampedNanoseconds: Int64 { min(max(totalNanoseconds ?? .max, 0), .max / 4) }
}

/// Who hears of the steps of a run: its journal and its observers.
extension Run {
  /// The journal from which the run can go on; nil in a transaction, which is one step of it.
  var lines: RunJournal? {
    guard let journal, journal.isDurable, transactionDepth == 0 else { return nil }
    return journal
  }

  /// The number of the line that is written next; nil where nothing can be gone on from.
  var nextLine: Int64? { lines?.nextNumber }

  /// Whether what the run does is a transaction, in which nothing may wait for a person.
  package var isInTransaction: Bool { transactionDepth > 0 }

  /// Tells all observers how a step ended.
  func tellObservers(_ end: StepEnd, _ step: CompiledStep, at place: StepPlace) throws {
    for observer in observers { try observer.stepEnds(step, at: place, end) }
  }

  /// Writes a line about a step, with what it takes to go on from there where the run can go on.
  func note(
    _ key: String, _ kind: JournalLine.Kind, _ step: CompiledStep, took: Int64,
    value: () throws -> Value? = { nil }
  ) throws {
    guard let journal else { return }
    if journal.isDurable {
      guard transactionDepth == 0 else { return }
      try journal.note(key, kind, name: step.displayName, value: try value(), took: took)
    } else {
      // Only errors are worth their room where nothing is to be restored.
      let kept = kind == .failed || kind == .attempted ? try value() : nil
      try journal.note(key, kind, name: step.displayName, value: kept, took: took)
      if journal.isFull, observers.isEmpty { isWatched = false }
    }
  }
}
