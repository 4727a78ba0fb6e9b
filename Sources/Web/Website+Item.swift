import ErrandKit

extension Website {
  /// Properties with a place of their own on the page of an item, or that tell a person nothing.
  private static let known: Set = [
    "entity", "id", "ref", "title", "url", "tags", "favourite", "summary", "pageText", "page",
    "merged", "wrappedLink", "isNew",
  ]

  /// The item of a path.
  func item(_ entity: String, _ id: String) throws -> ItemSnapshot {
    guard let number = Int64(id) else { throw Self.missing(id) }
    return try reader.item("\(number)", of: entity)
  }

  /// The list beside an item: the one it was opened from.
  private func list(beside item: ItemSnapshot) -> ItemList {
    let path = request.parameter("list") ?? ""
    if path == "/" { return .toRead }
    let parts = path.split(separator: "/").map(String.init)
    if parts.count == 2, parts[0] == "tag", item.entity == "Link" { return .tag(parts[1]) }
    let name = parts.count == 2 && parts[0] == "list" ? parts[1] : ""
    return ItemList(path: name, in: errand)
      ?? ItemList(path: item.entity == "Link" ? "links" : item.entity, in: errand) ?? .toRead
  }

  /// The page of an item: its list, and the item itself.
  func show(_ item: ItemSnapshot) throws -> Reply {
    let list = list(beside: item)
    return try shell(
      title: item.title, kind: "three", current: list.path,
      """
      <section class="pane list first" aria-label="\(list.title)">
      \(try pane(of: list, open: item.reference))</section>
      <main class="pane detail" id="list">\(try detail(item, back: list.path))</main>
      """)
  }

  private func detail(_ item: ItemSnapshot, back: String) throws -> HTML {
    let isFavourite = item["favourite"] == true
    let here = Self.path(item)
    func button(_ name: String, _ label: String, _ icon: String, back: String, isOn: Bool = false)
      -> HTML
    {
      action(
        item, name, label, back: back,
        "<button class=\"ib\" aria-label=\"\(label)\" title=\"\(label)\" aria-pressed=\"\(isOn ? "true" : "false")\">\(HTML.icon(icon))</button>"
      )
    }
    let reading = item["reading"]?.string
    let buttons: [HTML] =
      item.entity == "Link"
      ? [
        button(
          "favourite", "Favourite", isFavourite ? "star-on" : "star", back: here, isOn: isFavourite),
        button("read", "Read", "check", back: here, isOn: reading == "read"),
        button("archive", "Archive", "archive", back: here, isOn: reading == "archived"),
      ] : []
    let tags = item["tags"]?.array?.compactMap(\.string)
    return """
      <div class="head"><a class="ib only-narrow" href="\(back)" aria-label="Back to the list">\
      \(HTML.icon("left"))</a>\(buttons)<span class="grow"></span>\
      <a class="ib" href="\(here)/edit" aria-label="Edit" title="Edit">\(HTML.icon("pencil"))</a>\
      \(button("delete", "Delete", "trash", back: back))</div>
      <article class="in-pad stack measure">
      <h1 class="big" dir="auto">\(item.title)</h1>
      \(item["summary"]?.string.map { "<p class=\"ink2\" dir=\"auto\">\($0)</p>" as HTML })
      \(item["url"]?.string.flatMap { Self.open($0) })
      \(tags.map { self.tags($0, of: item) })
      <dl class="facts">\(facts(item))</dl>
      \(item["pageText"]?.string.map { text in
        "<details><summary class=\"line\"><b>Read</b></summary><div class=\"prose\">\(Self.paragraphs(text))</div></details>" as HTML
      })
      \(try history(of: item))
      </article>
      """
  }

  /// A button to the page itself, only for addresses of the Web.
  private static func open(_ url: String) -> HTML? {
    guard url.hasPrefix("https://") || url.hasPrefix("http://") else { return nil }
    return """
      <div class="line"><a class="b main" href="\(url)" rel="noreferrer noopener" target="_blank">\
      \(HTML.icon("open"))Open page</a><bdi class="small quiet">\(url)</bdi></div>
      """
  }

  private func tags(_ tags: [String], of item: ItemSnapshot) -> HTML {
    let chips: [HTML] = tags.map { tag in
      """
      <span class="chip"><a href="/tag/\(tag.pathEncoded)">\(tag)</a>\
      <form method="post" action="\(Self.path(item))/untag">\(formToken)\
      <input type="hidden" name="tag" value="\(tag)">\
      <button aria-label="Remove \(tag)">\(HTML.icon("close", isSmall: true))</button></form></span>
      """
    }
    return """
      <div class="line">\(chips)<form class="line" method="post" action="\(Self.path(item))/tag">\(formToken)\
      <label class="sr" for="tag">Add tags</label>\
      <input class="in" id="tag" name="tag" placeholder="Add a tag" required></form></div>
      """
  }

  private static func paragraphs(_ text: String) -> [HTML] {
    text.split(separator: "\n\n").map { "<p dir=\"auto\">\($0)</p>" }
  }

  private func facts(_ item: ItemSnapshot) -> [HTML] {
    guard case .object(let members) = item.fields else { return [] }
    return members.sorted { $0.key < $1.key }.compactMap { name, value -> HTML? in
      guard !Self.known.contains(name), value != .null, value != .array([]) else { return nil }
      let text = value.string ?? (try? value.text()) ?? ""
      let shown: HTML? = name.hasSuffix("At") ? time(text) : "\(text)"
      return "<dt>\(Self.words(name))</dt><dd dir=\"auto\">\(shown)</dd>"
    }
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
        : "<form method=\"post\" action=\"/undo/\(change["number"]?.int ?? 0)\">\(formToken)<input type=\"hidden\" name=\"back\" value=\"\(Self.path(item))\"><button class=\"b plain small\">Undo</button></form>"
      return """
        <li>\(HTML.icon("history"))<div class="line"><span>\(what.prefix(1).uppercased())\(what.dropFirst())</span>\(undo)</div>\
        <span class="quiet">\(time(change["time"]?.string)) \(change["by"]?.string ?? "")</span></li>

        """
    }
    return
      "<section class=\"section stack\"><h2>Changes</h2><ol class=\"thread\">\(lines)</ol></section>"
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
