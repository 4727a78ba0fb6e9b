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

  /// The plural noun for its records.
  package var recordName: String {
    switch self {
    case .jsonl: "lines"
    case .csv: "rows"
    case .ical: "entries"
    default: "bookmarks"
    }
  }

  /// The names accepted by `--from`, formats and programs, with the formats that each may mean, most likely first.
  private static let programs: KeyValuePairs<String, [ImportFormat]> = [
    "jsonl": [.jsonl], "netscape": [.netscape, .json], "html": [.netscape, .json],
    "opml": [.opml], "csv": [.csv], "json": [.json], "chrome": [.chrome, .netscape],
    "edge": [.chrome, .netscape], "firefox": [.firefox, .json, .netscape],
    "safari": [.safari, .netscape, .json], "delicious": [.netscape, .json],
    "pinboard": [.pinboard, .netscape], "shaarli": [.netscape, .json],
    "pocket": [.csv, .netscape, .json], "instapaper": [.csv, .netscape],
    "raindrop": [.csv, .netscape, .json], "readwise": [.csv, .json], "wallabag": [.json, .csv],
    "omnivore": [.json, .csv], "markdown": [.markdown], "urls": [.urls],
    "chromium": [.chrome, .netscape], "brave": [.chrome, .netscape],
    "vivaldi": [.chrome, .netscape], "opera": [.chrome, .netscape], "md": [.markdown],
    "list": [.urls], "text": [.urls], "xbel": [.xbel], "org": [.org], "rss": [.feed],
    "atom": [.feed], "linkding": [.json, .netscape],
    "ical": [.ical], "ics": [.ical], "calendar": [.ical],
    "buku": [.buku, .netscape, .markdown, .org, .xbel, .feed],
  ]

  /// The names accepted by `--from`.
  package static var names: [String] { programs.map(\.key) }

  /// Returns the formats that a name may mean; nil if the name is unknown.
  static func formats(named name: String) -> [ImportFormat]? {
    programs.first { $0.key == name.lowercased() }?.value
  }
}
