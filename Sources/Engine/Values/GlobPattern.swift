/// A file name pattern as in shells: `*`, `?`, `[a-z]`, `{jpg,png}`, and `**` across folders.
package struct GlobPattern {
  private let alternatives: [[Character]]
  /// Whether the pattern contains `/`, so that the whole path is matched.
  private let hasFolders: Bool

  /// Maximum number of patterns after brace expansion.
  private static let mostAlternatives = 256

  /// Parses a pattern.
  package init(_ text: String) {
    alternatives = Self.expanded(text).map(Array.init)
    hasFolders = text.contains("/")
  }

  /// Whether a file matches: by its name, or by its relative path if the pattern contains `/`.
  package func matches(name: String, path: String) -> Bool {
    let subject = Array(hasFolders ? path : name)
    return alternatives.contains { Self.matches($0, subject) }
  }

  /// The patterns after brace expansion.
  private static func expanded(_ text: String) -> [String] {
    var done: [String] = []
    var open = [text]
    while let next = open.popLast(), done.count + open.count < mostAlternatives {
      guard let start = next.firstIndex(of: "{"), let end = next[start...].firstIndex(of: "}")
      else {
        done.append(next)
        continue
      }
      for part in next[next.index(after: start)..<end].split(
        separator: ",", omittingEmptySubsequences: false)
      {
        open.append(String(next[..<start] + part) + String(next[next.index(after: end)...]))
      }
    }
    return done
  }

  /// Matches by dynamic programming over the elements of the pattern.
  ///
  /// - Complexity: O(pattern × subject).
  private static func matches(_ pattern: [Character], _ subject: [Character]) -> Bool {
    // reachable[i]: whether the pattern so far matches the first i characters.
    var reachable = [Bool](repeating: false, count: subject.count + 1)
    reachable[0] = true
    var index = 0
    while index < pattern.count {
      var next = [Bool](repeating: false, count: subject.count + 1)
      if pattern[index] == "*" {
        let crosses = index + 1 < pattern.count && pattern[index + 1] == "*"
        index += crosses ? 2 : 1
        // `**/` also matches no folder.
        let skipsSlash = crosses && index < pattern.count && pattern[index] == "/"
        if skipsSlash { index += 1 }
        var isOpen = false
        for position in 0...subject.count {
          if reachable[position] { isOpen = true }
          if position > 0, !crosses, subject[position - 1] == "/", !reachable[position] {
            isOpen = false
          }
          let fits =
            !skipsSlash || reachable[position]
            || position > 0 && subject[position - 1] == "/"
          next[position] = isOpen && fits
        }
      } else {
        let (accepts, length) = one(pattern, at: index)
        index += length
        for position in 0..<subject.count where reachable[position] && accepts(subject[position]) {
          next[position + 1] = true
        }
      }
      reachable = next
    }
    return reachable[subject.count]
  }

  /// The matcher for one element of the pattern, and its length.
  private static func one(
    _ pattern: [Character], at index: Int
  ) -> (accepts: (Character) -> Bool, length: Int) {
    switch pattern[index] {
    case "?": return ({ $0 != "/" }, 1)
    case "\\" where index + 1 < pattern.count:
      let wanted = pattern[index + 1]
      return ({ $0 == wanted }, 2)
    case "[":
      guard let end = pattern[(index + 1)...].dropFirst().firstIndex(of: "]") else { break }
      var body = pattern[(index + 1)..<end]
      let isNegated = body.first == "!" || body.first == "^"
      if isNegated { body = body.dropFirst() }
      let ranges = ranges(in: body)
      return (
        { character in
          character != "/" && ranges.contains { $0.contains(character) } != isNegated
        }, end - index + 1
      )
    default: break
    }
    let wanted = pattern[index]
    return ({ $0 == wanted }, 1)
  }

  /// The ranges of a set such as `a-z_`.
  private static func ranges(in set: ArraySlice<Character>) -> [ClosedRange<Character>] {
    var rest = set
    var ranges: [ClosedRange<Character>] = []
    while let first = rest.popFirst() {
      let isRange = rest.count >= 2 && rest.first == "-"
      let last = isRange ? rest.dropFirst().first ?? first : first
      ranges.append(first...max(first, last))
      if isRange { rest = rest.dropFirst(2) }
    }
    return ranges
  }
}
