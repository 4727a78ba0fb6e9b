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

  private static let defaultLimit = 20

  private let invocation: Invocation

  init(_ invocation: Invocation) {
    self.invocation = invocation
  }

  func run(_ arguments: ParsedArguments) throws -> Int32 {
    let limit = try arguments.wholeNumber("limit") ?? Self.defaultLimit
    let after = try arguments.wholeNumber("after").map { Int64($0) }
    let keep = try arguments.wholeNumber("keep")
    let session = try invocation.session()
    let store = try session.store()
    if let keep {
      let count = try store.changes.prune(keeping: keep)
      invocation.say("Forgot \(count.counted("change")).")
      return ExitStatus.done
    }
    var selection = ChangeSelection(latestFirst: after == nil, limit: limit)
    selection.after = after
    selection.cause = arguments.last("by")
    selection.item = try arguments.last("item").map { try item($0, session.library) }
    selection.since = try arguments.last("since").map { try moment($0, session) }
    let entries = try store.changes.entries(selection).map { change in
      ChangeEntry(change, try store.changes.properties(of: change))
    }
    let times = try TimeText(invocation)
    let report = Report<ChangeEntry>(
      columns: [
        "number": { String($0.change.sequence) }, "time": { times.text($0.change.time) },
        "change": { "\($0.change.kind.verb)d" }, "item": { Self.items($0.change) },
        "by": \.change.cause, "values": { Self.values($0, session.renderer) },
      ], value: \.value, empty: "No changes.", omitsEmptyColumn: true)
    try report.write(entries, to: invocation)
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

  /// How much of a value is shown to a person.
  private static let shownCharacters = 40

  /// What a change made of properties, in one line: what was created or deleted had them.
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
    if let move = change.move { return "\(move.from) → \(move.to)" }
    let kind = EntitySchema.kind(of: change.entity)
    let first = "\(kind):\(change.id)"
    return change.last > change.id ? "\(first) to \(kind):\(change.last)" : first
  }
}
