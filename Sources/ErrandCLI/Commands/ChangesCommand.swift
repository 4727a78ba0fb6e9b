import CEL
import Catalog
import Engine
import ErrandKit
import Items
import Program
import Source
import Store

/// Shows the change log, or makes it shorter.
struct ChangesCommand {
  static let command = Command(
    "changes", "show what was created, changed, deleted and moved",
    discussion: "The latest come first; with --after the oldest, to go on from there.",
    flags: [
      Flag("limit", short: "n", .value("N"), "how many at most [default 20]"),
      Flag("by", .value("NAME"), "only those by an intent, shortcut or command"),
      Flag("item", .value("REF"), "only those of an item, such as link:42"),
      Flag("since", .value("TIME"), "only those since then, such as yesterday or 2026-11-20"),
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
    let session = try invocation.session()
    let store = try session.store()
    if let keep {
      let count = try store.pruneChanges(keeping: Int(clamping: keep))
      invocation.say("Forgot \(count) \(count == 1 ? "change" : "changes").")
      return ExitStatus.done
    }
    var selection = ChangeSelection(
      latestFirst: after == nil, limit: limit ?? Self.usualLimit)
    selection.after = after
    selection.cause = arguments.last("by")
    selection.item = try arguments.last("item").map { try item($0, session.library) }
    selection.since = try arguments.last("since").map { try moment($0, session) }
    let entries = try store.changes(selection).map { change in
      ChangeEntry(change, try store.properties(of: change))
    }
    try write(entries)
    return ExitStatus.done
  }

  /// The item of a reference, which may be gone.
  private func item(_ text: String, _ library: Library) throws -> ItemReference {
    if let (kind, id) = ItemReference.parse(text),
      let entity = library.entityNames.first(where: { EntitySchema.kind(of: $0) == kind })
    {
      return ItemReference(entity: entity, id: id)
    }
    throw UsageError("--item: “\(text)” isn't a reference such as link:42")
  }

  private func moment(_ text: String, _ session: Run) throws -> Timestamp {
    let reader = DateReader(now: session.host.now(), clock: session.host.clock)
    guard let moment = reader.timestamp(text) else {
      throw UsageError(
        "--since: “\(text)” isn't a time",
        help: reader.suggestion(for: text).map { "did you mean \($0)?" }
          ?? "write it as one of: \(DateReader.examples)")
    }
    return moment
  }

  /// A flag's whole number from 0; nil when it is not given.
  private static func number(_ name: String, _ arguments: ParsedArguments) throws -> Int64? {
    guard let text = arguments.last(name) else { return nil }
    guard let number = Int64(text), number >= 0 else {
      throw UsageError("--\(name) must be a whole number, 0 or more, not “\(text)”")
    }
    return number
  }

  private func write(_ entries: [ChangeEntry]) throws {
    guard invocation.mode.isPlain else {
      return try invocation.resultWriter.write(.list(entries.map(\.value)))
    }
    let renderer = try invocation.session().renderer
    let times = try TimeText(invocation)
    let rows = entries.map { entry in
      let change = entry.change
      return [
        String(change.sequence), times.text(change.time),
        "\(change.kind.verb)d", Self.items(change), change.cause,
        Self.text(of: entry.properties, of: change, renderer),
      ]
    }
    if invocation.console.stdoutIsTerminal {
      if rows.isEmpty { return invocation.say("No changes.") }
      var columns = ["number", "time", "change", "item", "by", "values"]
      var shown = rows
      if rows.allSatisfy({ $0[5].isEmpty }) {
        columns.removeLast()
        shown = rows.map { $0.dropLast() }
      }
      invocation.front.show(Presentation(.table(columns: columns, rows: shown), value: .null))
    } else {
      for row in rows {
        invocation.console.out(row.map { "\($0)" as TerminalText }.joined(separator: "\t") + "\n")
      }
    }
  }

  /// How much of a value is shown to a person.
  private static let shownCharacters = 40

  /// What a change made of properties, in one line: what was created or deleted had them.
  private static func text(
    of properties: [PropertyChange], of change: Change, _ renderer: Renderer
  ) -> String {
    func text(_ value: Value) -> String {
      if case .null = value { return "null" }
      let text = renderer.text(of: value)
      return text.count > shownCharacters ? text.prefix(shownCharacters) + "…" : text
    }
    return properties.compactMap { property in
      switch change.kind {
      case .update:
        "\(property.name): \(text(property.old))" + (property.new.map { " → \(text($0))" } ?? "")
      case .create: property.new.map { "\(property.name): \(text($0))" }
      default: property.old == .null ? nil : "\(property.name): \(text(property.old))"
      }
    }.joined(separator: "; ")
  }

  private static func items(_ change: Change) -> String {
    if let move = change.move { return "\(move.from) → \(move.to)" }
    let kind = EntitySchema.kind(of: change.entity)
    let first = "\(kind):\(change.id)"
    return change.last > change.id ? "\(first) to \(kind):\(change.last)" : first
  }
}
