/// Which intents and shortcuts come to something by what they call, found as it is asked for; what is
/// known of one is not looked for again.
struct CallReach {
  /// What is looked for.
  enum Goal: Hashable {
    /// A step that tells or changes something.
    case noise
    /// A question that every run asks.
    case question
    /// A step that raises an error of a code.
    case code(String)
  }

  private var known: [Goal: [String: Bool]] = [:]
  /// How many files were in reach.
  private var fileCount = 0

  /// Whether one comes to the goal: it meets the condition itself, or something that it calls does.
  ///
  /// - Complexity: O(what is reached for the first time).
  mutating func comes(
    _ name: String, to goal: Goal, among fileCount: Int, _ meets: (String) -> Bool,
    callees: (String) -> [String]
  ) -> Bool {
    if fileCount != self.fileCount {
      self = CallReach()
      self.fileCount = fileCount
    }
    var callers: [String: String] = [:]
    var seen: Set<String> = [name]
    var pending = [name]
    while let next = pending.popLast() {
      let answer = known[goal]?[next]
      if answer == true || answer == nil && meets(next) {
        var way: String? = next
        while let name = way {
          known[goal, default: [:]][name] = true
          way = callers[name]
        }
        return true
      }
      if answer == false { continue }
      for callee in callees(next) where seen.insert(callee).inserted {
        callers[callee] = next
        pending.append(callee)
      }
    }
    for name in seen { known[goal, default: [:]][name] = false }
    return false
  }
}
