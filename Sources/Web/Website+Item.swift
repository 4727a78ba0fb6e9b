import ErrandKit

extension Website {
  /// Properties with a place of their own on the page of an item, or that tell a person nothing.
  private static let known: Set = [
    "entity", "id", "ref", "title", "url", "tags", "favourite", "summary", "pageText", "page",
    "pageTitle", "pageState", "problem", "status", "merged", "wrappedLink", "isNew",
  ]

  /// The item of a path.
  func item(_ entity: String, _ id: String) throws -> ItemSnapshot {
    guard let number = Int64(id) else { throw Self.missing(id) }
    return try reader.item("\(number)", of: entity)
  }

  /// The list beside an item: the one it was opened from, as it was looked at.
  private func view(beside item: ItemSnapshot) -> ListView {
    let address = request.parameter("list") ?? ""
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts.first.map(String.init) ?? ""
    let names = path.split(separator: "/").map { $0.pathDecoded }
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
      query.first { $0.hasPrefix(name + "=") }.map { $0.dropFirst(name.count + 1).pathDecoded }
    }
  }

  /// The page of an item: its list, and the item itself.
  func show(_ item: ItemSnapshot) throws -> Reply {
    let view = view(beside: item)
    return try shell(
      title: item.title, kind: "three", current: view.path(),
      """
      <section class="pane list first" aria-label="\(view.list.title)">
      \(try pane(of: view, open: item.reference))</section>
      <main class="pane detail" id="list">\(try detail(item, back: view.place))</main>
      """)
  }

  /// The address of an item beside the list that it was opened from.
  func here(_ item: ItemSnapshot, _ more: String = "") -> String {
    Self.path(item) + more
      + (request.parameter("list").map { "?list=\($0.pathEncoded)" } ?? "")
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
    let summary =
      item["summary"]?.string ?? item["page"]?["description"]?.string
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

  /// The buttons in the head of an item.
  private func buttons(_ item: ItemSnapshot, back: String) -> HTML {
    let here = here(item)
    func button(_ name: String, _ label: String, _ icon: String, back: String, isOn: Bool? = nil)
      -> HTML
    {
      let pressed: HTML? = isOn.map { " aria-pressed=\"\($0 ? "true" : "false")\"" }
      return action(
        item, name, label, back: back,
        "<button class=\"ib\" aria-label=\"\(label)\" title=\"\(label)\"\(pressed)>\(HTML.icon(icon))</button>"
      )
    }
    let reading = item["reading"]?.string
    let isFavourite = item["favourite"] == true
    let done: HTML? =
      item.entity == "Task"
      ? button("toggle", "Done", "check", back: here, isOn: item["done"] == true) : nil
    let marks: HTML? =
      item.entity == "Link"
      ? """
      \(button("favourite", "Favourite", isFavourite ? "star-on" : "star", back: here, isOn: isFavourite))\
      \(button("read", "Read", "check", back: here, isOn: reading == "read"))\
      \(button("archive", "Archive", "archive", back: here, isOn: reading == "archived"))\
      <form method="post" action="/run/share" data-copy>\(formToken)<input type="hidden" name="link" value="\(item.reference)">\
      <button class="ib" aria-label="Copy signed link" title="Copy signed link">\(HTML.icon("link"))</button></form>
      """ : nil
    return """
      \(marks)\(done)<span class="grow"></span>\
      <a class="ib" href="\(self.here(item, "/edit"))" aria-label="Edit" title="Edit">\(HTML.icon("pencil"))</a>\
      \(button("delete", "Delete", "trash", back: back))
      """
  }

  /// A notice that a page could not be fetched, with what can be done.
  private func problem(of item: ItemSnapshot, back: String) -> HTML? {
    guard let state = item["pageState"]?.string, state != "ok" else { return nil }
    return """
      <div class="notice warn">\(HTML.icon("alert"))<div class="grow"><h2>The page is \(state)</h2>\
      <p dir="auto">\(item["problem"]?.string ?? "") What was kept of it earlier stays.</p><div class="line">\
      <form method="post" action="/run/enrich">\(formToken)<input type="hidden" name="input" value="\(item.reference)">\
      <input type="hidden" name="back" value="\(back)"><button class="b">Retry</button></form></div></div></div>

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
      \(HTML.icon("open"))Open page</a>\
      <form method="post" action="/run/enrich">\(formToken)<input type="hidden" name="input" value="\(item.reference)">\
      <input type="hidden" name="fresh" value="true"><input type="hidden" name="back" value="\(here(item))">\
      <button class="b">\(HTML.icon("again"))Look again</button></form></div><bdi class="small quiet wrap-any">\(url)</bdi>
      """
  }

  /// The page with the text of a link, to read calmly.
  func read(_ item: ItemSnapshot) throws -> Reply {
    let page = item["page"]
    let by: [HTML] = [
      page?["author"]?.string.map { "<span>\($0)</span>" as HTML },
      (item["url"]?.string).flatMap(Self.host).map { "<span>\($0)</span>" as HTML },
      time(page?["date"]?.string),
      page?["readingTime"]?.int.map { "<span>\($0) min</span>" as HTML },
    ].compactMap { $0 }
    return try shell(
      title: item.title, kind: "wide", current: "",
      """
      <main class="pane" id="list"><div class="head"><a class="ib" href="\(Self.path(item))" aria-label="Back to the link">\
      \(HTML.icon("left flip"))</a>\(buttons(item, back: "/"))</div>
      <progress class="far" id="far" max="100" value="0" aria-label="Read so far"></progress>
      <div class="in-pad"><article class="prose"\(page?["language"]?.string.map { " lang=\"\($0)\"" as HTML })>
      <p class="by line">\(by)</p><h1 dir="auto">\(item.shownTitle)</h1>
      \(Self.paragraphs(item["pageText"]?.string ?? "No text of this page was kept."))
      </article></div></main>
      """)
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

  private static func paragraphs(_ text: String) -> [HTML] {
    text.split(separator: "\n\n").map { "<p dir=\"auto\">\($0)</p>" }
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

  /// A name such as `createdAt` in words.
  static func words(_ name: String) -> String {
    var words = ""
    for letter in name {
      words += letter.isUppercase ? " " + letter.lowercased() : String(letter)
    }
    return words.prefix(1).uppercased() + words.dropFirst()
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
        : "<form method=\"post\" action=\"/undo/\(change["number"]?.int ?? 0)\">\(formToken)<input type=\"hidden\" name=\"back\" value=\"\(here(item))\"><button class=\"b plain small\">Undo</button></form>"
      return """
        <li>\(HTML.icon("history"))<div class="line"><span>\(what.prefix(1).uppercased())\(what.dropFirst())</span>\(undo)</div>\
        <span class="quiet">\(time(change["time"]?.string)) \(by(change))</span></li>

        """
    }
    return
      "<section class=\"section stack\"><h2>Changes</h2><ol class=\"thread\">\(lines)</ol></section>"
  }

  /// The name of who made a change; of a recorded run, with its steps.
  private func by(_ change: JSONValue) -> HTML {
    let name = change["by"]?.string ?? ""
    guard let run = change["run"]?.string else { return "\(name)" }
    return "<a href=\"/activity/\(run.pathEncoded)\">\(name)</a>"
  }

  // MARK: Forms

  /// The hidden field that every form has.
  var formToken: HTML { "<input type=\"hidden\" name=\"form\" value=\"\(request.token)\">" }

  /// A form of one button that acts on an item.
  func action(
    _ item: ItemSnapshot, _ name: String, _ label: String, back: String, _ button: HTML
  ) -> HTML {
    """
    <form method="post" action="\(Self.path(item))/\(name)">\(formToken)\
    <input type="hidden" name="back" value="\(back)">\(button)</form>
    """
  }
}

extension ItemSnapshot {
  /// The title without characters that override the direction of what is beside them: they can show
  /// `gpj.exe` as `exe.jpg`.
  var shownTitle: String {
    String(
      String.UnicodeScalarView(
        title.unicodeScalars.filter { !("\u{202A}"..."\u{202E}" ~= $0) }))
  }
}
