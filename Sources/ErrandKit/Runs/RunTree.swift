package import CEL
package import Engine
import POSIX
package import Store

/// A run's journal as a tree of steps, calls, passes and attempts.
package final class RunTree {
  /// The end of a step.
  package enum State: String {
    case open, done, failed, skipped
  }

  /// The name of the step, pass or attempt.
  package private(set) var name: String
  package private(set) var state = State.open
  /// Whether it was only inferred from other lines, such as a branch decision.
  private var isPlaceholder = true
  /// The duration; nil if it is unknown.
  package private(set) var took: Duration?
  package private(set) var time: Timestamp?
  package private(set) var value: Value?
  package private(set) var error: RunError?
  private var all: [RunTree] = []
  private var positions: [Substring: Int] = [:]

  private init(_ name: String) { self.name = name }

  /// The children; empty placeholders are left out.
  package var children: [RunTree] { all.filter { !$0.isPlaceholder || !$0.all.isEmpty } }

  /// Builds the tree from the lines of a run.
  package init(_ lines: [JournalLine], _ journal: RunJournal) {
    name = ""
    for line in lines { add(line, journal) }
  }

  private func add(_ line: JournalLine, _ journal: RunJournal) {
    var node = self
    var part = line.key[...]
    while let end = part.firstIndex(where: { !$0.isNumber }) {
      let number = part[..<end]
      switch part[end] {
      case "#", "!":
        let rest = part[part.index(after: end)...]
        guard let slash = rest.firstIndex(of: "/") else {
          // This is the line of a failed attempt.
          let attempt = node.child(number, "…").child("!\(rest)", Self.attempt(rest))
          attempt.end(line, journal)
          return
        }
        let what =
          part[end] == "#" ? "pass \((Int(rest[..<slash]) ?? 0) + 1)" : Self.attempt(rest[..<slash])
        node = node.child(number, "…").child("\(part[end])\(rest[..<slash])", what)
        part = rest[rest.index(after: slash)...]
      case "@":
        node = node.child("\(number)@", "call \((Int(number) ?? 0) + 1)")
        part = part[part.index(end, offsetBy: 2)...]
      case "~":
        node = node.child(number, "…").child("~", "finally")
        part = part[part.index(end, offsetBy: 2)...]
      case ">":
        node = node.child(number, "…")
        part = part[part.index(after: end)...]
      case "<":
        node.child(number, line.name).note(line)
        return
      case "?":
        if !number.isEmpty { node.child(number, line.name).rename(line.name) }
        return
      default: return
      }
    }
    guard !part.isEmpty else { return }
    let step = node.child(part, line.name)
    step.rename(line.name)
    step.end(line, journal)
  }

  private static func attempt(_ number: Substring) -> String { "attempt \((Int(number) ?? 0) + 1)" }

  private func child(_ key: some StringProtocol, _ name: String) -> RunTree {
    let key = Substring(key)
    if let position = positions[key] { return all[position] }
    let made = RunTree(name)
    positions[key] = all.count
    all.append(made)
    return made
  }

  private func rename(_ name: String) { self.name = name }

  private func note(_ line: JournalLine) {
    isPlaceholder = false
    rename(line.name)
    time = line.time
  }

  private func end(_ line: JournalLine, _ journal: RunJournal) {
    isPlaceholder = false
    time = line.time
    took = line.took
    switch line.kind {
    case .done: state = .done
    case .failed, .attempted: state = .failed
    case .skipped: state = .skipped
    case .begun, .decided: break
    }
    guard !line.data.isEmpty, case .map(let map)? = try? journal.value(of: line) else { return }
    error = map["error"].flatMap { RunError(journal: $0) }
    if state == .done { value = map["0"] ?? map["returned"] }
  }

  /// The nested steps for machine-readable output.
  package var steps: Value {
    .list(
      children.map { child in
        .record([
          "name": child.name, "state": child.state.rawValue, "at": child.time,
          "took": child.took.map { Double($0.microseconds) / 1e6 }, "value": child.value,
          "error": child.error?.valueWithCauses, "steps": child.steps,
        ])
      })
  }
}
