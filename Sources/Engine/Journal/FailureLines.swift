import CEL
import Store

/// The journal lines to remove so that a run resumes at the failed step.
struct FailureLines {
  /// The line numbers.
  let numbers: [Int64]

  /// Finds the line of a failure, and the decisions and cleanup that followed from it.
  init(_ lines: [JournalLine], of failure: Int64, in journal: RunJournal) throws {
    guard let failed = lines.first(where: { $0.number == failure }) else {
      numbers = []
      return
    }
    var found = [failure]
    for line in lines {
      if line.number > failure {
        if try Self.follows(line, from: failed, in: journal) { found.append(line.number) }
      } else if line.kind == .begun, line.key.hasPrefix(failed.key),
        line.key.dropFirst(failed.key.count).first.map({ "<!".contains($0) }) == true
      {
        // The step is known to have failed, so do not ask whether it was done.
        found.append(line.number)
      }
    }
    numbers = found
  }

  private static func follows(
    _ line: JournalLine, from failure: JournalLine, in journal: RunJournal
  ) throws -> Bool {
    let parts = line.key.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    if parts.count == 2 {
      // The end of a branch or pass in which the error was raised.
      if parts[1].hasPrefix("member") {
        guard case .map(let map) = try journal.value(of: line) else { return false }
        return map["error"].flatMap { RunError(journal: $0) }?.line == failure.number
      }
      // A `catch` around the step that did not match.
      if parts[1] == "catch" { return failure.key.hasPrefix(scope(of: parts[0])) }
    }
    // Steps of a `finally` around the step.
    guard let mark = line.key.lastIndex(of: "~") else { return false }
    return failure.key.hasPrefix(scope(of: line.key[..<mark]))
  }

  /// The scope part of a place key.
  private static func scope(of place: Substring) -> Substring {
    guard let end = place.lastIndex(where: { "/>".contains($0) }) else { return "" }
    return place[...end]
  }
}
