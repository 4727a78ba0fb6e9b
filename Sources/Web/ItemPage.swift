import ErrandKit

/// The page of an item beside its list, and the buttons that change it.
struct ItemPage: Page {
  let context: PageContext

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
    if TaskPage.shows(view) {
      return try shell(
        title: item.title, kind: "three", current: view.path(),
        """
        <section class="pane list first" aria-label="\(view.list.title)">
        \(try TaskPage(context: context).pane(open: item))</section>
        <main class="pane detail" id="list">\(try detail(item, back: view.place))</main>
        """)
    }
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
    if let view = ListView(address: context.parameter("list") ?? "", in: errand) { return view }
    let name = item.entity == "Link" ? "links" : item.entity
    return ListView(ItemList(path: name, in: errand) ?? .toRead) { _ in nil }
  }

  /// The item after another one in the list that it was opened from; nil at its end.
  private func following(_ item: ItemSnapshot, in address: String) throws -> ItemSnapshot? {
    guard let view = ListView(address: address, in: errand), view.list.entity == item.entity
    else { return nil }
    return try reader.find(
      item.entity, matching: view.words, where: view.condition, sort: view.order, limit: 1,
      after: item.reference
    ).first
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
    case "favourite", "pin", "read", "unread", "archive":
      // A second press undoes the first.
      let (property, value) = Self.marks[action] ?? ("done", true)
      let isSet = item[property] == value
      let cleared: JSONValue = value == true ? false : .null
      change = try writer().update([item.reference], set: [property: isSet ? cleared : value])
      let done = !isSet ? action : property == "reading" ? "plain" : "un" + action
      return .redirect(Self.noting(change.number, done, at: back))
    case "tag", "untag":
      let values: [String: JSONValue] = ["tags": .array(Self.list(context.field("tag") ?? ""))]
      change = try writer().update(
        [item.reference], add: action == "tag" ? values : [:],
        remove: action == "tag" ? [:] : values)
    case "delete":
      // The open item gives way to the next one of its list.
      let next = try context.field("list").flatMap { list in
        try following(item, in: list).map { "\(Self.path($0))?list=\(list.pathEncoded)" }
      }
      change = try writer().delete([item.reference])
      return .redirect(Self.noting(change.number, action, at: next ?? back))
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
    let facts = ItemFacts(context: context)
    return """
      <div class="head"><a class="ib only-narrow" href="\(back)" aria-label="Back to the list">\
      \(HTML.icon("left flip"))</a>\(buttons(item, back: back, opensNext: true))</div>
      <article class="in-pad stack measure" id="detail" data-item="\(Self.path(item))">
      \(problem(of: item, back: here))
      \(picture(of: item, kind.name))
      <div>\(about)<h1 class="big" dir="auto">\(item.shownTitle)</h1></div>
      \(summary.map { "<p class=\"ink2\" dir=\"auto\">\($0)</p>" as HTML })
      \(isLink ? reading(item) : nil)
      \(writing(item))
      \(item.entity == "Task" ? try TaskPage(context: context).details(of: item, back: here) : nil)
      \(tags.map { self.tags($0, of: item) })
      \(item.entity == "Place" ? try map(of: item) : nil)
      <dl class="facts">\(try facts.rows(item))</dl>
      \(isLink ? try notes(about: item) : nil)
      \(try related(to: item))
      \(try facts.history(of: item))
      </article>
      """
  }

  /// The text of a note, or the notes of another item, as Markdown, with a form to write it in place.
  private func writing(_ item: ItemSnapshot) -> HTML? {
    let name = item.entity == "Note" ? "text" : "notes"
    guard let value = item[name], value == .null || value.string != nil else { return nil }
    let text = value.string ?? ""
    // The first line of a note is its heading.
    let shown = name == "notes" ? text : String(text.drop { !$0.isNewline })
    let prose: HTML? =
      shown.allSatisfy(\.isWhitespace)
      ? nil
      : "<div class=\"prose\" dir=\"auto\">\(HTML(trusted: Errand.html(ofMarkdown: shown)))</div>"
    return """
      <section class="written stack tight">\(prose)<details class="writing"><summary class="b small">\(HTML.icon("pencil", isSmall: true))\
      \(text.isEmpty ? "Add notes" : name == "text" ? "Edit text" : "Edit notes")</summary>\
      <form class="stack tight" method="post" action="\(here(item, "/edit"))">\(formToken)\
      <input type="hidden" name="was.\(name)" value="\(text)"><label class="sr" for="written">Text, in Markdown</label>\
      <textarea class="in" id="written" name="\(name)" rows="8" dir="auto">\n\(text)</textarea>\
      <div><button class="b main">Save</button></div></form></details></section>
      """
  }

  /// The map of a place among the others of the library.
  private func map(of item: ItemSnapshot) throws -> HTML? {
    let others = try reader.find(item.entity, limit: Self.mappedPlaces)
    return PlaceMap(item, among: others)?.html()
  }

  /// The places that a map looks for near ones, newest first.
  private static let mappedPlaces = 2_000

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
    return """
      <div class="line">\(read)<a class="b\(hasText ? "" : " main")" href="\(url)" rel="noreferrer noopener" target="_blank">\
      \(HTML.icon("open"))Open page</a></div><bdi class="small quiet wrap-any">\(url)</bdi>
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

  /// The items most like one; nil if there are none.
  private func related(to item: ItemSnapshot) throws -> HTML? {
    let items = try reader.related(to: item, limit: 5)
    if items.isEmpty { return nil }
    let shown: [HTML] = items.map {
      let site = $0["url"]?.string.flatMap(Self.host)
      return """
        <p dir="auto"><a class="ink" href="\(Self.path($0))">\($0.shownTitle)</a>\
        \(site.map { " <bdi class=\"ink2\">\($0)</bdi>" as HTML })</p>
        """
    }
    return "<section class=\"section stack tight\"><h2>Related</h2>\(shown)</section>"
  }

  private func tags(_ tags: [String], of item: ItemSnapshot) -> HTML {
    let colours = TagColours(in: errand.places?.data)
    let chips: [HTML] = tags.map { tag in
      """
      <span class="chip\(colours[tag].map { " tinted \(Self.class(ofColour: $0))" } ?? "")"><a href="/tag/\(tag.pathEncoded)">\(tag)</a>\
      <form method="post" action="\(here(item, "/untag"))">\(formToken)\
      <input type="hidden" name="tag" value="\(tag)">\
      <button aria-label="Remove \(tag)">\(HTML.icon("close", isSmall: true))</button></form></span>
      """
    }
    return """
      <div class="line">\(chips)<form class="line" method="post" action="\(here(item, "/tag"))">\(formToken)\
      <label class="sr" for="tag">Add tags</label>\
      <input class="in" id="tag" name="tag" placeholder="Add a tag" required autocomplete="off" data-tags="one" data-of="\(item.reference)" dir="auto"></form></div>
      """
  }
}
