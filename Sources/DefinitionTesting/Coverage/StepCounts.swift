/// How often steps were reached, and passed over, by their action and path.
package struct StepCounts: Sendable {
  private var reached: [String: [String: Int]] = [:]
  private var skipped: [String: [String: Int]] = [:]

  /// Nothing was reached yet.
  package init() {}

  /// Counts a step that is done.
  mutating func reach(_ id: String, in action: String) {
    reached[action, default: [:]][id, default: 0] += 1
  }

  /// Counts a step whose guard did not hold.
  mutating func skip(_ id: String, in action: String) {
    skipped[action, default: [:]][id, default: 0] += 1
  }

  /// Adds what another test reached.
  package mutating func add(_ other: StepCounts) {
    for (action, counts) in other.reached {
      reached[action, default: [:]].merge(counts, uniquingKeysWith: +)
    }
    for (action, counts) in other.skipped {
      skipped[action, default: [:]].merge(counts, uniquingKeysWith: +)
    }
  }

  /// How often a step was done.
  func done(_ id: String, in action: String) -> Int { reached[action]?[id] ?? 0 }

  /// How often its guard kept a step from being done.
  func passedOver(_ id: String, in action: String) -> Int { skipped[action]?[id] ?? 0 }

  /// How often a step was come by, whether or not it was done.
  func met(_ id: String, in action: String) -> Int {
    done(id, in: action) + passedOver(id, in: action)
  }
}
