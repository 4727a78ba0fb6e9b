import ErrandKit

/// The page with the text of a link, to read calmly.
struct ReaderPage: Page {
  let context: PageContext

  func render() throws -> Reply {
    let item = try item()
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

  private static func paragraphs(_ text: String) -> [HTML] {
    text.split(separator: "\n\n").map { "<p dir=\"auto\">\($0)</p>" }
  }
}
