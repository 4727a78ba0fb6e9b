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
    let isNarrowed = view.words != nil || view.filter != nil
    let total = isNarrowed ? nil : try memory.count(list, reader)
    return """
      <div class="head">\(Self.sidebarLink)<h1 dir="auto">\(list.title)</h1>\
      \(total.map { "<span class=\"count num\" id=\"total\">\(Self.grouped($0))</span>" as HTML })\
      <span class="grow"></span>\(pill())\
      <a class="ib" href="/new/\(list.entity)" aria-label="Add to \(list.title)">\(HTML.icon("plus"))</a></div>
      <div class="stack tight tools"><form class="search" role="search" action="\(list.path)">\
      \(view.hidden(except: ["q"]))<label class="sr" for="q">Search \(list.title)</label>\(HTML.icon("search"))\
      <input class="in" id="q" name="q" type="search" value="\(view.words ?? "")" placeholder="Words, tag:papers" dir="auto">\
      </form>\(adding)\(try tools())</div>
      <div id="rows" data-list="\(view.place)">\(try rows())</div>\(view.isSelecting ? bulkBar() : nil)
      """
  }

  // MARK: Tools

  /// The order, the filters and the selection of a list.
  private func tools() throws -> HTML {
    let orders = try self.orders(of: view.list.entity)
    let current = view.sort ?? (view.words == nil ? view.list.order.first : nil)
    let sorts: [HTML] = orders.map { title, sort in
      "<a href=\"\(view.with { $0.sort = sort })\"\(sort == current ? " aria-current=\"true\"" : "" as HTML)>\(title)</a>"
    }
    let title = orders.first { $0.sort == current }?.title ?? "Best first"
    let presets: [HTML] = (view.list.entity == "Link" ? ListView.linkFilters : []).map {
      name, filter in
      let isOn = view.filter == filter
      return
        "<a href=\"\(view.with { $0.filter = isOn ? nil : filter })\"\(isOn ? " aria-current=\"true\"" : "" as HTML)>\(name)</a>"
    }
    let saved = SmartLists(errand).entries.first { $0.path == view.path() }
    let keep: HTML =
      saved.map { saved in
        form(
          "/lists/remove", with: ["title": saved.title],
          "<button class=\"b plain\">Remove “\(saved.title)”</button>")
      } ?? """
        <form class="stack tight" method="post" action="/lists">\(formToken)\
        <input type="hidden" name="path" value="\(view.with { $0.isSelecting = false })">\
        <label class="label" for="list-title">Save as a list</label>\
        <span class="line no"><input class="in" id="list-title" name="title" placeholder="Its name" required maxlength="60">\
        <button class="b">Save</button></span></form>
        """
    let isFiltered = view.filter != nil
    return """
      <div class="line no"><details class="drop"><summary class="chip">\(HTML.icon("sort", isSmall: true))\(title)</summary>\
      <div class="menu">\(sorts)</div></details>\
      <details class="drop"><summary class="chip\(isFiltered ? " on" : "")">\(HTML.icon("filter", isSmall: true))Filter</summary>\
      <div class="menu">\(presets)<form class="stack tight" action="\(view.list.path)">\(view.hidden(except: ["where"]))\
      <label class="label" for="where">Condition</label><span class="line no">\
      <input class="in mono" id="where" name="where" value="\(view.filter ?? "")" placeholder="'swift' in self.tags" spellcheck="false">\
      <button class="b">Use</button></span></form>\(keep)</div></details><span class="grow"></span>\
      <a class="b plain small" href="\(view.with { $0.isSelecting.toggle() })">\(view.isSelecting ? "Done" : "Select")</a></div>
      """
  }

  /// The orders that a list of an entity offers.
  private func orders(of entity: String) throws -> [(title: String, sort: String)] {
    var orders = [
      ("Newest first", ListView.newest), ("Oldest first", "createdAt"),
      ("Changed last", "-updatedAt"),
    ]
    for parameter in try errand.definition(entity).parameters.prefix(12) {
      guard
        ["string", "date", "when", "int", "double", "timestamp", "enum"].contains(
          parameter.baseType),
        !["summary", "notes", "problem", "source", "status", "text"].contains(parameter.name)
      else { continue }
      orders.append(("By \(Self.words(parameter.title).lowercased())", parameter.name))
    }
    return orders
  }

  /// The bar that acts on the selected rows.
  private func bulkBar() -> HTML {
    var actions = [("delete", "Delete", "trash")]
    if view.list.entity == "Link" {
      actions =
        [
          ("read", "Read", "check"), ("archive", "Archive", "archive"),
          ("favourite", "Favourite", "star"),
        ] + actions
    } else if view.list.entity == "Task" {
      actions = [("done", "Done", "check")] + actions
    }
    let buttons: [HTML] = actions.map { name, label, icon in
      "<button class=\"b\(name == "delete" ? " bad" : "")\" name=\"do\" value=\"\(name)\">\(HTML.icon(icon, isSmall: true))\(label)</button>"
    }
    let tagging: HTML =
      """
      <span class="line no"><label class="sr" for="bulk-tag">Tag</label>\
      <input class="in" id="bulk-tag" name="tag" placeholder="Tag" size="10" list="tag-names">\
      <button class="b" name="do" value="tag">Add tag</button></span>
      """
    return """
      <form class="bulk line" id="bulk" method="post" action="/bulk" aria-label="Selected">\(formToken)\
      <input type="hidden" name="back" value="\(view.with { $0.isSelecting = false })">\
      <input type="hidden" name="entity" value="\(view.list.entity)">\
      <input type="hidden" name="condition" value="\(view.condition ?? "")">\
      <input type="hidden" name="words" value="\(view.words ?? "")">\
      <span id="chosen" role="status">Choose rows</span>\
      <label class="line no"><input class="box" type="checkbox" name="all" value="1" id="all">All of this list</label>\
      <span class="grow"></span>\(buttons)\(view.list.entity == "Link" || view.list.entity == "Task" || view.list.entity == "Note" ? tagging : nil)</form>
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
  private func rows() throws -> HTML {
    let list = view.list
    let wanted = context.parameter("rows").flatMap { Int($0) } ?? Self.pageSize
    var limit = 0
    let items: [ItemSnapshot]
    var pinned: [ItemSnapshot] = []
    let showsPins = try showsPins
    do {
      var condition = view.condition
      if showsPins {
        pinned = try reader.find(
          list.entity, where: Self.both(condition, "self.pinned"), sort: view.order,
          limit: Self.largestPage)
        condition = Self.both(condition, "!self.pinned")
      }
      // Those that are pinned are among the rows that a page had.
      limit = min(max(wanted - pinned.count, Self.pageSize), Self.largestPage)
      items = try reader.find(
        list.entity, matching: view.words, where: condition, sort: view.order,
        limit: limit + 1, after: view.after)
    } catch {
      if view.filter == nil && view.words == nil { throw error }
      return """
        <div class="notice bad in-pad" role="alert">\(HTML.icon("alert"))<p>\(Self.sentence(error))</p></div>
        """
    }
    let page = items.prefix(limit)
    if view.after != nil { pinned = [] }
    guard !page.isEmpty || !pinned.isEmpty else {
      if let words = view.words { return Self.empty("Nothing has “\(words)”.", icon: "search") }
      return Self.empty(
        view.filter == nil ? list.empty : "Nothing fits this filter.", icon: list.icon)
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
    var groups: [(title: String?, rows: [HTML])] = []
    if !pinned.isEmpty {
      groups.append(("Pinned", pinned.map { row($0, isOpen: $0.reference == open) }))
    }
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
      groups[groups.count - 1].rows.append(row(item, isOpen: item.reference == open))
    }
    let parts: [HTML] = groups.map { title, rows in
      "\(title.map { "<h2 class=\"group\">\($0)</h2>" as HTML })<ol class=\"rows\">\n\(rows)</ol>"
    }
    return "<section class=\"chunk\">\(parts)</section>\(next)"
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
  private func row(_ item: ItemSnapshot, isOpen: Bool) -> HTML {
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
    let lead: HTML
    if view.isSelecting {
      lead =
        "<input class=\"box\" type=\"checkbox\" form=\"bulk\" name=\"item\" value=\"\(item.reference)\" aria-label=\"\(item.title.prefix(100))\">"
    } else if item.entity == "Task" {
      lead = circle(of: item, back: view.place)
    } else {
      lead =
        "<span class=\"tile k\(Self.hue(item))\" aria-hidden=\"true\">\(Self.letter(item))</span>"
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
      <li class="row\(isOpen ? " on" : "")\(item["done"] == true ? " calm" : "")\(buttons == nil ? "" : " act")" data-item="\(path)">\(lead)<div>\
      <a class="title" dir="auto" href="\(path)\(query)"\(isOpen ? " aria-current=\"true\"" : "" as HTML)>\(item.shownTitle.prefix(300))</a>\
      \(summary.markup.isEmpty ? "" : "<p class=\"sum\" dir=\"auto\">\(summary)</p>" as HTML)\
      \(meta)</div>\(end)</li>

      """
  }
}
