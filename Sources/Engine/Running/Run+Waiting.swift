import CEL
import Program

/// Waits of a run: everything that takes time outside lets other branches work meanwhile.
extension Run {
  /// Runs a body that waits for something outside, while other branches take their turns.
  func outside<Result>(_ body: () throws -> Result) rethrows -> Result {
    guard let turns else { return try body() }
    turns.leave()
    defer { turns.enter() }
    return try body()
  }

  /// What ends a wait of a line of steps.
  func bounds(of strand: Strand) -> WaitBounds {
    WaitBounds(deadline: strand.nearestDeadline, descriptors: strand.pollDescriptors)
  }

  /// Waits until an instant of the monotonic clock.
  ///
  /// - Throws: `Cancellation` when the line must end.
  func pause(until instant: Int64, _ strand: Strand) throws {
    let machine = host.machine
    try commitWrites()
    while machine.monotonic() < instant {
      try strand.check(machine.monotonic)
      let bounds = bounds(of: strand)
      let until = bounds.deadline.map { min($0, instant) } ?? instant
      outside { machine.pause(until, bounds.descriptors) }
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
  func put(_ question: Question) throws -> Reply {
    try commitWrites()
    guard let questions else { return try front.ask(question) }
    return try outside {
      questions.enter()
      defer { questions.leave() }
      return try front.ask(question)
    }
  }

  /// Does what must be done before something happens that the person or the world can notice.
  @inline(__always)
  func prepare(for effect: Effect) throws {
    switch effect {
    case .pure, .read, .write: break
    case .tell, .ask, .outside: try commitWrites()
    }
  }
}

extension Duration {
  /// The length in nanoseconds, within what 64 bits and a clock's sum can hold.
  var clampedNanoseconds: Int64 { min(max(totalNanoseconds ?? .max, 0), .max / 4) }
}
