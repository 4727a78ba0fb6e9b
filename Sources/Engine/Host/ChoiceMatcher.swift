/// Finds the choices that a typed answer means.
package struct ChoiceMatcher {
  /// What an answer comes to.
  package enum Match: Equatable {
    /// The positions of the choices taken.
    case chosen([Int])
    /// The answer is part of several choices.
    case narrowed([Int])
    /// What is wrong with it, in words.
    case problem(String)
  }

  private let choices: [Question.Choice]
  private let takesMany: Bool

  package init(_ choices: [Question.Choice], many: Bool) {
    self.choices = choices
    takesMany = many
  }

  /// How an answer is written, for messages.
  private var form: String {
    if takesMany { return "type numbers such as 1,3-5, or all, or none" }
    return choices.count == 1 ? "type 1" : "type a number from 1 to \(choices.count)"
  }

  /// What an answer comes to: numbers, references, titles or parts of them.
  package func match(_ answer: String) -> Match {
    let answer = Self.trimmed(answer[...])
    if answer.isEmpty { return .problem(form) }
    if let position = exact(answer) { return .chosen([position]) }
    guard takesMany else { return matchOne(answer) }
    switch answer.lowercased() {
    case "all": return .chosen(Array(choices.indices))
    case "none": return .chosen([])
    default: return matchMany(answer)
    }
  }

  private func matchOne(_ answer: String) -> Match {
    if let number = Int(answer) {
      if choices.indices.contains(number - 1) { return .chosen([number - 1]) }
      if positions(containing: answer).isEmpty { return .problem("there is no \(number): \(form)") }
    }
    let found = positions(containing: answer)
    switch found.count {
    case 0: return .problem("nothing matches “\(answer)”: \(form)")
    case 1: return .chosen(found)
    default: return .narrowed(found)
    }
  }

  private func matchMany(_ answer: String) -> Match {
    let parts = answer.split(separator: ",").map(Self.trimmed).filter { !$0.isEmpty }
    if parts.isEmpty { return .problem(form) }
    var chosen: [Int] = []
    for part in parts {
      let found: [Int]
      if let position = exact(part) {
        found = [position]
      } else if let range = range(part) {
        guard range.lowerBound >= 1, range.upperBound <= choices.count else {
          return .problem("there is no \(part): \(form)")
        }
        found = range.map { $0 - 1 }
      } else {
        found = positions(containing: part)
        if found.isEmpty { return .problem("nothing matches “\(part)”: \(form)") }
        if found.count > 1 {
          return parts.count == 1
            ? .narrowed(found) : .problem("“\(part)” matches \(found.count) of them: \(form)")
        }
      }
      chosen += found.filter { !chosen.contains($0) }
    }
    return .chosen(chosen)
  }

  /// `3` or `3-5`.
  private func range(_ text: String) -> ClosedRange<Int>? {
    let ends = text.split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
      .map { Int(Self.trimmed($0)) }
    guard let first = ends.first.flatMap({ $0 }), let last = ends.last.flatMap({ $0 }),
      first <= last
    else { return nil }
    return first...last
  }

  /// The choice with just this reference or title; nil when several have it.
  private func exact(_ text: String) -> Int? {
    if let position = choices.firstIndex(where: { $0.reference == text }) { return position }
    let same = choices.indices.filter { choices[$0].title == text }
    return same.count == 1 ? same[0] : nil
  }

  private func positions(containing part: String) -> [Int] {
    let part = part.lowercased()
    let found = choices.indices.filter { index in
      choices[index].title.lowercased().contains(part)
        || choices[index].subtitle?.lowercased().contains(part) ?? false
    }
    let whole = found.filter { choices[$0].title.lowercased() == part }
    return whole.count == 1 ? whole : found
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first?.isWhitespace == true { text.removeFirst() }
    while text.last?.isWhitespace == true { text.removeLast() }
    return String(text)
  }
}
