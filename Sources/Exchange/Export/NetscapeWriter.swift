import Items

/// Items as a bookmark file that every browser takes in.
struct NetscapeWriter: ItemWriter {
  private let writer: ExportWriter

  init(_ writer: ExportWriter) {
    self.writer = writer
  }

  func beginning() -> String {
    """
    <!DOCTYPE NETSCAPE-Bookmark-file-1>
    <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
    <TITLE>Bookmarks</TITLE>
    <H1>Bookmarks</H1>
    <DL><p>

    """
  }

  func text(of item: Item) throws -> String {
    let form = BookmarkForm(item, writer)
    var bookmark = Bookmark(number: 0)
    bookmark.url = form.url
    bookmark.title = form.title
    bookmark.notes = [form.summary]
    bookmark.tags = TagList.tags(form.tags.joined(separator: ","), .commas)
    bookmark.created = BookmarkForm.seconds(form.createdAt)
    bookmark.updated = BookmarkForm.seconds(form.updatedAt)
    let attributes = [
      ("HREF", form.url), ("ADD_DATE", bookmark.created), ("LAST_MODIFIED", bookmark.updated),
      ("TAGS", form.tags.joined(separator: ",")), ("DATA-ERRAND", try form.rest(beyond: bookmark)),
    ]
    var text = "    <DT><A"
    for (name, value) in attributes where !value.isEmpty {
      text += " \(name)=\"\(value.escapedMarkup())\""
    }
    let title = ForeignText.line(form.title)
    text += ">\((title.isEmpty ? form.url : title).escapedMarkup())</A>\n"
    let note = ForeignText.paragraph(form.summary)
    if !note.isEmpty { text += "    <DD>\(note.escapedMarkup(isAttribute: false))\n" }
    return text
  }

  func ending() -> String { "</DL><p>\n" }
}
