/// A pattern of file names, as shells have them: `*`, `?`, `[a-z]`, `{jpg,png}`, and `**` for
/// folders between.
package struct GlobPattern {
  private let alternatives: [[Character]]
  /// Whether it speaks of folders, so that the whole path is matched.
  private let hasFolders: Bool

  /// The most patterns that braces may stand for.
  private static let mostAlternatives = 256

  /// The pattern of a text.
  package init(_ text: String) {
    alternatives = Self.expanded(text).map(Array.init)
    hasFolders = text.contains("/")
  }

  /// Whether a file fits: by its name, or by its path within the folder where the pattern has `/`.
  package func matches(name: String, path: String) -> Bool {
    let subject = Array(hasFolders ? path : name)
    return alternatives.contains { Self.matches($0, subject) }
  }

  /// The patterns that braces stand for.
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

  /// Matches with one place to come back to for `*` and one for `**`.
  ///
  /// - Complexity: O(pattern × subject).
  private static func matches(_ pattern: [Character], _ subject: [Character]) -> Bool {
    // reachable[i]: whether the pattern up to here fits the first i characters.
    var reachable = [Bool](repeating: false, count: subject.count + 1)
    reachable[0] = true
    var index = 0
    while index < pattern.count {
      var next = [Bool](repeating: false, count: subject.count + 1)
      if pattern[index] == "*" {
        let crosses = index + 1 < pattern.count && pattern[index + 1] == "*"
        index += crosses ? 2 : 1
        // `**/` fits no folder, too.
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

  /// What one element of the pattern accepts, and how long it is.
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
      let set = Array(body)
      return (
        { character in
          guard character != "/" else { return false }
          return contains(set, character) != isNegated
        }, end - index + 1
      )
    default: break
    }
    let wanted = pattern[index]
    return ({ $0 == wanted }, 1)
  }

  private static func contains(_ set: [Character], _ character: Character) -> Bool {
    var index = 0
    while index < set.count {
      if index + 2 < set.count, set[index + 1] == "-" {
        if (set[index]...max(set[index], set[index + 2])).contains(character) { return true }
        index += 3
      } else {
        if set[index] == character { return true }
        index += 1
      }
    }
    return false
  }
}
