import Program
import Source

extension Workspace {
  /// A warning where every run of an intent or a shortcut comes to run it again.
  func recursion(in name: String) -> [Diagnostic] {
    guard let start = try? action(name) else { return [] }
    for call in start.certainCalls where isReached(name, from: call.name) {
      let way = call.name == name ? "runs itself" : "runs itself again by way of `\(call.name)`"
      return [
        Diagnostic(
          "W206", "`\(name)` \(way), and nothing ends that", at: call.span,
          help: "give the step a `when:` that comes to be false", severity: .warning)
      ]
    }
    return []
  }

  /// Whether each of two intents or shortcuts comes to run the other one.
  package func runEachOther(_ one: String, _ other: String) -> Bool {
    isReached(one, from: other) && isReached(other, from: one)
  }

  private func isReached(_ name: String, from callee: String) -> Bool {
    var seen: Set<String> = [callee]
    var pending = [callee]
    while let next = pending.popLast() {
      if next == name { return true }
      guard let action = try? action(next) else { continue }
      for call in action.certainCalls where seen.insert(call.name).inserted {
        pending.append(call.name)
      }
    }
    return false
  }
}
