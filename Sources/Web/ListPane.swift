import ErrandKit

/// The pane of a list: its heading, search, tools and rows.
struct ListPane: PagePart {
  let context: PageContext
  let view: ListView
  /// The reference of the item beside it; nil for none.
  var open: String?

  /// The number of rows of a page.
  private static let pageSize = 50

  /// The maximum number of rows of one answer.
  private static let largestPage = 500

  func html() throws -> HTML {
    let list = view.list
    let saved = SmartLists(errand).entries.first { $0.path == view.saved }
    let look = list.entity == "Link" ? ListLooks(errand)[saved?.path ?? list.path] : .rows
    let total = try? memory.count(view, reader)
    let title = saved?.title ?? list.title
    return """
      <div class="head">\(Self.sidebarLink)<h1 dir="auto">\(title)</h1>\
      <span class="count num" id="total">\(total.map { "\(Self.grouped($0))" as HTML })</span>\
      <span class="grow"></span>\(pill())\
      <a class="ib" href="/new/\(list.entity)" aria-label="Add to \(list.title)">\(HTML.icon("plus"))</a></div>
      <div class="stack tight tools"><form class="search" role="search" action="\(list.path)">\
      \(view.hidden(except: ["q"]))<label class="sr" for="q">Search \(title)</label>\(HTML.icon("search"))\
      <input class="in" id="q" name="q" type="search" value="\(view.words ?? "")" placeholder="Words, tag:papers" dir="auto">\
      </form>\(adding)\(try ListTools(context: context, view: view, saved: saved, look: look).html())</div>
      \(list.path == "/list/processing" ? workerNotice(back: list.path).map { "<div class=\"in-pad\" id=\"now\">\($0)</div>" as HTML } : nil)\
      <div id="rows" data-list="\(view.place)">\(try rows(look))</div>\(view.isSelecting ? BulkBar(context: context, view: view, total: total).html() : nil)
      """
  }

  /// The line that adds an item by its only required property.
  private var adding: HTML? {
    let list = view.list
    let lines = [
      "Note": ("/run/add-note", "text", "Add a note"),
      "Link": ("/run/save", "url", "Add an address"),
    ]
    guard let (action, name, label) = lines[list.entity] else { return nil }
    return """
      <form class="add" method="post" action="\(action)" data-add="\(list.entity)">\(formToken)\
      <input type="hidden" name="back" value="\(list.path)"><label class="sr" for="add">\(label)</label>\
      \(HTML.icon("plus"))<input class="in" id="add" name="\(name)" placeholder="\(label)" required dir="auto">\
      <button class="b main">Add</button></form>
      """
  }

  // MARK: Rows

  /// The rows of a page, by day, and a link to the next page.
  private func rows(_ look: ListLooks.Look) throws -> HTML {
    let list = view.list
    let wanted = context.parameter("rows").flatMap { Int($0) } ?? Self.pageSize
    var limit = 0
    var (pinned, items): ([ItemSnapshot], [ItemSnapshot]) = ([], [])
    let showsPins = try showsPins
    do {
      var condition = view.condition
      if showsPins {
        pinned = try reader.find(
          list.entity, where: Self.both(condition, "self.pinned"), sort: view.order,
          limit: Self.largestPage)
        // An index of those that are not pinned would be walked in place of a shorter one.
        if !pinned.isEmpty { condition = Self.both(condition, "self.pinned != true") }
      }
      // Those that are pinned are among the rows that a page had.
      limit = min(max(wanted - pinned.count, Self.pageSize), Self.largestPage)
      items = try reader.find(
        list.entity, matching: view.words, where: condition, sort: view.order,
        limit: limit + 1, after: view.after)
    } catch {
      if !view.isNarrowed { throw error }
      return """
        <div class="notice bad in-pad" role="alert">\(HTML.icon("alert"))<p>\(Self.sentence(error))</p></div>
        """
    }
    let page = items.prefix(limit)
    if view.after != nil { pinned = [] }
    guard !page.isEmpty || !pinned.isEmpty else {
      if let words = view.words { return try nothing(by: words) }
      let whole: HTML = """
        <a class="b" href="\(view.with { $0.filter = nil })">Take the filter off</a>
        """
      return Self.empty(
        view.filter == nil ? list.empty : "Nothing fits this filter.", icon: list.icon,
        next: view.filter == nil
          ? list.nextStep : whole)
    }
    var next: HTML?
    if items.count > page.count, let last = page.last {
      next = """
        <p class="group more"><a href="\(view.path(after: last.reference))">Next \(Self.pageSize)</a></p>
        """
    }
    let isByDay =
      view.words == nil && (view.sort ?? ListView.newest) == ListView.newest
      && list.order == [ListView.newest]
    let today = Day(context.today)
    var groups: [(title: String?, items: [ItemSnapshot])] = []
    if !pinned.isEmpty { groups.append(("Pinned", pinned)) }
    for item in page {
      var title: String?
      if isByDay, let today,
        let day = (item["createdAt"]?.string).flatMap({ Day(errand.localTime($0)) })
      {
        title = day.group(from: today)
      }
      // Rows without days have a name of their own beside those that are pinned.
      if title == nil, !pinned.isEmpty { title = "Others" }
      if groups.isEmpty || groups.last?.title != title { groups.append((title, [])) }
      groups[groups.count - 1].items.append(item)
    }
    let others = view.words != nil && view.after == nil ? elsewhere : nil
    return "\(others)\(chunk(groups, look))\(next)"
  }

