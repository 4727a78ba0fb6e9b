import ErrandKit

extension Website {
  /// The number of rows of a page.
  private static let pageSize = 50

  /// The page of a list, with search and its next page.
  func list(_ list: ItemList) throws -> Reply {
    let beside: HTML = """
      <section class="pane detail second" aria-label="Detail">\
      \(Self.empty("Choose one.", icon: list.icon))</section>
      """
    return try shell(
      title: list.title, kind: "three", current: list.path,
      "<main class=\"pane list\" id=\"list\">\n\(try pane(of: list))</main>\n\(beside)")
  }

  /// The pane of a list.
  ///
  /// - Parameter open: The reference of the item beside it; nil for none.
  func pane(of list: ItemList, open: String? = nil) throws -> HTML {
    let words = request.parameter("q")
    let items = try reader.find(
      list.entity, matching: words, where: list.condition, limit: Self.pageSize + 1,
      after: request.parameter("after"))
    let page = items.prefix(Self.pageSize)
    let total = try words == nil ? reader.count(list.entity, where: list.condition) : nil
    var next: HTML?
    if items.count > page.count, let last = page.last {
      let query = [("q", words), ("after", last.reference)].compactMap { name, value in
        value.map { "\(name)=\($0.pathEncoded)" }
      }.joined(separator: "&")
      next = "<p class=\"group\"><a href=\"\(list.path)?\(query)\">Next \(Self.pageSize)</a></p>"
    }
    let rows: HTML =
      page.isEmpty
      ? Self.empty(words.map { "Nothing has “\($0)”." } ?? list.empty, icon: list.icon)
      : "<ol class=\"rows\">\n\(page.map { row($0, in: list, words, isOpen: $0.reference == open) })</ol>\n\(next)"
    return """
      <div class="head"><a class="ib only-narrow" href="#side" aria-label="Show the sidebar">\
      \(HTML.icon("side"))</a><h1>\(list.title)</h1>\
      \(total.map { "<span class=\"count num\">\(Self.grouped($0))</span>" as HTML })\
      <span class="grow"></span>\
      <a class="ib" href="/new/\(list.entity)" aria-label="Add to \(list.title)">\(HTML.icon("plus"))</a></div>
      <div class="stack tight tools"><form class="search" role="search" action="\(list.path)">\
      <label class="sr" for="q">Search \(list.title)</label>\(HTML.icon("search"))\
      <input class="in" id="q" name="q" type="search" value="\(words ?? "")" placeholder="Words, tag:papers">\
      </form>\(adding(to: list))</div>
      <div id="rows">\(rows)</div>
      """
  }

  static func empty(_ sentence: String, icon: String) -> HTML {
    "<div class=\"empty\">\(HTML.icon(icon))<p>\(sentence)</p></div>"
  }

  /// A line in which one is added by its one needed property.
  private func adding(to list: ItemList) -> HTML? {
    let lines = [
      "Task": ("title", "Add a task"), "Note": ("text", "Add a note"),
      "Link": ("url", "Add an address"),
    ]
    guard let (name, label) = lines[list.entity] else { return nil }
    return """
      <form class="add" method="post" action="/new/\(list.entity)">\(formToken)\
      <input type="hidden" name="back" value="\(list.path)"><label class="sr" for="add">\(label)</label>\
      \(HTML.icon("plus"))<input class="in" id="add" name="\(name)" placeholder="\(label)" required>\
      <button class="b main">Add</button></form>
      """
  }

  /// The row of an item.
  private func row(
    _ item: ItemSnapshot, in list: ItemList, _ words: String?, isOpen: Bool
  ) -> HTML {
    let tags = item["tags"]?.array?.compactMap(\.string) ?? []
    let snippet: [HTML] = item.snippet.map { $0.isMatch ? "<mark>\($0.text)</mark>" : "\($0.text)" }
    let summary: HTML = item.snippet.isEmpty ? "\(item["summary"]?.string ?? "")" : "\(snippet)"
    let query =
      "?list=\(list.path.pathEncoded)" + (words.map { "&q=\($0.pathEncoded)" } ?? "")
    let lead: HTML =
      item.entity == "Task"
      ? action(
        item, "toggle", item["done"] == true ? "Not done" : "Done", back: list.path,
        "<button class=\"done\(item["done"] == true ? " on" : "")\" aria-label=\"\(item.title): \(item["done"] == true ? "not done" : "done")\"></button>"
      )
      : "<span class=\"tile k\(Self.hue(item))\" aria-hidden=\"true\">\(Self.letter(item))</span>"
    return """
      <li class="row\(isOpen ? " on" : "")\(item["done"] == true ? " calm" : "")">\(lead)<div>\
      <a class="title" dir="auto" href="\(Self.path(item))\(query)"\(isOpen ? " aria-current=\"true\"" : "" as HTML)>\(item.title.prefix(300))</a>\
      \(summary.markup.isEmpty ? "" : "<p class=\"sum\" dir=\"auto\">\(summary)</p>" as HTML)\
      <p class="meta"><span>\(item.subtitle ?? item.reference)</span>\
      \(tags.isEmpty ? nil : "<span class=\"tags\">\(tags.map { Self.tagLink($0) })</span>" as HTML)</p></div>\
      <span class="end">\(item["favourite"] == true ? HTML.icon("star-on", isSmall: true) : nil)\
      \(time(item["due"]?.string ?? item["createdAt"]?.string))</span></li>

      """
  }

  static func tagLink(_ tag: String) -> HTML { "<a href=\"/tag/\(tag.pathEncoded)\">\(tag)</a>" }

  static func path(_ item: ItemSnapshot) -> String { "/item/\(item.entity)/\(item.id)" }

  /// The first letter of a link's host, or of the title.
  private static func letter(_ item: ItemSnapshot) -> String {
    let host = item["url"]?.string.flatMap {
      $0.split(separator: "/").dropFirst().first.map(String.init)
    }
    var text = Substring(host ?? item.title)
    if text.hasPrefix("www.") { text = text.dropFirst(4) }
    return text.first { $0.isLetter || $0.isNumber }?.uppercased() ?? "·"
  }

  private static func hue(_ item: ItemSnapshot) -> Int {
    letter(item).unicodeScalars.reduce(0) { $0 + Int($1.value) } % 6 + 1
  }

  private static let months = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
  ]

  /// A day or a moment: the time today, the day this year, else with the year.
  func time(_ text: String?) -> HTML? {
    guard let text = text.map(errand.localTime), let year = Int(text.prefix(4)),
      let month = Int(text.dropFirst(5).prefix(2)),
      let day = Int(text.dropFirst(8).prefix(2)), Self.months.indices.contains(month - 1)
    else { return text.map { "\($0)" } }
    let today = request.today
    let shown =
      text.hasPrefix(today)
      ? (text.count > 10 ? String(text.dropFirst(11).prefix(5)) : "Today")
      : "\(day) \(Self.months[month - 1])" + (today.hasPrefix("\(year)") ? "" : " \(year)")
    return "<time datetime=\"\(text)\">\(shown)</time>"
  }
}
