/// Finds what a person most likely meant by a name that does not exist.
package enum Suggestion {
  /// A name that is longer was never mistyped, and candidates that are longer were never meant.
  private static let longestName = 64
  /// How many candidates are compared with a name.
  private static let mostCandidates = 1_000

  /// The nearest of `candidates`, if one is near enough to be worth saying.
  ///
  /// - Complexity: O(candidates × length²), within limits for both.
  package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    nearest(to: name, in: [candidates as? [String] ?? Array(candidates.prefix(mostCandidates))])
  }

  /// The nearest of the candidates in several lists, none of which is copied.
  ///
  /// - Complexity: O(candidates × length²), within limits for both.
  package static func nearest(to name: String, in lists: [[String]]) -> String? {
    guard name.utf8.count <= 4 * longestName else { return nil }
    let wanted = Array(name.lowercased().unicodeScalars)
    guard wanted.count <= longestName else { return nil }
    let limit = max(1, wanted.count / 3)
    let look = LetterSet(wanted)
    let candidates = lists.count == 1 ? lists[0] : Array(lists.joined().prefix(mostCandidates))
    var best: (name: String, distance: Int)?
    for candidate in candidates.prefix(mostCandidates) {
      // Most are ruled out by their length or their letters, without an array of them.
      guard look.mayBecome(candidate, within: limit) else { continue }
      let letters = Array(candidate.lowercased().unicodeScalars)
      guard abs(letters.count - wanted.count) <= limit else { continue }
      let distance = editDistance(wanted, letters)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name ?? completion(of: wanted, in: candidates)
  }

  /// How many letters tell what a person began to write.
  private static let leastBeginning = 3

  /// The candidate that begins so, of several the one that all others begin with; else nil.
  private static func completion(
    of beginning: [Unicode.Scalar], in candidates: [String]
  ) -> String? {
    guard beginning.count >= leastBeginning else { return nil }
    var found: String?
    let look = LetterSet(beginning)
    for candidate in candidates.prefix(mostCandidates) where look.mayBegin(candidate) {
      guard candidate.lowercased().unicodeScalars.starts(with: beginning) else { continue }
      guard let earlier = found else {
        found = candidate
        continue
      }
      if candidate.hasPrefix(earlier) { continue }
      guard earlier.hasPrefix(candidate) else { return nil }
      found = candidate
    }
    return found
  }

  /// "did you mean `x`?", or the names to choose from when nothing is near.
  package static func help(for name: String, in candidates: [String]) -> String? {
    let synonyms = Synonyms.of(name, in: candidates.prefix(mostCandidates))
    if !synonyms.isEmpty {
      return "did you mean \(synonyms.map { "`\($0)`" }.joined(separator: " or "))?"
    }
    if let nearest = nearest(to: name, in: candidates) { return "did you mean `\(nearest)`?" }
    if candidates.isEmpty { return nil }
    if candidates.count == 1 { return "the only one is `\(candidates[0])`" }
    let shown = first(12, of: candidates.prefix(mostCandidates)).map { "`\($0)`" }.joined(
      separator: ", ")
    return "choose one of \(shown)\(candidates.count > 12 ? ", …" : "")"
  }

  /// The candidates of which one may be the nearest to a name, in their order: all others are
  /// neither near it nor begin so.
  package static func possible(for name: String, in candidates: [String]) -> [String] {
    let wanted = Array(name.lowercased().unicodeScalars)
    let limit = max(1, wanted.count / 3)
    let look = LetterSet(wanted)
    return candidates.filter { look.mayBecome($0, within: limit) || look.mayBegin($0) }
  }

  /// The first of some names in alphabetical order.
  ///
  /// - Complexity: O(names × count) at most; few of many names are among the first.
  private static func first(_ count: Int, of names: some Sequence<String>) -> [String] {
    var first: [String] = []
    for name in names {
      if first.count == count, let last = first.last, name >= last { continue }
      first.insert(name, at: first.firstIndex { name < $0 } ?? first.count)
      if first.count > count { first.removeLast() }
    }
    return first
  }

  /// The optimal string alignment distance: insertions, deletions, substitutions and swaps.
  private static func editDistance(_ a: [Unicode.Scalar], _ b: [Unicode.Scalar]) -> Int {
    if a.isEmpty || b.isEmpty { return max(a.count, b.count) }
    var twoBack: [Int] = []
    var previous = Array(0...b.count)
    for i in 1...a.count {
      var current = [i]
      for j in 1...b.count {
        let substitution = previous[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1)
        var best = min(previous[j] + 1, current[j - 1] + 1, substitution)
        if i > 1, j > 1, a[i - 1] == b[j - 2], a[i - 2] == b[j - 1] {
          best = min(best, twoBack[j - 2] + 1)
        }
        current.append(best)
      }
      twoBack = previous
      previous = current
    }
    return previous[b.count]
  }
}
