import Catalog
import YAML

/// The rules of one fake: finds the reply to what was reached, and counts how often.
struct FakeRules {
  private let rules: [(pattern: FakePattern, rule: FakeRule)]
  /// How often each rule was used.
  private var uses: [Int]

  init(_ rules: [FakeRule]) {
    self.rules = rules.map { (FakePattern($0.pattern.text), $0) }
    uses = rules.map { _ in 0 }
  }

  /// The next reply to something that has one of these names; nil when nothing stands for it.
  ///
  /// Of several rules that fit, the one that fixes most of the name counts, then the first.
  mutating func take(_ names: [String]) -> FakeReply? {
    let fitting = rules.indices.filter { index in
      names.contains { rules[index].pattern.matches($0) } && !rules[index].rule.replies.isEmpty
    }
    guard
      let index = fitting.max(by: { rules[$0].pattern.weight < rules[$1].pattern.weight })
    else { return nil }
    let replies = rules[index].rule.replies
    defer { uses[index] += 1 }
    return replies[min(uses[index], replies.count - 1)]
  }
}
