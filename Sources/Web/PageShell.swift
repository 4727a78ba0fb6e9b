import ErrandKit

extension PagePart {
  /// The page of a view: its panes within the shell.
  ///
  /// - Parameters:
  ///   - kind: The class of the layout: `three`, `pair` or `wide`.
  ///   - current: The path of the current list.
  func shell(
    title: String, kind: String, current: String, status: Int = 200, _ panes: HTML
  ) throws -> Reply {
    try PageShell(context: context, current: current)
      .reply(title: title, kind: kind, status: status, panes)
  }

  /// A page below the gallery, with the way back to it.
  ///
  /// - Parameter isWide: Whether the content has columns of its own.
  func galleryPage(
    _ title: String, status: Int = 200, isWide: Bool = false, _ content: HTML
  ) throws -> Reply {
    try shell(
      title: title, kind: "wide", current: "/gallery", status: status,
      """
      <main class="pane" id="list"><div class="head"><a class="ib" href="/gallery" aria-label="Back to the gallery">\
      \(HTML.icon("left flip"))</a><h1>\(title)</h1></div>
      <div class="in-pad stack\(isWide ? "" : " measure mid")">\(content)</div></main>
      """)
  }

  /// The forced appearance; empty to do as the system does.
  var theme: String {
    let value = errand.settings.first { $0.name == "theme" }?.value ?? ""
    return value == "auto" ? "" : value
  }

  fileprivate func mark(_ isCurrent: Bool) -> HTML { isCurrent ? " aria-current=\"page\"" : "" }

  /// The link to a tag, in its colour.
  func tag(
    _ tag: String, _ name: String, _ counts: [String: Int], _ current: String,
    _ colours: TagColours
  ) -> HTML {
    let path = ItemList.tag(tag).path
    let colour = colours[tag].map { " \(Self.class(ofColour: $0))" }
    return """
      <a class="tag\(colour ?? "")" data-tag="\(tag)" href="\(path)"\(mark(path == current))>\(HTML.icon("number", isSmall: true))<span dir="auto">\(name)</span>\
      \(counts[tag].map { "<span class=\"n\">\(Self.grouped($0))</span>" as HTML })</a>

      """
  }

  /// A tag with those below it.
  ///
  /// - Parameter limit: The number of tags shown below one, the most used; nil for all.
  func branch(
    _ node: TagNode, _ counts: [String: Int], _ current: String, _ colours: TagColours,
    limit: Int? = nil
  ) -> HTML {
    let link = tag(node.tag, node.name, counts, current, colours)
    if node.children.isEmpty { return link }
    func path(_ node: TagNode) -> String { ItemList.tag(node.tag).path }
    let isOpen = current.hasPrefix(path(node))
    var shown = node.children
    var rest: HTML?
    if let limit, shown.count > limit {
      // The one where the person is stays among them.
      shown = shown.sorted {
        (path($0) == current ? Int.max : counts[$0.tag] ?? 0, $1.name)
          > (path($1) == current ? Int.max : counts[$1.tag] ?? 0, $0.name)
      }.prefix(limit).sorted { $0.name < $1.name }
      rest = """
        <a href="/tags?q=\(node.tag.pathEncoded)">\(HTML.icon("more", isSmall: true))<span>\(Self.grouped(node.children.count - limit)) more</span></a>
        """
    }
    return """
      <details\(isOpen ? " open" : "" as HTML)><summary>\(HTML.icon("right flip", isSmall: true))<span dir="auto">\(node.name)</span></summary>\
      \(link)\(shown.map { branch($0, counts, current, colours, limit: limit) })\(rest)</details>

      """
  }

  /// The pill that tells how many activities go on; nothing if none does.
  func pill() -> HTML {
    let count = errand.activities.filter { $0["ended"] == .null || $0["ended"] == nil }.count
    return """
      <span id="pill">\(count == 0 ? nil : """
        <a class="pill" href="/activity"><svg class="ring" viewBox="0 0 16 16" aria-hidden="true"><circle cx="8" cy="8" r="6"/>\
        <circle cx="8" cy="8" r="6" pathLength="100" stroke-dasharray="\(progress()) 100"/></svg>\
        <span class="sr">Going on: </span>\(count)</a>
        """ as HTML)</span>
      """
  }

  /// The progress of all activities, in percent.
  private func progress() -> Int {
    let parts = errand.activities.compactMap { activity -> Double? in
      if case .double(let part) = activity["fraction"] { part } else { nil }
    }
    let sum: Double = parts.reduce(0, +)
    return parts.isEmpty ? 30 : Int(sum / Double(parts.count) * 100)
  }

  /// A number with commas between thousands.
  static func grouped(_ number: Int) -> String {
    var digits = Array(String(number))
    var index = digits.count - 3
    while index > 0 {
      digits.insert(",", at: index)
      index -= 3
    }
    return String(digits)
  }
}

