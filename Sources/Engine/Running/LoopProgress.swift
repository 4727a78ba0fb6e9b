/// Tells the person how far a loop over a list has come, when it takes long enough to wonder.
struct LoopProgress {
  private let run: Run?
  private let total: Int
  private var hasTold = false
  private var nextLook: Int64

  /// How long a loop runs before it tells anything, and between two reports, in nanoseconds.
  private static let pause: Int64 = 100_000_000
  /// How many passes go by between two looks at the clock.
  private static let stride = 64

  /// Only loops of what was asked for, with some passes, are told of.
  init(_ run: Run, depth: Int, total: Int) {
    self.run = depth == 0 && total > 1 && !run.isTellingProgress ? run : nil
    self.total = total
    nextLook = 0
    guard let run = self.run else { return }
    run.isTellingProgress = true
    nextLook = run.host.machine.monotonic() + Self.pause
  }

  /// Hears that a pass begins.
  @inline(__always)
  mutating func begin(_ pass: Int) {
    if run != nil, pass % Self.stride == 0 || total < 10_000 { look(pass) }
  }

  private mutating func look(_ pass: Int) {
    guard let run, pass > 0 else { return }
    let now = run.host.machine.monotonic()
    guard now >= nextLook else { return }
    nextLook = now + Self.pause
    hasTold = true
    run.front.progress(Progress(done: pass, total: total))
  }

  /// Hears that the loop is over.
  mutating func end() {
    guard let run else { return }
    run.isTellingProgress = false
    if hasTold { run.front.progress(Progress(done: total, total: total, isOver: true)) }
  }
}
