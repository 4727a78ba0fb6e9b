import ErrandKit

extension Website {
  /// Properties with a place of their own on the page of an item, or that tell a person nothing.
  private static let known: Set = [
    "entity", "id", "ref", "title", "url", "tags", "favourite", "summary", "pageText", "page",
    "merged",
    "wrappedLink", "isNew",
  ]

  /// The page of an item.
  func item(_ entity: String, _ id: String) throws -> Reply {
    guard let number = Int64(id) else { throw Self.missing(id) }
    let item = try reader.item("\(entity.lowercased()):\(number)")
    let list = item.entity == "Link" ? "/list/links" : "/list/\(item.entity)"
    let isFavourite = item["favourite"] == true
    let isLink = item.entity == "Link"
    let buttons: [HTML] =
      isLink
      ? [
        button(
          item, "favourite", isFavourite ? "No favourite" : "Favourite",
          isFavourite ? "star-on" : "star"),
        button(item, "read", "Mark as read", "check"),
        button(item, "archive", "Archive", "archive"),
      ] : []
    let tags = item["tags"]?.array?.compactMap(\.string) ?? []
    return try shell(
      title: item.title, kind: "wide", current: list,
      """
      <main class="pane" id="list">
      <div class="head"><a class="ib" href="\(list)" aria-label="Back to the list">\(HTML.icon("left"))</a>\
      \(buttons)<span class="grow"></span>\(button(item, "delete", "Delete", "trash"))</div>
      <article class="in-pad stack measure">
      <h1 class="big" dir="auto">\(item.title)</h1>
      \(item["summary"]?.string.map { "<p class=\"ink2\" dir=\"auto\">\($0)</p>" as HTML })
      \(item["url"]?.string.flatMap { Self.open($0) })
      \(tags.isEmpty ? nil : "<div class=\"line\">\(tags.map { "<a class=\"chip\" href=\"/tag/\($0.pathEncoded)\">\($0)</a>" as HTML })</div>" as HTML)
      <dl class="facts">\(Self.facts(item))</dl>
      </article>
      </main>
      """)
  }

  /// A button to the page itself, only for addresses of the Web.
  private static func open(_ url: String) -> HTML? {
    guard url.hasPrefix("https://") || url.hasPrefix("http://") else { return nil }
    return """
      <div class="line"><a class="b main" href="\(url)" rel="noreferrer noopener" target="_blank">\
      \(HTML.icon("open"))Open page</a><span class="small quiet">\(url)</span></div>
      """
  }

  private static func facts(_ item: ItemSnapshot) -> [HTML] {
    guard case .object(let members) = item.fields else { return [] }
    return members.sorted { $0.key < $1.key }.compactMap { name, value -> HTML? in
      guard !known.contains(name), value != .null, value != .array([]) else { return nil }
      let text = value.string ?? (try? value.text()) ?? ""
      return "<dt>\(name)</dt><dd dir=\"auto\">\(text)</dd>"
    }
  }

  /// A form of one button that acts on an item.
  private func button(_ item: ItemSnapshot, _ action: String, _ label: String, _ icon: String)
    -> HTML
  {
    """
    <form method="post" action="/item/\(item.entity)/\(item.id)/\(action)">\
    <input type="hidden" name="form" value="\(request.token)">\
    <button class="ib" aria-label="\(label)" title="\(label)">\(HTML.icon(icon))</button></form>
    """
  }

  // MARK: Changes

  /// Carries out a form.
  func change() throws -> Reply {
    let path = request.path
    guard path.count == 4, path[0] == "item", let id = Int64(path[2]) else {
      throw Self.missing("/" + path.joined(separator: "/"))
    }
    let reference = "\(path[1].lowercased()):\(id)"
    let item = try reader.item(reference)
    switch path[3] {
    case "favourite":
      _ = try writer().update([reference], set: ["favourite": .bool(item["favourite"] != true)])
    case "read": _ = try writer().update([reference], set: ["reading": "read"])
    case "archive": _ = try writer().update([reference], set: ["reading": "archived"])
    case "delete":
      _ = try writer().delete([reference])
      return .redirect(item.entity == "Link" ? "/list/links" : "/list/\(item.entity)")
    default: throw Self.missing(path[3])
    }
    return .redirect(Self.path(item))
  }
}
