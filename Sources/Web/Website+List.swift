import ErrandKit

extension Website {
  /// The number of rows of a page.
  private static let pageSize = 50

  /// The page of a list, with search and its next page.
  func list(_ list: ItemList) throws -> Reply {
    let words = request.parameter("q")
    let items = try reader.find(
      list.entity, matching: words, where: list.condition, limit: Self.pageSize + 1,
      after: request.parameter("after"))
    let page = items.prefix(Self.pageSize)
    let total = try words == nil ? reader.count(list.entity, where: list.condition) : nil
    var next: HTML?
    if items.count > page.count, let last = page.last {
      let query =
        "after=\(last.reference.pathEncoded)" + (words.map { "&q=\($0.pathEncoded)" } ?? "")
      next = "<p class=\"group\"><a href=\"\(list.path)?\(query)\">Next \(Self.pageSize)</a></p>"
    }
    let rows: HTML =
      page.isEmpty
      ? Self.empty(words == nil ? list.empty : "Nothing has “\(words ?? "")”.", icon: list.icon)
      : "<ol class=\"rows\">\n\(page.map { row($0) })</ol>\n\(next)"
    return try shell(
      title: list.title, kind: "three", current: list.path,
      """
      <main class="pane list" id="list">
      <div class="head"><a class="ib only-narrow" href="#side" aria-label="Show the sidebar">\
      \(HTML.icon("side"))</a><h1>\(list.title)</h1>\
      \(total.map { "<span class=\"count num\">\(Self.grouped($0))</span>" as HTML })</div>
      <div class="stack tight tools"><form class="search" role="search" action="\(list.path)">\
      <label class="sr" for="q">Search \(list.title)</label>\(HTML.icon("search"))\
      <input class="in" id="q" name="q" type="search" value="\(words ?? "")" placeholder="Words, tag:papers">\
      </form></div>
      \(rows)
      </main>
      <section class="pane detail second" aria-label="Detail">\
      \(Self.empty("Choose an item.", icon: list.icon))</section>
      """)
  }

  private static func empty(_ sentence: String, icon: String) -> HTML {
    "<div class=\"empty\">\(HTML.icon(icon))<p>\(sentence)</p></div>"
  }

  /// The row of an item.
  private func row(_ item: ItemSnapshot) -> HTML {
    let tags = item["tags"]?.array?.compactMap(\.string) ?? []
    let marks: HTML = """
      \(item["favourite"] == true ? HTML.icon("star-on", isSmall: true) : nil)\
      \(Self.time(item["createdAt"]?.string))
      """
    let snippet: [HTML] = item.snippet.map { $0.isMatch ? "<mark>\($0.text)</mark>" : "\($0.text)" }
    let summary: HTML = item.snippet.isEmpty ? "\(item["summary"]?.string ?? "")" : "\(snippet)"
    return """
      <li class="row"><span class="tile k\(Self.hue(item))" aria-hidden="true">\(Self.letter(item))</span>\
      <div><a class="title" dir="auto" href="\(Self.path(item))">\(item.title)</a>\
      \(summary.markup.isEmpty ? "" : "<p class=\"sum\" dir=\"auto\">\(summary)</p>" as HTML)\
      <p class="meta"><span>\(item.subtitle ?? item.reference)</span>\
      \(tags.isEmpty ? nil : "<span class=\"tags\">\(tags.map { Self.tagLink($0) })</span>" as HTML)</p></div>\
      <span class="end">\(marks)</span></li>

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

  /// A moment as a `time` element with its day.
  static func time(_ text: String?) -> HTML? {
    text.map { "<time datetime=\"\($0)\">\($0.prefix(10))</time>" }
  }
}
