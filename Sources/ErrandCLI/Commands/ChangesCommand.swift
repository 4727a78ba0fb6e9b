import CEL
import Engine
import Items
import Source
import Store

/// Shows the change log, or makes it shorter.
struct ChangesCommand {
  static let command = Command(
    "changes", "show what was created, changed and deleted",
    discussion: "The latest come first; with --after the oldest, to go on from there.",
    flags: [
      Flag("limit", short: "n", .value("N"), "how many at most [default 20]"),
      Flag("after", .value("NUMBER"), "only those after this one, the oldest first"),
      Flag("keep", .value("N"), "forget all but the latest N, which can't be taken back then"),
    ],
    serves: [.json, .format, .events], reads: .without(["keep"])
  ) { invocation, arguments in
    try ChangesCommand(invocation).run(arguments)
  }

  private static let usualLimit = 20

  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run(_ arguments: ParsedArguments) throws -> Int32 {
    let limit = try Self.number("limit", arguments).map { Int(clamping: $0) }
    let after = try Self.number("after", arguments)
    let keep = try Self.number("keep", arguments)
    let store = try invocation.session().store()
    if let keep {
      let count = try store.pruneChanges(keeping: Int(clamping: keep))
      invocation.say("Forgot \(count) \(count == 1 ? "change" : "changes").")
      return ExitStatus.done
    }
    let changes =
      if let after {
        try store.changes(after: after, limit: limit ?? Self.usualLimit)
      } else {
        try store.latestChanges(limit: limit ?? Self.usualLimit)
      }
    try write(changes)
    return ExitStatus.done
  }

  /// A flag's whole number from 0; nil when it is not given.
  private static func number(_ name: String, _ arguments: ParsedArguments) throws -> Int64? {
    guard let text = arguments.last(name) else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw UsageError("--\(name) is a whole number from 0, and “\(text)” is not")
    }
    return number
  }

  private func write(_ changes: [Change]) throws {
    guard case .plain = invocation.mode else {
      return try invocation.resultWriter.write(.list(changes.map(Self.value)))
    }
    let renderer = try invocation.session().renderer
    let rows = changes.map { change in
      [
        String(change.sequence), renderer.text(of: .timestamp(change.time)),
        "\(change.kind.verb)d", Self.items(change), change.cause,
      ]
    }
    if invocation.console.stdoutIsTerminal {
      if rows.isEmpty { return invocation.say("There are no changes.") }
      let columns = ["number", "time", "change", "item", "by"]
      invocation.front.show(Presentation(.table(columns: columns, rows: rows), value: .null))
    } else {
      for row in rows {
        invocation.console.out(row.map { "\($0)" as TerminalText }.joined(separator: "\t") + "\n")
      }
    }
  }

  private static func items(_ change: Change) -> String {
    let kind = EntitySchema.kind(of: change.entity)
    let first = "\(kind):\(change.id)"
    return change.last > change.id ? "\(first) to \(kind):\(change.last)" : first
  }

  private static func value(_ change: Change) -> Value {
    .map(
      MapValue([
        ("number", .int(change.sequence)), ("group", .int(change.group)),
        ("time", .timestamp(change.time)), ("change", .string(change.kind.verb)),
        ("entity", .string(change.entity)), ("first", .int(change.id)),
        ("last", .int(max(change.id, change.last))), ("by", .string(change.cause)),
      ]))
  }
}

extension Change.Kind {
  /// What was done, whether to one item or to many.
  fileprivate var verb: String {
    switch self {
    case .create, .createMany: "create"
    case .update: "update"
    case .delete, .deleteMany: "delete"
    }
  }
}
