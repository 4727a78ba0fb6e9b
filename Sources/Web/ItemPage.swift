import ErrandKit
import Links

/// The page of an item beside its list, and the buttons that change it.
struct ItemPage: Page {
  let context: PageContext

  /// Properties left out of the facts: shown elsewhere on the page, or internal.
  private static let known: Set = [
    "entity", "id", "ref", "title", "url", "tags", "favourite", "pinned", "rank", "summary",
    "pageText", "page",
    "pageTitle", "pageState", "problem", "status", "merged", "wrappedLink", "isNew",
  ]

  func render() throws -> Reply {
    let item = try item()
    let address = context.parameter("list") ?? ""
    if let calendar = CalendarPane(
      context: context, path: address.split(separator: "/").map(String.init), open: item.reference)
    {
      return try shell(
        title: item.title, kind: "three", current: CalendarPane.today,
        """
        <section class="pane list first" aria-label="Calendar">
        \(try calendar.html())</section>
        <main class="pane detail" id="list">\(try detail(item, back: calendar.place))</main>
        """)
    }
    let view = view(beside: item)
    return try shell(
      title: item.title, kind: "three", current: view.path(),
      """
      <section class="pane list first" aria-label="\(view.list.title)">
      \(try ListPane(context: context, view: view, open: item.reference).html())</section>
      <main class="pane detail" id="list">\(try detail(item, back: view.place))</main>
      """)
  }

  /// The list beside an item: the one it was opened from, with its filters and order.
  private func view(beside item: ItemSnapshot) -> ListView {
    let address = context.parameter("list") ?? ""
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map(String.init) ?? ""
    func decoded(_ text: Substring) -> String {
      PercentEncoding.decode(text, plusIsSpace: true)
    }
    let names = path.split(separator: "/").map { decoded($0) }
    let usual = ItemList(path: item.entity == "Link" ? "links" : item.entity, in: errand) ?? .toRead
    let list: ItemList =
      switch (names.first, names.count) {
      case (nil, _) where path == "/": .toRead
      case ("tag", 2) where item.entity == "Link": .tag(names[1])
      case ("list", 2): ItemList(path: names[1], in: errand) ?? usual
      default: usual
      }
    let query = parts.count > 1 ? parts[1].split(separator: "&") : []
    return ListView(list) { name in
      query.first { $0.hasPrefix(name + "=") }.map { decoded($0.dropFirst(name.count + 1)) }
    }
  }

  func submit() throws -> Reply {
    let item = try item()
    let action = context["action"] ?? ""
    let back = back ?? here(item)
    let change: Writer.Change
    switch action {
    case "toggle":
      return .redirect(Self.noting(try toggle(item), action, at: back))
    case "place":
      let places = ["before", "after"].compactMap { name in
        context.field(name).flatMap { $0.isEmpty ? nil : (name, JSONValue.string($0)) }
      }
      let change = try self.change(by: "arrange", item, Dictionary(places) { first, _ in first })
      return .redirect(Self.noting(change, action, at: back))
    case "favourite", "pin", "read", "archive":
      // A second press undoes the first.
      let (property, value) = Self.marks[action] ?? ("done", true)
      let isSet = item[property] == value
      let cleared: JSONValue = value == true ? false : .null
      change = try writer().update([item.reference], set: [property: isSet ? cleared : value])
    case "tag", "untag":
      let values: [String: JSONValue] = ["tags": .array(Self.list(context.field("tag") ?? ""))]
      change = try writer().update(
        [item.reference], add: action == "tag" ? values : [:],
        remove: action == "tag" ? [:] : values)
    case "delete": change = try writer().delete([item.reference])
    default: throw ErrandError.missingPage(action)
    }
    return .redirect(Self.noting(change.number, action, at: back))
  }

