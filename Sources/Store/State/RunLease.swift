/// The right of a run to write.
package struct RunLease: Sendable {
  /// The number of the run.
  package let run: Int64
  /// What tells it from every other right that the run had before.
  package let fence: Int64

  package init(run: Int64, fence: Int64) {
    self.run = run
    self.fence = fence
  }
}
