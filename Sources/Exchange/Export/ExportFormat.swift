import CEL
import Calendars
package import Items

/// An export format.
package enum ExportFormat: String, CaseIterable, Sendable {
  case jsonl, netscape, csv, markdown, opml, ical, taskwarrior
  case todotxt = "todo.txt"
  /// A page, and a feed, for other people.
  case page, atom

  /// Whether it is meant for other programs and people, so that private items are excluded.
  package var isForOthers: Bool { self != .jsonl }

  /// Whether the newest items come first, as people read them.
  package var isNewestFirst: Bool { self == .page || self == .atom }

  /// The noun for what an item must have in the format; nil if all items have it.
  package var need: String? {
    switch self {
    case .jsonl, .csv: nil
    case .ical: "day"
    case .todotxt, .taskwarrior: "place in a list of tasks"
    case .netscape, .markdown, .opml, .page, .atom: "URL"
    }
  }

  /// Returns the entities whose items the format can hold; a bookmark needs an
  /// address, an entry of a calendar a day.
  package func holdable(_ entities: [String], _ context: ExchangeContext) throws -> [String] {
    switch self {
    case .jsonl, .csv: entities
    case .ical: try entities.filter { try context.schema($0).occurrence != nil }
    case .todotxt, .taskwarrior: entities.filter { $0 == "Task" }
    case .netscape, .markdown, .opml, .page, .atom:
      try entities.filter { try BookmarkForm.address(in: context.schema($0)) != nil }
    }
  }

  /// Creates a writer for items of some entities.
  ///
  /// - Parameter inFolders: Whether bookmarks are in folders by their tags.
  /// - Throws: Errors in the definition of an entity.
  package func writer(
    _ context: ExchangeContext, entities: [String], inFolders: Bool = false
  ) throws -> ItemWriter {
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
        beginning: CalendarObject.beginning(), ending: { CalendarObject.ending },
        text: { item in
          mapping.object(of: item).map { $0.text(declaring: &zones) } ?? ""
        })
    case .netscape:
      var folders = BookmarkFolders()
      return ItemWriter(
        beginning: """
          <!DOCTYPE NETSCAPE-Bookmark-file-1>
          <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
          <TITLE>Bookmarks</TITLE>
          <H1>Bookmarks</H1>
          <DL><p>

          """, ending: { folders.netscape + "</DL><p>\n" },
        text: { item in
          let form = BookmarkForm(item, writer)
          guard inFolders else { return try form.netscape() }
          folders.add(try form.netscape(inFolder: true), tags: form.tags)
          return ""
        })
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

          """, ending: { "  </body>\n</opml>\n" }, text: { try BookmarkForm($0, writer).opml() })
    case .todotxt:
      let zone = context.zone()
      return ItemWriter(text: { try TaskForm($0, writer, zone: zone).todoText() })
    case .taskwarrior:
      let zone = context.zone()
      var separator = ""
      return ItemWriter(
        beginning: "[\n", ending: { separator.isEmpty ? "]\n" : "\n]\n" },
        text: { item in
          defer { separator = ",\n" }
          return separator + (try TaskForm(item, writer, zone: zone).taskwarrior())
        })
    case .page:
      return ItemWriter(
        beginning: PublishedItem.pageBeginning, ending: { PublishedItem.pageEnding },
        text: { PublishedItem($0).page })
    case .atom:
      var latest: PublishedItem?
      var oldest: PublishedItem?
      return ItemWriter(
        beginning: PublishedItem.feedBeginning,
        ending: { PublishedItem.feedEnding(oldest: oldest, latest: latest) },
        text: { item in
          let item = PublishedItem(item)
          if latest.map({ $0.updated < item.updated }) ?? true { latest = item }
          oldest = item
          return item.entry
        })
    }
  }
}

/// Formats items as texts to be concatenated.
package struct ItemWriter {
  /// The text before the items.
  package var beginning = ""
  /// Returns the text after the items.
  package var ending: () -> String = { "" }
  /// Returns the text of an item.
  package let text: (Item) throws -> String
}