  private func detail(_ item: ItemSnapshot, back: String) throws -> HTML {
    let here = here(item)
    let isLink = item.entity == "Link"
    let tags = item["tags"]?.array?.compactMap(\.string)
    let kind = Self.kind(of: item)
    let minutes = item["page"]?["readingTime"]?.int
    let about: HTML? =
      isLink
      ? """
      <p class="meta">\(HTML.icon(kind.icon, isSmall: true))<span>\(kind.name)</span>\
      <bdi>\(item["page"]?["site"]?.string ?? item["url"]?.string.flatMap(Self.host) ?? "")</bdi>\
      \(minutes.map { "<span>\($0) min</span>" as HTML })</p>
      """ : nil
    let summary = item["summary"]?.string ?? item["page"]?["description"]?.string
    return """
      <div class="head"><a class="ib only-narrow" href="\(back)" aria-label="Back to the list">\
      \(HTML.icon("left flip"))</a>\(buttons(item, back: back))</div>
      <article class="in-pad stack measure" id="detail" data-item="\(Self.path(item))">
      \(problem(of: item, back: here))
      \(picture(of: item, kind.name))
      <div>\(about)<h1 class="big" dir="auto">\(item.shownTitle)</h1></div>
      \(summary.map { "<p class=\"ink2\" dir=\"auto\">\($0)</p>" as HTML })
      \(isLink ? reading(item) : nil)
      \(tags.map { self.tags($0, of: item) })
      <dl class="facts">\(facts(item))</dl>
      \(isLink ? try notes(about: item) : nil)
      \(try history(of: item))
      </article>
      """
  }

  /// The picture of a page that the library keeps, in the shape of its kind.
  private func picture(of item: ItemSnapshot, _ kind: String) -> HTML? {
    guard let hash = item["page"]?["picture"]?.string else { return nil }
    let shape: HTML = ["Book", "Music", "Profile"].contains(kind) ? " side" : ""
    return """
      <img class="pic\(shape)" src="/picture/\(hash.pathEncoded)" alt="" loading="lazy">
      """
  }

  /// The notice about a page that could not be fetched, with a retry button.
  private func problem(of item: ItemSnapshot, back: String) -> HTML? {
    guard let state = item["pageState"]?.string, state != "ok" else { return nil }
    return """
      <div class="notice warn">\(HTML.icon("alert"))<div class="grow"><h2>The page is \(state)</h2>\
      <p dir="auto">\(item["problem"]?.string ?? "") What was kept of it earlier stays.</p><div class="line">\
      \(form("/run/enrich", with: ["input": item.reference, "back": back], "<button class=\"b\">Retry</button>"))</div></div></div>

      """
  }

  /// The buttons to read a link here and at its site; only for addresses of the Web.
  private func reading(_ item: ItemSnapshot) -> HTML? {
    guard let url = item["url"]?.string, url.hasPrefix("https://") || url.hasPrefix("http://")
    else { return nil }
    let hasText = item["pageText"]?.string?.isEmpty == false
    let read: HTML? =
      hasText
      ? "<a class=\"b main\" href=\"/read/\(item.id)\">\(HTML.icon("read"))Read</a>" : nil
    let again: HTML = "<button class=\"b\">\(HTML.icon("again"))Look again</button>"
    return """
      <div class="line">\(read)<a class="b\(hasText ? "" : " main")" href="\(url)" rel="noreferrer noopener" target="_blank">\
      \(HTML.icon("open"))Open page</a>\
      \(form("/run/enrich", with: ["input": item.reference, "fresh": "true", "back": here(item)], again))</div><bdi class="small quiet wrap-any">\(url)</bdi>
      """
  }

  /// The notes about a link, and a field for one more.
  private func notes(about item: ItemSnapshot) throws -> HTML {
    let notes = try reader.find(
      "Note", where: "self.link != null && self.link.id == \(item.id)", limit: 20)
    let shown: [HTML] = notes.map {
      "<p dir=\"auto\"><a class=\"ink\" href=\"\(Self.path($0))\">\($0["text"]?.string ?? $0.title)</a></p>"
    }
    return """
      <section class="section stack tight"><h2>Notes</h2>\(shown)
      <form class="stack tight" method="post" action="/new/Note">\(formToken)\
      <input type="hidden" name="link" value="\(item.reference)"><input type="hidden" name="back" value="\(here(item))">\
      <label class="sr" for="note">A note about this link</label>\
      <textarea class="in" id="note" name="text" rows="2" placeholder="A note about this link" required dir="auto"></textarea>\
      <div><button class="b">Keep note</button></div></form></section>
      """
  }

