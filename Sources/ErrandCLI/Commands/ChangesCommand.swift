import CEL
import Catalog
import Engine
import ErrandKit
import Items
import Program
import Source
import Store

/// `errand changes`: shows the change log, or prunes it.
enum ChangesCommand {
  static let command = Command(
    "changes", "show what was created, changed, deleted and moved",
    discussion: "Newest first; with --after, oldest first.",
    flags: [
      Flag("limit", short: "n", .value("N"), "maximum number of entries [default 20]"),
      Flag("by", .value("NAME"), "only changes by an intent, shortcut or command"),
      Flag("item", .value("REF"), "only changes of an item, such as link:42"),
      Flag("since", .value("TIME"), "only changes since then, such as yesterday or 2026-11-20"),
      Flag("after", .value("NUMBER"), "only changes after this one, oldest first"),
      Flag("keep", .value("N"), "keep only the latest N; older ones can no longer be undone"),
    ],
    serves: [.json, .format, .events], reads: .without(["keep"])
  ) { invocation, arguments in
    let limit = try arguments.wholeNumber("limit", atLeast: 1) ?? defaultLimit
    let after = try arguments.wholeNumber("after").map { Int64($0) }
    let keep = try arguments.wholeNumber("keep")
    let run = try invocation.openRun()
    let store = try run.store()
    if let keep {
      let count = try store.changes.prune(keeping: keep)
      return invocation.say("Deleted \(count.counted("change")) from the log.")
    }
    var selection = ChangeSelection(latestFirst: after == nil, limit: limit)
    selection.after = after
    selection.cause = arguments.last("by")
    selection.item = try arguments.last("item").map { try item($0, run.catalog) }
    selection.since = try arguments.last("since").map { try moment($0, run) }
    let entries = try store.changes.entries(selection).map { change in
      ChangeEntry(change, try store.changes.properties(of: change))
    }
    if entries.isEmpty { try invocation.expectKnown(selection.cause) }
    let times = try TimeText(invocation)
    let report = Report<ChangeEntry>(
      columns: [
        "number": { String($0.change.sequence) }, "time": { times.text($0.change.time) },
        "change": { $0.change.move?.kind == .folder ? "made" : "\($0.change.kind.verb)d" },
        "item": { items($0.change) },
        "by": \.change.cause, "values": { values($0, run.renderer) },
      ], value: \.value, empty: "No changes.", omitsEmptyColumn: true)
    try report.write(entries, to: invocation)
  }

  private static let defaultLimit = 20

  /// Parses a reference; its item may have been deleted.
  private static func item(_ text: String, _ catalog: DefinitionCatalog) throws -> ItemReference {
    if case (let kind, .id(let id))? = ItemReference.parse(text),
      let entity = catalog.entityNames.first(where: { EntitySchema.kind(of: $0) == kind })
    {
      return ItemReference(entity: entity, id: id)
    }
    throw UsageError("--item: “\(text)” is not a reference such as link:42")
  }

  private static func moment(_ text: String, _ run: Run) throws -> Timestamp {
    let reader = DateReader(now: run.host.now(), clock: run.host.clock)
    let moment = try reader.timestamp(text).expected(
      "--since: “\(text)” is not a time",
      help: reader.suggestion(for: text, named: "since").map { "did you mean \($0)?" }
        ?? "write it as one of: \(DateReader.examples)")
    return moment
  }

  /// Characters of a value shown to a person.
  private static let shownCharacters = 40

  /// The property changes of an entry, in one line.
  private static func values(_ entry: ChangeEntry, _ renderer: Renderer) -> String {
    func text(_ value: Value) -> String {
      if case .null = value { return "null" }
      let text = renderer.text(of: value)
      return text.count > shownCharacters ? text.prefix(shownCharacters) + "…" : text
    }
    return entry.properties.compactMap { property in
      switch entry.change.kind {
      case .update:
        "\(property.name): \(text(property.old))" + (property.new.map { " → \(text($0))" } ?? "")
      case .create: property.new.map { "\(property.name): \(text($0))" }
      default: property.old == .null ? nil : "\(property.name): \(text(property.old))"
      }
    }.joined(separator: "; ")
  }

  private static func items(_ change: Change) -> String {
    if let move = change.move {
      return move.from == move.to ? move.to : "\(move.from) → \(move.to)"
    }
    let kind = EntitySchema.kind(of: change.entity)
    let first = "\(kind):\(change.id)"
    return change.last > change.id ? "\(first) to \(kind):\(change.last)" : first
  }
}
