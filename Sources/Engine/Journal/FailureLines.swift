import CEL
import Store

/// The lines of a journal without which its run goes on with the step that failed.
struct FailureLines {
  /// Their numbers.
  let numbers: [Int64]

  /// Finds the line of a failure, and what was decided and cleaned up because of it.
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
        // That it began is no reason to ask whether it was done: it failed.
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
      // The end of a branch or a pass in which it was raised.
      if parts[1].hasPrefix("member") {
        guard case .map(let map) = try journal.value(of: line) else { return false }
        return map["error"].flatMap { RunError(journal: $0) }?.line == failure.number
      }
      // That no handler of a block around it took it.
      if parts[1] == "catch" { return failure.key.hasPrefix(scope(of: parts[0])) }
    }
    // What a `finally` around it did.
    guard let mark = line.key.lastIndex(of: "~") else { return false }
    return failure.key.hasPrefix(scope(of: line.key[..<mark]))
  }

  /// What stands around a place, as text.
  private static func scope(of place: Substring) -> Substring {
    guard let end = place.lastIndex(where: { "/>".contains($0) }) else { return "" }
    return place[...end]
  }
}