  private func tags(_ tags: [String], of item: ItemSnapshot) -> HTML {
    let chips: [HTML] = tags.map { tag in
      """
      <span class="chip"><a href="/tag/\(tag.pathEncoded)">\(tag)</a>\
      <form method="post" action="\(here(item, "/untag"))">\(formToken)\
      <input type="hidden" name="tag" value="\(tag)">\
      <button aria-label="Remove \(tag)">\(HTML.icon("close", isSmall: true))</button></form></span>
      """
    }
    return """
      <div class="line">\(chips)<form class="line" method="post" action="\(here(item, "/tag"))">\(formToken)\
      <label class="sr" for="tag">Add tags</label>\
      <input class="in" id="tag" name="tag" placeholder="Add a tag" required autocomplete="off" dir="auto"></form></div>
      """
  }

  private func facts(_ item: ItemSnapshot) -> [HTML] {
    guard case .object(let members) = item.fields else { return [] }
    var facts = members.sorted { $0.key < $1.key }.compactMap { name, value -> HTML? in
      guard !Self.known.contains(name), value != .null, value != .array([]), value != false
      else { return nil }
      return "<dt>\(Self.labels[name] ?? Self.words(name))</dt><dd dir=\"auto\">\(fact(value))</dd>"
    }
    for (title, name) in [("Author", "author"), ("Published", "date"), ("Language", "language")] {
      guard let value = item["page"]?[name]?.string else { continue }
      facts.insert("<dt>\(title)</dt><dd dir=\"auto\">\(fact(.string(value)))</dd>", at: 0)
    }
    return facts
  }

  /// The names of properties that every item or link has, as a person says them.
  private static let labels = [
    "createdAt": "Saved", "updatedAt": "Changed", "fetched": "Looked at", "source": "From",
  ]

  /// A value of a property: an item as a link, a moment in words, else its text.
  private func fact(_ value: JSONValue) -> HTML? {
    if let entity = value["entity"]?.string, let id = value["id"]?.int {
      let title = value["title"]?.string ?? value["url"]?.string ?? "\(entity) \(id)"
      return "<a href=\"/item/\(entity)/\(id)\">\(title)</a>"
    }
    let text = Self.text(value)
    if let text = value.string, text.utf8.count >= 10, Day(text) != nil { return time(text) }
    return "\(text)"
  }

  /// The latest changes of an item, each with undo.
  private func history(of item: ItemSnapshot) throws -> HTML? {
    let changes = try reader.changes(limit: 200).filter { change in
      change["entity"]?.string == item.entity && (change["first"]?.int ?? 0) <= item.id
        && item.id <= (change["last"]?.int ?? 0)
    }.prefix(8)
    guard !changes.isEmpty else { return nil }
    let lines: [HTML] = changes.map { change in
      let properties = change["properties"]?.array?.compactMap { $0["name"]?.string ?? $0.string }
      let what =
        (change["change"]?.string ?? "")
        + (properties.map { $0.isEmpty ? "" : ": " + $0.map(Self.words).joined(separator: ", ") }
          ?? "")
      let undo: HTML? =
        change["undone"] == true
        ? "<span class=\"quiet\">undone</span>"
        : form(
          "/undo/\(change["number"]?.int ?? 0)", with: ["back": here(item)],
          "<button class=\"b plain small\">Undo</button>")
      return """
        <li>\(HTML.icon("history"))<div class="line"><span>\(what.prefix(1).uppercased())\(what.dropFirst())</span>\(undo)</div>\
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
}