  /// A part of the list that is shown at once.
  private func chunk(
    _ groups: [(title: String?, items: [ItemSnapshot])], _ look: ListLooks.Look
  ) -> HTML {
    let parts: [HTML] = groups.map { title, items in
      let rows = items.map { row($0, isOpen: $0.reference == open, look) }
      return
        "\(title.map { "<h2 class=\"group\">\($0)</h2>" as HTML })<ol class=\"rows \(look.rawValue)\">\n\(rows)</ol>"
    }
    return "<section class=\"chunk\">\(parts)</section>"
  }

  // MARK: Searches

  /// The answer to words that find nothing: a guess, close matches, and other lists that have
  /// them.
  private func nothing(by words: String) throws -> HTML {
    let near = try reader.closest(
      view.list.entity, matching: words, where: view.condition, limit: 20)
    let guesses: [HTML] = near.missing.map { missing in
      let guess: HTML? = missing.suggestion.map { suggestion in
        let better = words.replacing(missing.word, with: suggestion)
        return
          " Did you mean <a href=\"\(view.with { $0.words = better })\" dir=\"auto\">\(suggestion)</a>?"
      }
      return "<p>Nothing has “\(missing.word)”.\(guess)</p>"
    }
    let sentence: HTML =
      near.missing.isEmpty ? "<p>Nothing here has all of “\(words)”.</p>" : HTML(joining: guesses)
    let whole: HTML =
      view.filter == nil
      ? "<a class=\"b\" href=\"\(view.list.path)\">Show all of \(view.list.title)</a>"
      : "<a class=\"b\" href=\"\(view.with { $0.filter = nil })\">Take the filter off</a>"
    let close: HTML? =
      near.items.isEmpty ? nil : chunk([("Close matches", near.items)], .rows)
    return """
      <div class="empty">\(HTML.icon("search"))\(sentence)\(whole)</div>\(elsewhere)\(close)
      """
  }

  /// Links to the other lists that have items with the same words.
  private var elsewhere: HTML? {
    let list = view.list
    var others = ItemList.entities(in: errand).filter { $0.entity != list.entity }
    if list.path != "/list/links" {
      others.insert(contentsOf: ItemList.library.filter { $0.path == "/list/links" }, at: 0)
      if list.path != "/list/archive" {
        others.append(contentsOf: ItemList.library.filter { $0.path == "/list/archive" })
      }
    }
    let links: [HTML] = others.compactMap { other in
      let found = ListView(other) { $0 == "q" ? view.words : nil }
      guard let count = try? memory.count(found, reader), count > 0 else { return nil }
      return
        "<a href=\"\(found.path())\"><span dir=\"auto\">\(other.title)</span> <span class=\"num\">\(Self.grouped(count))</span></a>"
    }
    return links.isEmpty ? nil : "<p class=\"group elsewhere\">Also in \(links)</p>"
  }

  /// Whether the list begins with the items that are pinned: not what was searched for.
  private var showsPins: Bool {
    get throws {
      try view.words == nil
        && errand.definition(view.list.entity).parameters.contains {
          $0.name == "pinned" && $0.baseType == "bool"
        }
    }
  }

  private static func both(_ first: String?, _ second: String) -> String {
    first.map { "(\($0)) && \(second)" } ?? second
  }

  /// The row of an item.
  private func row(_ item: ItemSnapshot, isOpen: Bool, _ look: ListLooks.Look) -> HTML {
    let tags = item["tags"]?.array?.compactMap(\.string) ?? []
    let snippet: [HTML] = item.snippet.map { $0.isMatch ? "<mark>\($0.text)</mark>" : "\($0.text)" }
    let summary: HTML =
      item.snippet.isEmpty
      ? "\((item["summary"]?.string ?? item["page"]?["description"]?.string ?? "").prefix(200))"
      : "\(snippet)"
    let path = Self.path(item)
    let query = "?list=\(view.place.pathEncoded)"
    let problem = item["pageState"]?.string.flatMap { $0 == "ok" ? nil : $0 }
    let isWaiting = ["queued", "processing"].contains(item["status"]?.string ?? "")
    let cover = look == .rows ? nil : Self.tile(of: item, "cover")
    let lead: HTML?
    if view.isSelecting {
      lead =
        "<input class=\"box\" type=\"checkbox\" form=\"bulk\" name=\"item\" value=\"\(item.reference)\" aria-label=\"\(item.title.prefix(100))\">"
    } else if item.entity == "Task" {
      lead = circle(of: item, back: view.place)
    } else {
      lead = look == .rows ? Self.tile(of: item) : nil
    }
    let meta: HTML
    if let problem {
      meta = """
        <p class="meta red">\(HTML.icon("alert", isSmall: true))<span>\(item["problem"]?.string ?? "The page is \(problem)")</span></p>
        """
    } else {
      let kind: HTML? =
        item.entity == "Link"
        ? HTML.icon(isWaiting ? "clock" : Self.kind(of: item).icon, isSmall: true) : nil
      let host = item.entity == "Link" ? (item["url"]?.string).flatMap(Self.host) : nil
      let place = host ?? item.subtitle ?? item.reference
      meta = """
        <p class="meta">\(kind)<bdi>\(place)</bdi>\
        \(tags.isEmpty ? nil : "<span class=\"tags\">\(tags.prefix(12).map { Self.tagLink($0) })</span>" as HTML)</p>
        """
    }
    func button(_ action: String, _ label: String, _ field: String) -> HTML {
      form(
        "/run/\(action)", with: [field: item.reference, "back": view.place],
        "<button class=\"b small\">\(label)</button>")
    }
    let buttons: HTML? =
      item.entity == "Shared" && item["state"] == "new"
      ? "<span class=\"line no\">\(button("keep-shared", "Keep", "shared"))\(button("dismiss-shared", "Dismiss", "shared"))</span>"
      : problem == nil ? nil : button("enrich", "Retry", "input")
    let end: HTML =
      buttons
        ?? """
        <span class="end">\(item["favourite"] == true ? "\(HTML.icon("star-on", isSmall: true))<span class=\"sr\">Favourite</span>" as HTML : nil)\
        \(time(item["due"]?.string ?? item["createdAt"]?.string))</span>
        """
    return """
      <li class="row\(isOpen ? " on" : "")\(item["done"] == true ? " calm" : "")\(buttons == nil ? "" : " act")" data-item="\(path)">\(cover)\(lead)<div>\
      <a class="title" dir="auto" href="\(path)\(query)"\(isOpen ? " aria-current=\"true\"" : "" as HTML)>\(item.shownTitle.prefix(300))</a>\
      \(summary.markup.isEmpty ? "" : "<p class=\"sum\" dir=\"auto\">\(summary)</p>" as HTML)\
      \(meta)</div>\(end)</li>

      """
  }
}
