/// Suggestions for unknown names.
package enum Suggestion {
  /// Names and candidates longer than this are ignored.
  private static let maxNameLength = 64
  /// Maximum number of candidates to compare.
  private static let maxCandidates = 1_000

  /// Maximum number of candidates in advice.
  private static let maxListed = 24

  /// Returns the nearest candidate; nil if none is near enough.
  ///
  /// - Complexity: O(candidates × length²), both limited.
  package static func nearest(to name: String, in candidates: some Sequence<String>) -> String? {
    guard name.utf8.count <= 4 * maxNameLength else { return nil }
    let wanted = Array(name.lowercased().unicodeScalars)
    guard wanted.count <= maxNameLength else { return nil }
    let limit = limit(wanted)
    let letterSet = LetterSet(wanted)
    let candidates = Array(candidates.prefix(maxCandidates))
    var best: (name: String, distance: Int)?
    for candidate in candidates {
      // Rules most candidates out by their length or letters, without allocating.
      guard letterSet.mayBecome(candidate, within: limit) else { continue }
      let letters = Array(candidate.lowercased().unicodeScalars)
      guard abs(letters.count - wanted.count) <= limit else { continue }
      let distance = editDistance(wanted, letters)
      if distance <= limit, distance < best?.distance ?? .max { best = (candidate, distance) }
    }
    return best?.name ?? completion(of: wanted, in: candidates) ?? sharing(name, candidates)
      ?? written(outFrom: name, candidates)
  }

  /// Returns the number of slips that a name may have; another single letter is another name.
  private static func limit(_ name: [Unicode.Scalar]) -> Int {
    name.count == 1 ? 0 : max(1, name.count / 3)
  }

  /// Minimum length of a prefix to complete.
  private static let minPrefixLength = 3

  /// Returns the candidate with this prefix; of several, the one that is a prefix of all others;
  /// else nil.
  private static func completion(
    of beginning: [Unicode.Scalar], in candidates: [String]
  ) -> String? {
    guard beginning.count >= minPrefixLength else { return nil }
    var found: String?
    let letterSet = LetterSet(beginning)
    for candidate in candidates.prefix(maxCandidates) where letterSet.mayBegin(candidate) {
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

  /// Returns the only candidate with all the parts of a name such as `save-clipboard`, in order.
  private static func sharing(_ name: String, _ candidates: [String]) -> String? {
    let parts = name.lowercased().split(separator: "-")
    guard parts.count > 1 else { return nil }
    let found = candidates.filter { candidate in
      var rest = candidate.split(separator: "-")[...]
      return parts.allSatisfy { part in
        guard let index = rest.firstIndex(of: part) else { return false }
        rest = rest[(index + 1)...]
        return true
      }
    }
    return found.count == 1 ? found[0] : nil
  }

  /// Returns the only candidate that a name such as `qty` or `nr` abbreviates.
  private static func written(outFrom name: String, _ candidates: [String]) -> String? {
    let found = candidates.filter { isShort(name, for: $0) }
    return found.count == 1 ? found[0] : nil
  }

  /// Whether a name has some of the letters of another in order, the first and the last among them.
  private static func isShort(_ name: String, for candidate: String) -> Bool {
    let letters = name.lowercased()
    let whole = candidate.lowercased()
    guard letters.count > 1, letters.count < whole.count, letters.first == whole.first,
      letters.last == whole.last, letters.allSatisfy(\.isLetter)
    else { return false }
    var rest = whole[...]
    return letters.allSatisfy { letter in
      guard let index = rest.firstIndex(of: letter) else { return false }
      rest = rest[rest.index(after: index)...]
      return true
    }
  }

  /// Returns the question for a suggested name.
  private static func question(_ name: String) -> String { "did you mean `\(name)`?" }

  /// Returns the name suggested in advice; nil for other advice.
  static func name(in help: String) -> String? {
    let parts = help.split(separator: "`", omittingEmptySubsequences: false)
    return parts.count == 3 && question(String(parts[1])) == help ? String(parts[1]) : nil
  }

  /// Returns "did you mean `x`?"; nil if no candidate is near.
  package static func didYouMean(_ name: String, in candidates: [String]) -> String? {
    nearest(to: name, in: candidates).map { question($0) }
  }

  /// Returns "did you mean `x`?" for one of a few words; nil if none is meant.
  ///
  /// They are so few that the beginning of one is enough.
  package static func choice(_ word: String, in words: [String]) -> String? {
    let synonyms = Synonyms.of(word, in: words)
    if !synonyms.isEmpty { return either(synonyms) }
    let begun = words.filter { !word.isEmpty && $0.hasPrefix(word.lowercased()) }
    return begun.count == 1 ? question(begun[0]) : didYouMean(word, in: words)
  }

  /// Returns the candidate that is meant by another name or a misspelling; nil if there is none.
  package static func meant(by name: String, in candidates: [String]) -> String? {
    Synonyms.of(name, in: candidates.prefix(maxCandidates)).first
      ?? nearest(to: name, in: candidates)
  }

  private static func either(_ names: [String]) -> String {
    "did you mean \(names.map { "`\($0)`" }.joined(separator: " or "))?"
  }

  /// Returns "did you mean `x`?", or lists the candidates if none is near.
  package static func help(for name: String, in candidates: [String]) -> String? {
    let synonyms = Synonyms.of(name, in: candidates.prefix(maxCandidates))
    if !synonyms.isEmpty { return either(synonyms) }
    if let nearest = nearest(to: name, in: candidates) { return question(nearest) }
    if candidates.isEmpty { return nil }
    if candidates.count == 1 { return "the only one is `\(candidates[0])`" }
    let first = Set(candidates.prefix(maxCandidates)).sorted().prefix(maxListed)
    let shown = first.map { "`\($0)`" }.joined(separator: ", ")
    return "choose one of \(shown)\(candidates.count > maxListed ? ", …" : "")"
  }

  /// Returns the candidates that `nearest` may choose, in order; all others differ too much.
  package static func possible(for name: String, in candidates: [String]) -> [String] {
    let wanted = Array(name.lowercased().unicodeScalars)
    let limit = limit(wanted)
    let letterSet = LetterSet(wanted)
    return candidates.filter {
      letterSet.mayBecome($0, within: limit) || letterSet.mayBegin($0) || isShort(name, for: $0)
    }
  }

  /// Returns the optimal string alignment distance: insertions, deletions, substitutions and swaps.
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