/// The frame of each page: sidebar, panes and the areas of a phone.
///
/// A type of its own, so that the optimiser makes it once and not for each page.
struct PageShell: PagePart {
  let context: PageContext
  /// The path of the current list.
  let current: String

  func reply(title: String, kind: String, status: Int, _ panes: HTML) throws -> Reply {
    memory.renew(for: errand)
    let body: HTML = """
      <body class="app \(kind)" data-form="\(context.token)">
      <a class="skip" href="#list">Skip to the list</a>
      \(try sidebar())
      \(panes)
      <nav class="tabs" aria-label="Areas">\
      \(tab("Library", icon: "mark", path: "/"))\(tab("Tasks", icon: "task", path: "/list/Task"))\
      \(tab("Gallery", icon: "bolt", path: "/gallery"))\(tab("Activity", icon: "activity", path: "/activity"))</nav>
      <div class="toasts" id="toasts">\(toast)</div></body>
      """
    return .page(status: status, PageContext.document(title: title, theme: theme, body))
  }

  private func tab(_ name: String, icon: String, path: String) -> HTML {
    "<a href=\"\(path)\"\(mark(path == current))>\(HTML.icon(icon))\(name)</a>"
  }

  private func entry(
    _ title: String, icon: String, path: String, count: Int = 0
  ) -> HTML {
    """
    <a href="\(path)"\(mark(path == current))>\(HTML.icon(icon))<span dir="auto">\(title)</span>\
    \(count > 0 ? "<span class=\"n\">\(Self.grouped(count))</span>" : "" as HTML)</a>

    """
  }

  private func sidebar() throws -> HTML {
    func entry(_ list: ItemList) throws -> HTML {
      self.entry(
        list.title, icon: list.icon, path: list.path, count: try memory.count(list, reader))
    }
    let smart: [HTML] = SmartLists(errand).entries.map { list in
      let view = ListView(address: list.path, in: errand)
      // The condition of a list may be one of an entity that has changed since.
      let count = view.flatMap { try? memory.count($0, reader) }
      return self.entry(list.title, icon: "smart", path: list.path, count: count ?? 0)
    }
    let waiting = (try? reader.shares().count) ?? 0
    return """
      <nav class="side" id="side" aria-label="Library">
      <div class="head">\(HTML.icon("mark"))<span class="h1 grow">Errand</span>\
      <a class="ib only-narrow" href="#closed" aria-label="Close the sidebar">\(HTML.icon("close"))</a>\
      <a class="ib only-wide" href="/new/Link" aria-label="Add">\(HTML.icon("plus"))</a></div>
      <form class="search" role="search" action="/list/links"><label class="sr" for="ask">Search</label>\
      \(HTML.icon("search"))<input class="in" id="ask" name="q" placeholder="Search"><kbd>/</kbd></form>
      <div class="nav" id="nav" data-badge="\((try? memory.dueTasks(reader, context.today)) ?? 0)">
      <h2>Library</h2>
      \(self.entry("Inbox", icon: "inbox", path: "/inbox", count: waiting))\(try entry(.shared))\(try ItemList.library.map(entry))<h2>Pages</h2>
      \(try ItemList.pages.map(entry))<h2>Yours</h2>
      \(self.entry("Calendar", icon: "calendar", path: CalendarPane.today))\(try ItemList.entities(in: errand).map(entry))\(smart.isEmpty ? nil : "<h2>Smart lists</h2>\(smart)" as HTML)\
      \(try tagTree())</div>
      <div class="nav foot">\(self.entry("Gallery", icon: "bolt", path: "/gallery"))\
      \(self.entry("Widgets", icon: "grid", path: "/widgets"))\
      \(self.entry("Activity", icon: "activity", path: "/activity", count: errand.activities.count))\
      \(self.entry("Settings", icon: "settings", path: "/settings"))</div>
      </nav>
      """
  }

  /// The number of trees that the sidebar shows.
  private static var shownTags: Int { 24 }
  /// The number of tags shown below another.
  private static var shownBelow: Int { 8 }

  /// The most used tags in the sidebar, as trees.
  private func tagTree() throws -> HTML? {
    let (forest, counts) = try memory.tags(reader)
    guard !forest.isEmpty else { return nil }
    func total(_ node: TagNode) -> Int {
      (counts[node.tag] ?? 0) + node.children.reduce(0) { $0 + total($1) }
    }
    let shown = forest.map { (node: $0, total: total($0)) }
      .sorted { ($1.total, $0.node.name) < ($0.total, $1.node.name) }.prefix(Self.shownTags)
      .sorted { $0.node.name < $1.node.name }
    let rest = forest.count - shown.count
    let colours = TagColours(in: errand.places?.data)
    return """
      <h2>Tags</h2>
      \(shown.map { branch($0.node, counts, current, colours, limit: Self.shownBelow) })<a href="/tags">\(HTML.icon("more", isSmall: true))\
      <span>\(rest > 0 ? "\(Self.grouped(rest)) more" : "All tags")</span></a>
      """
  }
}
