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
    let body: HTML = """
      <body class="app \(kind)">
      <a class="skip" href="#list">Skip to the list</a>
      \(try sidebar(current))
      \(panes)
      <nav class="tabs" aria-label="Areas">\
      \(tab("Library", "mark", "/", current))\(tab("Tasks", "task", "/list/Task", current))\
      \(tab("Gallery", "bolt", "/gallery", current))\(tab("Activity", "activity", "/activity", current))</nav>
      \(toast)</body>
      """
    return .page(status: status, Self.document(title: title, body))
  }

  private func tab(_ name: String, _ icon: String, _ path: String, _ current: String) -> HTML {
    "<a href=\"\(path)\"\(mark(path == current))>\(HTML.icon(icon))\(name)</a>"
  }

  private func mark(_ isCurrent: Bool) -> HTML { isCurrent ? " aria-current=\"page\"" : "" }

  private func sidebar(_ current: String) throws -> HTML {
    func entry(_ list: ItemList) throws -> HTML {
      let count = try reader.count(list.entity, where: list.condition)
      return """
        <a href="\(list.path)"\(mark(list.path == current))>\(HTML.icon(list.icon))\
        <span>\(list.title)</span>\(count > 0 ? "<span class=\"n\">\(Self.grouped(count))</span>" : "" as HTML)</a>

        """
    }
    return """
      <nav class="side" id="side" aria-label="Library">
      <div class="head">\(HTML.icon("mark"))<span class="h1 grow">Errand</span>\
      <a class="ib only-narrow" href="#" aria-label="Close the sidebar">\(HTML.icon("close"))</a></div>
      <form class="search" role="search" action="/list/links"><label class="sr" for="ask">Search</label>\
      \(HTML.icon("search"))<input class="in" id="ask" name="q" placeholder="Search"><kbd>/</kbd></form>
      <div class="nav">
      <h2>Library</h2>
      \(try ItemList.library.map(entry))<h2>Pages</h2>
      \(try ItemList.pages.map(entry))<h2>Yours</h2>
      \(try ItemList.entities(in: errand).map(entry))</div>
      <div class="nav foot"><a href="/gallery"\(mark(current == "/gallery"))>\(HTML.icon("bolt"))<span>Gallery</span></a>
      <a href="/activity"\(mark(current == "/activity"))>\(HTML.icon("activity"))<span>Activity</span></a></div>
      </nav>
      """
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
