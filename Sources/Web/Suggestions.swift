import ErrandKit

/// The suggestions for a text being typed, for scripts.
struct Suggestions: Page {
  let context: PageContext

  private var text: String { context.parameter("q") ?? "" }

  func render() throws -> Reply {
    switch context.path.first(where: { !$0.isEmpty }) {
    case "tag-names": try tagNames()
    case "references": try references()
    default: context.parameter("as").map(read) ?? understood()
    }
  }

  /// The names of tags that contain the text, those that begin with it first and most used first;
  /// without a text, those that may suit an item.
  private func tagNames() throws -> Reply {
    memory.renew(for: errand)
    let start = text.lowercased()
    let counts = try memory.tags(reader).counts
    var found: [(tag: String, count: Int)] = []
    if start.isEmpty { found = try suiting(counts).map { ($0, counts[$0] ?? 0) } }
    if found.isEmpty {
      found = counts.filter { start.isEmpty || $0.key.lowercased().contains(start) }
        .map { ($0.key, $0.value) }
        .sorted {
          let (first, second) = (
            $0.0.lowercased().hasPrefix(start), $1.0.lowercased().hasPrefix(start)
          )
          return first == second ? ($1.1, $0.0) < ($0.1, $1.0) : first
        }
    }
    return .json(
      .array(
        found.prefix(Self.most).map { ["tag": .string($0.tag), "count": .int(Int64($0.count))] }))
  }

  /// The number of tags suggested for an item.
  private static let most = 8

  /// The tags that may suit the item or the address that is named, first those that are words of its
  /// title; empty if none is.
  private func suiting(_ counts: [String: Int]) throws -> [String] {
    guard let name = context.parameter("of"), !name.isEmpty else { return [] }
    let item = try? reader.item(name)
    let title = item?.title ?? context.parameter("title") ?? ""
    let tags =
      try item.map { try reader.suggestedTags(for: $0, limit: Self.most) }
      ?? reader.suggestedTags(for: name, [title], limit: Self.most)
    let words = Set(title.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    let own = Set(item?["tags"]?.array?.compactMap(\.string) ?? [])
    let named = words.filter { counts[$0] != nil && !own.contains($0) }.sorted()
    return named + tags.filter { !named.contains($0) }
  }

  /// The items of an entity that words find, for fields that refer to one.
  private func references() throws -> Reply {
    let entity = context.parameter("entity") ?? ""
    let items = try reader.find(entity, matching: context.parameter("q"), limit: 8)
    return .json(
      .array(
        items.map { ["reference": .string($0.reference), "title": .string($0.title)] }))
  }

  /// The text as the value of a type, in the form that shows what was understood; null if nothing
  /// was.
  private func read(as type: String) -> Reply {
    .json(["text": errand.understood(text, as: type).map(JSONValue.string) ?? .null])
  }

  /// The parts of a line that adds a task, in words.
  private func understood() -> Reply {
    let line = TaskLine(text, errand)
    let due = line.values["due"].flatMap(errand.when)
    let words = due.flatMap { due in
      Day(context.today).flatMap { today in
        Day(due).map { $0.due(from: today, at: Day.time(due)) }
      }
    }
    let parts =
      [
        words, line.values["repeat"], line.values["priority"].map { "\($0) priority" },
        line.values["project"].map { "project \($0)" },
      ].compactMap { $0 } + line.tags.map { "#\($0)" }
    return .json(["title": .string(line.title), "parts": .array(parts.map(JSONValue.string))])
  }
}
