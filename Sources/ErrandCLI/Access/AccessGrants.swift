import Engine
import Program
import Source

/// What `--allow` and `ERRAND_ALLOW` allow: words such as `exec:git,http:api.example.com`.
struct AccessGrants {
  /// What is allowed, each.
  private(set) var touches: [Touch] = []
  /// Whether everything is.
  private(set) var isAll = false

  /// Reads the words of flags, and those of a variable.
  ///
  /// - Throws: `UsageError` for a word that is none.
  init(_ flags: [String], _ variable: String?) throws(UsageError) {
    for list in flags + [variable].compactMap({ $0 }) {
      for word in list.split(separator: ",") {
        if word == "all" {
          isAll = true
        } else {
          touches.append(try Self.touch(word))
        }
      }
    }
  }

  private static func touch(_ word: Substring) throws(UsageError) -> Touch {
    let parts = word.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let names = Touch.Kind.allCases.map(\.rawValue)
    guard let kind = Touch.Kind(rawValue: String(parts[0])) else {
      throw UsageError(
        "--allow: “\(word)” begins with none of \(names.joined(separator: ", "))",
        help: Suggestion.help(for: String(parts[0]), in: names + ["all"])
          ?? "write --allow exec:git,http:api.example.com,write:./out")
    }
    guard parts.count > 1, parts[1] != "*" else { return Touch(any: kind) }
    guard !parts[1].isEmpty else {
      throw UsageError("--allow: “\(word)” names nothing", help: "write \(kind.rawValue):* for any")
    }
    return Touch(kind, String(parts[1]))
  }
}
