/// Finds what a person most likely meant by a name that does not exist.
package enum Suggestion {
  /// The nearest of `candidates`, if one is near enough to be worth saying.
  ///
  /// - Complexity: O(candidates × length²).
  package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.lowercased().unicodeScalars)
    let limit = max(1, wanted.count / 3)
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      let distance = editDistance(wanted, Array(candidate.lowercased().unicodeScalars))
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name
  }

  /// "did you mean `x`?", or what there is to choose from when nothing is near.
  package static func help(for name: String, in candidates: [String]) -> String? {
    if let nearest = nearest(to: name, in: candidates) { return "did you mean `\(nearest)`?" }
    if candidates.isEmpty { return nil }
    let shown = candidates.sorted().prefix(12).map { "`\($0)`" }.joined(separator: ", ")
    return candidates.count > 12 ? "there are \(shown), …" : "there is \(shown)"
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
