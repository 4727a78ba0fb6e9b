import CEL
import Items

/// Items as outlines in OPML 2.0.
struct OPMLWriter: ItemWriter {
  private let writer: ExportWriter

  init(_ writer: ExportWriter) {
    self.writer = writer
  }

  func beginning() -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <opml version="2.0" xmlns:errand="https://errand.localhost/opml">
      <head><title>Bookmarks</title></head>
      <body>

    """
  }

  func text(of item: Item) throws -> String {
    let form = BookmarkForm(item, writer)
    var bookmark = Bookmark(number: 0)
    bookmark.url = form.url
    bookmark.title = form.title
    bookmark.notes = [form.summary]
    bookmark.tags = TagList.tags(form.tags.joined(separator: ","), .commas)
    bookmark.created = form.createdAt.flatMap(MailDate.text) ?? ""
    let title = ForeignText.line(form.title)
    let attributes = [
      ("text", title.isEmpty ? form.url : title), ("type", "link"), ("url", form.url),
      ("created", bookmark.created), ("category", form.tags.joined(separator: ",")),
      ("description", ForeignText.paragraph(form.summary)),
      ("errand:rest", try form.rest(beyond: bookmark)),
    ]
    var text = "    <outline"
    for (name, value) in attributes where !value.isEmpty {
      text += " \(name)=\"\(value.escapedMarkup())\""
    }
    return text + "/>\n"
  }

  func ending() -> String { "  </body>\n</opml>\n" }
}
