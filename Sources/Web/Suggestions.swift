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
    if start.isEmpty, let item = context.parameter("of").flatMap({ try? reader.item($0) }) {
      found = try suiting(item, counts)
    }
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
      .array(found.prefix(8).map { ["tag": .string($0.tag), "count": .int(Int64($0.count))] }))
  }

  /// The number of links of a site whose tags are suggested.
  private static let neighbours = 40

  /// The tags named in the text of an item, then those of other links of its site.
  private func suiting(
    _ item: ItemSnapshot, _ counts: [String: Int]
  ) throws -> [(tag: String, count: Int)] {
    let own = Set(item["tags"]?.array?.compactMap(\.string) ?? [])
    let text = [item.title, item["summary"]?.string, item["page"]?["description"]?.string]
      .compactMap { $0 }.joined(separator: " ").lowercased()
    let words = Set(
      text.split { !$0.isLetter && !$0.isNumber && $0 != "-" && $0 != "+" }.map(String.init))
    let named = counts.filter { words.contains($0.key.lowercased()) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    var near: [String: Int] = [:]
    if let host = item["url"]?.string.flatMap(Self.host) {
      for other in try reader.find("Link", matching: "url:\(host)", limit: Self.neighbours) {
        for tag in other["tags"]?.array?.compactMap(\.string) ?? [] { near[tag, default: 0] += 1 }
      }
    }
    let others = near.sorted { ($1.value, $0.key) < ($0.value, $1.key) }.map(\.key)
    var seen = own
    return (named + others).filter { seen.insert($0).inserted }.map { ($0, counts[$0] ?? 0) }
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
