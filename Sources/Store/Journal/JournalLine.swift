package import CEL

/// One line of a run's journal: what was decided or done at a place.
package struct JournalLine: Sendable {
  /// What a line tells.
  package enum Kind: Int64, Sendable {
    /// A step that reaches outside is about to be done.
    case begun = 0
    /// A step was done.
    case done = 1
    /// A step failed.
    case failed = 2
    /// The guard of a step did not hold.
    case skipped = 3
    /// What was found out at a place, such as the branch that is taken.
    case decided = 4
    /// An attempt failed, and another one follows.
    case attempted = 5
  }

  /// Its number in the run, from 1.
  package let number: Int64
  /// What tells the place from every other one of the run, and what of it this is.
  package let key: String
  package let kind: Kind
  /// What the step is called.
  package let name: String
  package let time: Timestamp
  /// How long it took, in microseconds.
  package let took: Int64
  /// The values, as the run wrote them.
  package let data: String

  package init(
    number: Int64, key: String, kind: Kind, name: String, time: Timestamp, took: Int64,
    data: String
  ) {
    self.number = number
    self.key = key
    self.kind = kind
    self.name = name
    self.time = time
    self.took = took
    self.data = data
  }
}
