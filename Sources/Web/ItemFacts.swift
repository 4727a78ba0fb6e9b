import ErrandKit

/// The properties of an item and its latest changes, in words that a person would use.
struct ItemFacts: PagePart {
  let context: PageContext

  /// Properties that are shown elsewhere on the page, or internal.
  private static let known: Set = [
    "entity", "id", "ref", "title", "url", "tags", "favourite", "pinned", "rank", "summary",
    "pageText", "page", "pageTitle", "pageState", "problem", "status", "merged", "wrappedLink",
    "isNew", "notes", "ical", "done",
  ]

  /// The names of properties that every item or link has, as a person says them.
  private static let labels = [
    "createdAt": "Saved", "updatedAt": "Changed", "fetched": "Looked at", "readAt": "Looked at",
    "source": "From",
    "parent": "Part of", "after": "After", "remind": "Reminders", "start": "Not before",
  ]

  private static let readings = ["unread": "To read", "read": "Read", "archived": "Archived"]

  /// The languages that pages declare most, by code.
  private static let languages = [
    "ar": "Arabic", "cs": "Czech", "da": "Danish", "de": "German", "el": "Greek", "en": "English",
    "es": "Spanish", "fa": "Persian", "fi": "Finnish", "fr": "French", "he": "Hebrew",
    "hi": "Hindi", "hu": "Hungarian", "id": "Indonesian", "it": "Italian", "ja": "Japanese",
    "ko": "Korean", "nb": "Norwegian", "nl": "Dutch", "no": "Norwegian", "pl": "Polish",
    "pt": "Portuguese", "ro": "Romanian", "ru": "Russian", "sv": "Swedish", "th": "Thai",
    "tr": "Turkish", "uk": "Ukrainian", "vi": "Vietnamese", "zh": "Chinese",
  ]

  func rows(_ item: ItemSnapshot) throws -> [HTML] {
    guard case .object(let members) = item.fields else { return [] }
    let titles = try titles(of: item.entity)
    var hidden = Self.known
    if item["updatedAt"] == item["createdAt"] { hidden.insert("updatedAt") }
    if item.entity == "Note" { hidden.insert("text") }
    if item.entity == "Place" { hidden.formUnion(["name", "point", "asked"]) }
    if item.entity == "Task" { hidden.formUnion(["due", "repeat"]) }
    var facts = members.sorted { $0.key < $1.key }.compactMap { name, value -> HTML? in
      guard !hidden.contains(name), value != .null, value != .array([]), value != false
      else { return nil }
      return row(titles[name] ?? Self.words(name), fact(value, name))
    }
    for (title, name) in [("Author", "author"), ("Published", "date"), ("Language", "language")] {
      guard let value = item["page"]?[name]?.string else { continue }
      facts.insert(row(title, fact(.string(value), name)), at: 0)
    }
    return facts
  }

  private func row(_ title: String, _ fact: HTML?) -> HTML {
    "<dt>\(title)</dt><dd dir=\"auto\">\(fact)</dd>"
  }

  /// The names of the properties of an entity.
  private func titles(of entity: String) throws -> [String: String] {
    let own = try errand.definition(entity).parameters.map { ($0.name, Self.words($0.title)) }
    return Dictionary(own) { first, _ in first }.merging(Self.labels) { $1 }
  }

  /// A value of a property: an item as a link, a moment in words, else its text.
  private func fact(_ value: JSONValue, _ name: String) -> HTML? {
    if let list = value.array, list.contains(where: { $0["entity"] != nil }) {
      return HTML(joining: list.compactMap { fact($0, name).map { "<div>\($0)</div>" } })
    }
    if let entity = value["entity"]?.string, let id = value["id"]?.int {
      let title = value["title"]?.string ?? value["url"]?.string ?? "\(entity) \(id)"
      return "<a href=\"/item/\(entity)/\(id)\">\(title)</a>"
    }
    if value == true { return "Yes" }
    let text = Self.text(value)
    switch name {
    case "reading": return "\(Self.readings[text] ?? text)"
    case "language":
      return "\(Self.languages[String(text.prefix { $0.isLetter }).lowercased()] ?? text)"
    default: break
    }
    if value.string != nil, text.utf8.count >= 10, Day(text) != nil { return time(text) }
    return "\(text)"
  }

  // MARK: Changes

