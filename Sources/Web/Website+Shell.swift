import ErrandKit

extension Website {
  /// The page of a view: sidebar, panes and the areas of a phone.
  ///
  /// - Parameters:
  ///   - kind: The class of the layout: `three`, `pair` or `wide`.
  ///   - current: The path of the current list.
  func shell(
    title: String, kind: String, current: String, status: Int = 200, _ panes: HTML
  ) throws -> Reply {
    memory.renew(for: errand)
    let body: HTML = """
      <body class="app \(kind)" data-form="\(request.token)">
      <a class="skip" href="#list">Skip to the list</a>
      \(try sidebar(current))
      \(panes)
      <nav class="tabs" aria-label="Areas">\
      \(tab("Library", "mark", "/", current))\(tab("Tasks", "task", "/list/Task", current))\
      \(tab("Gallery", "bolt", "/gallery", current))\(tab("Activity", "activity", "/activity", current))</nav>
      <div class="toasts" id="toasts">\(toast)</div></body>
      """
    return .page(status: status, Self.document(title: title, theme: theme, body))
  }

  private func tab(_ name: String, _ icon: String, _ path: String, _ current: String) -> HTML {
    "<a href=\"\(path)\"\(mark(path == current))>\(HTML.icon(icon))\(name)</a>"
  }

  private func mark(_ isCurrent: Bool) -> HTML { isCurrent ? " aria-current=\"page\"" : "" }

  private func entry(
    _ title: String, _ icon: String, _ path: String, _ count: Int, _ current: String
  ) -> HTML {
    """
    <a href="\(path)"\(mark(path == current))>\(HTML.icon(icon))<span dir="auto">\(title)</span>\
    \(count > 0 ? "<span class=\"n\">\(Self.grouped(count))</span>" : "" as HTML)</a>

    """
  }

  private func sidebar(_ current: String) throws -> HTML {
    func entry(_ list: ItemList) throws -> HTML {
      self.entry(list.title, list.icon, list.path, try memory.count(list, reader), current)
    }
    let smart: [HTML] = SmartLists(errand).entries.map {
      self.entry($0.title, "smart", $0.path, 0, current)
    }
    let waiting = (try? reader.shares().count) ?? 0
    return """
      <nav class="side" id="side" aria-label="Library">
      <div class="head">\(HTML.icon("mark"))<span class="h1 grow">Errand</span>\
      <a class="ib only-narrow" href="#closed" aria-label="Close the sidebar">\(HTML.icon("close"))</a>\
      <a class="ib only-wide" href="/new/Link" aria-label="Add">\(HTML.icon("plus"))</a></div>
      <form class="search" role="search" action="/list/links"><label class="sr" for="ask">Search</label>\
      \(HTML.icon("search"))<input class="in" id="ask" name="q" placeholder="Search"><kbd>/</kbd></form>
      <div class="nav" id="nav">
      <h2>Library</h2>
      \(self.entry("Inbox", "inbox", "/inbox", waiting, current))\(try entry(.shared))\(try ItemList.library.map(entry))<h2>Pages</h2>
      \(try ItemList.pages.map(entry))<h2>Yours</h2>
      \(try ItemList.entities(in: errand).map(entry))\(smart.isEmpty ? nil : "<h2>Smart lists</h2>\(smart)" as HTML)\
      \(try tagTree(current))</div>
      <div class="nav foot">\(self.entry("Gallery", "bolt", "/gallery", 0, current))\
      \(self.entry("Widgets", "grid", "/widgets", 0, current))\
      \(self.entry("Activity", "activity", "/activity", errand.activities.count, current))\
      \(self.entry("Settings", "settings", "/settings", 0, current))</div>
      </nav>
      """
  }

  // MARK: Tags

  /// The number of trees that the sidebar shows.
  private static let shownTags = 24

  /// The most used tags in the sidebar, as trees.
  private func tagTree(_ current: String) throws -> HTML? {
    let (forest, counts) = try memory.tags(reader)
    guard !forest.isEmpty else { return nil }
    func total(_ node: TagNode) -> Int {
      (counts[node.tag] ?? 0) + node.children.reduce(0) { $0 + total($1) }
    }
    let shown = forest.map { (node: $0, total: total($0)) }
      .sorted { ($1.total, $0.node.name) < ($0.total, $1.node.name) }.prefix(Self.shownTags)
      .sorted { $0.node.name < $1.node.name }
    let rest = forest.count - shown.count
    return """
      <h2>Tags</h2>
      \(shown.map { branch($0.node, counts, current) })\(rest > 0 ? "<a href=\"/tags\">\(HTML.icon("more", isSmall: true))<span>\(Self.grouped(rest)) more</span></a>" as HTML : nil)
      """
  }

  private func branch(_ node: TagNode, _ counts: [String: Int], _ current: String) -> HTML {
    let path = "/tag/" + node.tag.pathEncoded
    let link: HTML = """
      <a href="\(path)"\(mark(path == current))>\(HTML.icon("number", isSmall: true))<span dir="auto">\(node.name)</span>\
      \(counts[node.tag].map { "<span class=\"n\">\(Self.grouped($0))</span>" as HTML })</a>

      """
    if node.children.isEmpty { return link }
    let isOpen = current.hasPrefix(path)
    return """
      <details\(isOpen ? " open" : "" as HTML)><summary>\(HTML.icon("right flip", isSmall: true))<span dir="auto">\(node.name)</span></summary>\
      \(link)\(node.children.map { branch($0, counts, current) })</details>

      """
  }

  /// The number of trees on the page of tags.
  private static let listedTags = 1_000

  /// The page of tags, the most used ones of many.
  func tags() throws -> Reply {
    memory.renew(for: errand)
    let (all, counts) = try memory.tags(reader)
    let forest =
      all.count <= Self.listedTags
      ? all
      : all.sorted {
        ($1.children.count + (counts[$1.tag] ?? 0), $0.name) < (
          $0.children.count + (counts[$0.tag] ?? 0), $1.name
        )
      }
      .prefix(Self.listedTags).sorted { $0.name < $1.name }
    return try shell(
      title: "Tags", kind: "wide", current: "/tags",
      """
      <main class="pane" id="list"><div class="head"><a class="ib only-narrow" href="#side" aria-label="Show the sidebar">\
      \(HTML.icon("side"))</a><h1>Tags</h1><span class="count num">\(Self.grouped(counts.count))</span></div>
      <div class="nav in-pad columns">\(forest.map { branch($0, counts, "") })</div></main>
      """)
  }

  /// The names of tags that start with a text, most used first, as options.
  func tagNames() throws -> Reply {
    memory.renew(for: errand)
    let start = (request.parameter("q") ?? "").lowercased()
    let counts = try memory.tags(reader).counts
    let found = counts.filter { start.isEmpty || $0.key.lowercased().contains(start) }
      .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(8)
    return .json(
      .array(found.map { ["tag": .string($0.key), "count": .int(Int64($0.value))] }))
  }

  /// The items of an entity that words find, for fields that refer to one.
  func references() throws -> Reply {
    guard let entity = request.parameter("entity") else { throw Self.missing("references") }
    let items = try reader.find(entity, matching: request.parameter("q"), limit: 8)
    return .json(
      .array(
        items.map { ["reference": .string($0.reference), "title": .string($0.title)] }))
  }

  // MARK: Activities

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
