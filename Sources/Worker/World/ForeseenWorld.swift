package import CEL
package import Engine
package import Items

/// A world in which waiting takes no time, to show what a worker would do.
package final class ForeseenWorld: WorkerWorld {
  private let clock: SimulatedClock
  private let start: Timestamp
  private let end: Timestamp
  private let requirements: [Requirement]
  package let session: (boot: String, slept: Duration)
  /// Whether the worker must end before that.
  package var isCutShort = false

  /// Creates a world from the start of a clock to a moment, in which the machine stays as it is.
  package init(_ clock: SimulatedClock, until end: Timestamp, like world: any WorkerWorld) {
    self.clock = clock
    self.end = end
    start = clock.now
    requirements = world.available()
    session = world.session
  }

  package var now: Timestamp { clock.now }

  package var isEnding: Bool { isCutShort || now >= end }

  package func available() -> [Requirement] { requirements }

  package func wait(
    until time: Timestamp?, watching folders: [String], forMachine isForMachine: Bool
  ) {
    let next = min(time ?? end, end)
    clock.advance(to: (next.microseconds - start.microseconds) * 1000)
  }

  package func expanded(_ path: String) -> String { path }

  /// No folder can be read, so that nothing is found in them.
  package func files(in folder: String) -> [WatchedFile]? { nil }
}