  /// The latest changes of an item, each with undo.
  func history(of item: ItemSnapshot) throws -> HTML? {
    let titles = try titles(of: item.entity)
    let changes = try reader.changes(of: item, limit: 8)
    guard !changes.isEmpty else { return nil }
    let lines: [HTML] = changes.map { change in
      let undo: HTML? =
        change["undone"] == true
        ? "<span class=\"quiet\">undone</span>"
        : form(
          "/undo/\(change["number"]?.int ?? 0)", with: ["back": here(item)],
          "<button class=\"b plain small\">Undo</button>")
      return """
        <li>\(HTML.icon("history"))<div class="line"><span dir="auto">\(sentence(change, titles))</span>\(undo)</div>\
        <span class="quiet">\(time(change["time"]?.string)) \(by(change))</span></li>

        """
    }
    return
      "<section class=\"section stack\"><h2>Changes</h2><ol class=\"thread\">\(lines)</ol></section>"
  }

  /// The author of a change; for a recorded run, a link to its steps.
  private func by(_ change: JSONValue) -> HTML {
    let name = change["by"]?.string ?? ""
    guard let run = change["run"]?.string else { return "\(name)" }
    return "<a href=\"/activity/\(run.pathEncoded)\">\(name)</a>"
  }

  /// Properties that a look at the page of a link changes.
  private static let ofPage: Set = [
    "status", "page", "pageTitle", "pageText", "pageState", "fetched", "problem",
  ]

  /// A change in words, such as `Tags papers and swift added`.
  private func sentence(_ change: JSONValue, _ titles: [String: String]) -> String {
    switch change["change"]?.string {
    case "create": return "Saved"
    case "delete": return "Deleted"
    default: break
    }
    let properties = change["properties"]?.array ?? []
    var parts: [String] = []
    for property in properties {
      guard let name = property["name"]?.string, !Self.ofPage.contains(name) else { continue }
      parts += words(
        for: name, titles[name] ?? Self.words(name), from: property["old"] ?? .null,
        to: property["new"] ?? .null)
    }
    if parts.isEmpty { parts = [properties.isEmpty ? "Changed" : "Page looked at"] }
    return Self.sentenceCase(parts.joined(separator: ", "))
  }

  private func words(
    for name: String, _ title: String, from old: JSONValue, to new: JSONValue
  ) -> [String] {
    switch (name, new) {
    case ("favourite", _): return [new == true ? "made a favourite" : "no longer a favourite"]
    case ("pinned", _): return [new == true ? "pinned" : "unpinned"]
    case ("done", _): return [new == true ? "done" : "opened again"]
    case ("reading", .null): return ["taken off the reading list"]
    case ("reading", _):
      let marks = ["unread": "marked as to read", "read": "marked as read", "archived": "archived"]
      return [marks[Self.text(new)] ?? "\(title) changed"]
    case ("rank", _): return ["moved"]
    default: break
    }
    if old.array != nil || new.array != nil {
      let (before, after) = (Self.strings(old), Self.strings(new))
      let added = after.filter { !before.contains($0) }
      let removed = before.filter { !after.contains($0) }
      if added.isEmpty, removed.isEmpty { return ["\(title) reordered"] }
      return [(added, "added"), (removed, "removed")].compactMap { names, verb in
        names.isEmpty ? nil : "\(Self.named(title, names.count)) \(Self.listed(names)) \(verb)"
      }
    }
    let value = said(new)
    if new == .null { return ["\(title) removed"] }
    if new == true || new == false {
      return ["\(title) \(new == true ? "switched on" : "switched off")"]
    }
    return [
      value.count > 60 || value.isEmpty || value.contains(where: \.isNewline)
        ? "\(title) changed" : "\(title) changed to \(value)"
    ]
  }

  /// A value in a sentence: a moment as a day and, unless it stands for the day, its time.
  private func said(_ value: JSONValue) -> String {
    let text = value["title"]?.string ?? Self.text(value)
    guard text.hasSuffix("Z"), let today = Day(context.today) else { return text }
    let isDay = text.hasSuffix("T00:00:00Z")
    let local = isDay ? text : errand.localTime(text)
    guard let day = Day(local) else { return text }
    return day.words(from: today) + (isDay ? "" : Day.time(local).map { " \($0)" } ?? "")
  }

  private static func strings(_ value: JSONValue) -> [String] {
    (value.array ?? []).map { text($0) }
  }

  /// The name of a list for some of its elements: `Tag` for one of `Tags`.
  private static func named(_ title: String, _ count: Int) -> String {
    count == 1 && title == "Tags" ? "Tag" : title
  }

  /// The longest list of elements that are named.
  private static let mostNamed = 4

  private static func listed(_ names: [String]) -> String {
    guard names.count <= mostNamed else {
      return listed(Array(names.prefix(mostNamed - 1)) + ["\(names.count - mostNamed + 1) more"])
    }
    guard let last = names.last, names.count > 1 else { return names.first ?? "" }
    return names.dropLast().joined(separator: ", ") + " and " + last
  }
}
