/// What a repair did to a store.
public struct Repair: Hashable, Sendable {
  /// What was wrong before.
  public var found: [StoreProblem] = []
  /// What is wrong still.
  public var left: [StoreProblem] = []
  /// The path of the copy that was made of the store before it was changed; nil when nothing was
  /// changed, and for a store in memory.
  public var backup: String?
  /// What could not be kept, a sentence each.
  public var losses: [String] = []

  /// A repair that has nothing to do.
  public init() {}

  init(found: [StoreProblem]) {
    self.found = found
    left = found
  }
}
