/// An import format.
package enum ImportFormat: String, CaseIterable, Sendable {
  /// One item per line, as in our own export.
  case jsonl
  /// Bookmark files in HTML.
  case netscape
  case opml, csv, json
  /// The file `Bookmarks` in a profile of Chrome or a related browser.
  case chrome
  /// The database `places.sqlite` in a profile of Firefox.
  case firefox
  case pinboard
  case markdown
  /// Lists of addresses.
  case urls
  case xbel, org
  /// RSS and Atom.
  case feed
  /// Safari's property list `Bookmarks.plist`.
  case safari
  /// The database of buku.
  case buku
  /// Events and tasks in calendars.
  case ical
  /// todo.txt, one task a line.
  case todotxt
  /// Taskwarrior's JSON, files and database.
  case taskwarrior
  /// Todoist's tables.
  case todoist
  /// Google Tasks and Keep as Takeout has them.
  case googletasks, keep
  case evernote
  /// A Markdown file that is one note, with properties.
  case note
  /// Readwise's table of highlights, and Kindle's clippings.
  case highlights, kindle
  /// A file that is one link: `.url`, `.desktop`, `.webloc`.
  case link
  /// Delicious' XML.
  case posts
  /// The open tabs of browsers.
  case tabs

  /// The plural noun for its records.
  package var recordName: String {
    switch self {
    case .jsonl: "lines"
    case .csv: "rows"
    case .ical: "entries"
    case .todotxt, .taskwarrior, .todoist, .googletasks: "tasks"
    case .keep, .evernote, .note, .highlights, .kindle: "records"
    case .tabs: "tabs"
    default: "bookmarks"
    }
  }

  /// The names accepted by `--from`, formats and programs, with the formats that each may mean, most likely first.
  private static let programs: KeyValuePairs<String, [ImportFormat]> = [
    "jsonl": [.jsonl], "netscape": [.netscape, .json], "html": [.netscape, .json],
    "opml": [.opml], "csv": [.csv], "json": [.json], "chrome": [.chrome, .netscape],
    "edge": [.chrome, .netscape], "firefox": [.firefox, .json, .netscape],
    "safari": [.safari, .netscape, .json], "delicious": [.posts, .netscape, .json],
    "pinboard": [.pinboard, .netscape], "shaarli": [.netscape, .json],
    "pocket": [.csv, .netscape, .json], "instapaper": [.csv, .netscape],
    "raindrop": [.csv, .netscape, .json], "readwise": [.highlights, .csv, .json],
    "wallabag": [.json, .csv],
    "omnivore": [.json, .csv], "markdown": [.markdown], "urls": [.urls],
    "chromium": [.chrome, .netscape], "brave": [.chrome, .netscape],
    "vivaldi": [.chrome, .netscape], "opera": [.chrome, .netscape], "md": [.markdown],
    "list": [.urls], "text": [.urls], "xbel": [.xbel], "org": [.org], "rss": [.feed],
    "atom": [.feed], "linkding": [.json, .netscape],
    "ical": [.ical], "ics": [.ical], "calendar": [.ical],
    "buku": [.buku, .netscape, .markdown, .org, .xbel, .feed],
    "todo.txt": [.todotxt], "todotxt": [.todotxt], "taskwarrior": [.taskwarrior],
    "todoist": [.todoist], "reminders": [.ical], "google-tasks": [.googletasks],
    "keep": [.keep], "evernote": [.evernote], "enex": [.evernote], "obsidian": [.note],
    "notion": [.note], "note": [.note], "kindle": [.kindle], "url": [.link], "webloc": [.link],
    "desktop": [.link], "session-buddy": [.tabs], "tabs": [.tabs], "onetab": [.urls],
  ]

  /// The names accepted by `--from`.
  package static var names: [String] { programs.map(\.key) }

  /// Returns the formats that a name may mean; nil if the name is unknown.
  static func formats(named name: String) -> [ImportFormat]? {
    programs.first { $0.key == name.lowercased() }?.value
  }
}
