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

  /// The names that `--from` knows: formats, and programs that write them.
  package static let names = [
    "jsonl", "netscape", "html", "opml", "csv", "json", "chrome", "edge", "firefox", "safari",
    "delicious", "pinboard", "shaarli", "pocket", "instapaper", "raindrop", "readwise", "wallabag",
    "omnivore", "markdown", "urls",
  ]

  /// The formats that a name of `--from` may mean, the likeliest first; nil for no name.
  static func formats(named name: String) -> [ImportFormat]? {
    switch name.lowercased() {
    case "html", "netscape", "safari", "shaarli", "delicious": [.netscape, .json]
    case "chrome", "chromium", "edge", "brave", "vivaldi", "opera": [.chrome, .netscape]
    case "firefox": [.firefox, .json, .netscape]
    case "pocket": [.csv, .netscape, .json]
    case "pinboard": [.pinboard, .netscape]
    case "instapaper": [.csv, .netscape]
    case "raindrop": [.csv, .netscape, .json]
    case "readwise": [.csv, .json]
    case "wallabag", "omnivore": [.json, .csv]
    case "markdown", "md": [.markdown]
    case "urls", "list", "text": [.urls]
    default: ImportFormat(rawValue: name.lowercased()).map { [$0] }
    }
  }
}
