import Calendars
package import Items

/// An export format.
package enum ExportFormat: String, CaseIterable, Sendable {
  case jsonl, netscape, csv, markdown, opml, ical

  /// Whether it is meant for other programs and people, so that private items are excluded.
  package var isForOthers: Bool { self != .jsonl }

  /// Returns the entities whose items the format can hold; a bookmark needs an
  /// address, an entry of a calendar a day.
  package func holdable(_ entities: [String], _ context: ExchangeContext) throws -> [String] {
    if self == .jsonl || self == .csv { return entities }
    if self == .ical { return try entities.filter { try context.schema($0).occurrence != nil } }
    return try entities.filter { try BookmarkForm.address(in: context.schema($0)) != nil }
  }

  /// Creates a writer for items of some entities.
  ///
  /// - Throws: Errors in the definition of an entity.
  package func writer(_ context: ExchangeContext, entities: [String]) throws -> ItemWriter {
    let writer = ExportWriter(context)
    switch self {
    case .jsonl: return ItemWriter(text: writer.line(of:))
    case .csv:
      let table = CSVTableWriter(writer, schemas: try entities.map(context.schema))
      return ItemWriter(beginning: table.names, text: table.row(of:))
    case .ical:
      let mapping = CalendarMapping(zone: context.zone(), holidays: context.holidays() ?? .none)
      var zones: Set<String> = []
      return ItemWriter(
        beginning: CalendarObject.beginning(), ending: CalendarObject.ending,
        text: { item in
          mapping.object(of: item).map { $0.text(declaring: &zones) } ?? ""
        })
    case .netscape:
      return ItemWriter(
        beginning: """
          <!DOCTYPE NETSCAPE-Bookmark-file-1>
          <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
          <TITLE>Bookmarks</TITLE>
          <H1>Bookmarks</H1>
          <DL><p>

          """, ending: "</DL><p>\n", text: { try BookmarkForm($0, writer).netscape() })
    case .markdown:
      return ItemWriter(
        beginning: "# Bookmarks\n\n", text: { try BookmarkForm($0, writer).markdown() })
    case .opml:
      return ItemWriter(
        beginning: """
          <?xml version="1.0" encoding="UTF-8"?>
          <opml version="2.0" xmlns:errand="https://errand.localhost/opml">
            <head><title>Bookmarks</title></head>
            <body>

          """, ending: "  </body>\n</opml>\n", text: { try BookmarkForm($0, writer).opml() })
    }
  }
}

/// Formats items as texts to be concatenated.
package struct ItemWriter {
  /// The text before the items.
  package var beginning = ""
  /// The text after the items.
  package var ending = ""
  /// Returns the text of an item.
  package let text: (Item) throws -> String
}
