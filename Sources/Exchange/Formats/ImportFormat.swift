/// A format that items can come in.
package enum ImportFormat: String, CaseIterable, Sendable {
  /// An item a line, as an export of ours has it.
  case jsonl
  /// Bookmark files in HTML.
  case netscape
  case opml, csv, json
  /// The file `Bookmarks` in a profile of Chrome or one of its kin.
  case chrome
  /// The database `places.sqlite` in a profile of Firefox.
  case firefox
  case pinboard
  case markdown
  /// Lists of addresses.
  case urls

  /// What its records are called.
  package var recordName: String {
    switch self {
    case .jsonl: "lines"
    case .csv: "rows"
    default: "bookmarks"
    }
  }

  /// The names that `--from` knows, formats and programs that write them, with the formats that each
  /// may mean, the likeliest first.
  private static let programs: KeyValuePairs<String, [ImportFormat]> = [
    "jsonl": [.jsonl], "netscape": [.netscape, .json], "html": [.netscape, .json],
    "opml": [.opml], "csv": [.csv], "json": [.json], "chrome": [.chrome, .netscape],
    "edge": [.chrome, .netscape], "firefox": [.firefox, .json, .netscape],
    "safari": [.netscape, .json], "delicious": [.netscape, .json],
    "pinboard": [.pinboard, .netscape], "shaarli": [.netscape, .json],
    "pocket": [.csv, .netscape, .json], "instapaper": [.csv, .netscape],
    "raindrop": [.csv, .netscape, .json], "readwise": [.csv, .json], "wallabag": [.json, .csv],
    "omnivore": [.json, .csv], "markdown": [.markdown], "urls": [.urls],
    "chromium": [.chrome, .netscape], "brave": [.chrome, .netscape],
    "vivaldi": [.chrome, .netscape], "opera": [.chrome, .netscape], "md": [.markdown],
    "list": [.urls], "text": [.urls],
  ]

  /// The names that `--from` knows.
  package static var names: [String] { programs.map(\.key) }

  /// The formats that a name of `--from` may mean; nil for no name.
  static func formats(named name: String) -> [ImportFormat]? {
    programs.first { $0.key == name.lowercased() }?.value
  }
}
