import CEL
import Engine
import Store
import Worker

/// The jobs of shares that were taken in.
struct ShareJobs {
  private let invocation: Invocation
  private let session: Run

  init(_ invocation: Invocation, _ session: Run) {
    self.invocation = invocation
    self.session = session
  }

  /// What came of shares in the queue.
  struct Summary {
    /// How many shares are done.
    var shares = 0
    /// How many of their jobs failed.
    var failed = 0
  }

  /// Does all that can be done now, as a worker would.
  ///
  /// - Throws: what keeps it from beginning.
  func runAll() throws -> Summary {
    var options = Worker.Options()
    options.isOnce = true
    options.hasAutomations = false
    options.selection = JobSelection(originPrefix: ShareIntake.origin)
    var shares: Set<String> = []
    let summary = try invocation.work(
      options, grace: Self.grace, isLogged: false, didDo: { shares.insert($0.origin) })
    return Summary(shares: shares.count, failed: summary.failed)
  }

  /// How many seconds a job may go on once it is to end.
  private static let grace: Int64 = 20
}
