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

  /// The names of tags that contain the text, most used first.
  private func tagNames() throws -> Reply {
    memory.renew(for: errand)
    let start = text.lowercased()
    let counts = try memory.tags(reader).counts
    let found = counts.filter { start.isEmpty || $0.key.lowercased().contains(start) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
    return .json(.array(found.map { ["tag": .string($0.key), "count": .int(Int64($0.value))] }))
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

  /// The parts of a line that adds a task.
  private func understood() -> Reply {
    let line = TaskLine(text, when: errand.when)
    let today = Day(context.today)
    let words = line.due.flatMap { due in
      today.flatMap { today in Day(due).map { $0.due(from: today, at: Day.time(due)) } }
    }
    return .json([
      "title": .string(line.title), "due": line.due.map(JSONValue.string) ?? .null,
      "words": words.map(JSONValue.string) ?? .null,
      "tags": .array(line.tags.map(JSONValue.string)),
    ])
  }
}
