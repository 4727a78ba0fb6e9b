package import Engine

/// Disambiguates a sentence by the items in the library.
package struct SpokenChoice {
  private let hasItem: (String, String) -> Bool

  /// The maximum number of look-ups of a sentence.
  private static let limit = 32

  /// Looks up items in the store of a run.
  package init(_ run: Run) { hasItem = { run.hasItem($0, of: $1) } }

  /// The understandings whose items exist, if some do and some do not; else all.
  package func fitting(_ found: [Understanding]) -> [Understanding] {
    guard found.count > 1 else { return found }
    var left = Self.limit
    var known: [String: Bool] = [:]
    let fitting = found.filter { understanding in
      understanding.arguments.allSatisfy { argument in
        guard argument.isItem else { return true }
        let key = argument.entity + " " + argument.text
        if let answer = known[key] { return answer }
        guard left > 0 else { return true }
        left -= 1
        let answer = hasItem(argument.text, argument.entity)
        known[key] = answer
        return answer
      }
    }
    return fitting.isEmpty ? found : fitting
  }
}
