import CEL
import Catalog
import Engine
import ErrandKit
import Exchange
import Items
import Program
import Source
import Store

/// `errand export [ENTITY…]`: writes items as JSON Lines or in the formats of other programs,
/// referenced items first.
enum ExportCommand {
  /// Formats by the names that people and other programs give them.
  private static let otherNames = [
    "htm": "netscape", "bookmarks": "netscape", "browser": "netscape",
    "json": "jsonl", "ndjson": "jsonl", "backup": "jsonl", "md": "markdown", "text": "markdown",
    "txt": "markdown", "excel": "csv", "tsv": "csv", "xml": "opml", "rss": "opml", "feeds": "opml",
    "ics": "ical", "calendar": "ical", "icalendar": "ical", "todo": "todo.txt",
    "todotxt": "todo.txt", "task": "taskwarrior", "website": "page", "feed": "atom",
  ]

  static let command = Command(
    "export", "write items for another store or another program", usage: "[ENTITY…]",
    flags: [
      Flag(
        "to", .value(ExportFormat.allCases.map(\.rawValue).joined(separator: "|")),
        "the format; netscape is what browsers read [default jsonl]"),
      Flag("folders", .value("tags|none"), "put bookmarks into folders by tags [default none]"),
      ItemSelection.filterFlag,
      Flag("private", .toggle, "include private links in files for other programs"),
    ],
    serves: [], reads: .always
  ) { invocation, arguments in
    let word = arguments.last("to") ?? ExportFormat.jsonl.rawValue
    let folders = arguments.last("folders") ?? "none"
    guard ["tags", "none"].contains(folders) else {
      throw UsageError("--folders cannot be `\(folders)`", help: "choose tags or none")
    }
    let format = try ExportFormat(rawValue: word == "html" ? "netscape" : word).expected(
      "--to cannot be `\(word)`",
      help: Self.otherNames[word.lowercased()].map { "did you mean `--to \($0)`?" }
        ?? Suggestion.help(for: word, in: ExportFormat.allCases.map(\.rawValue)))
    guard folders == "none" || format == .netscape else {
      throw UsageError("--folders is for bookmark files", help: "add --to netscape")
    }
    let run = try invocation.openRun()
    let console = invocation.console
    if let file = arguments.words.last(where: { $0.contains(".") || $0.contains("/") }) {
      let ending = String(file.split(separator: ".").last ?? "")
      var entities = arguments.words.filter { $0 != file }
      // `tasks.csv` says what is to be in it.
      if entities.isEmpty, let name = file.split(separator: "/").last?.split(separator: ".").first,
        try ItemWords.entityIfNamed(String(name), in: run.catalog) != nil
      {
        entities = [String(name)]
      }
      let form = ExportFormat(rawValue: ending).map { ["--to", $0.rawValue] } ?? []
      throw UsageError(
        "`export` writes to standard output, not to “\(file.shortened)”",
        help: "write \((["errand", "export"] + entities + form).joined(separator: " ")) > "
          + file.quotedForShell)
    }
    let words = arguments.words.flatMap { $0.split(separator: ",").map(String.init) }
    let names = try words.map { try ItemWords.entity($0, in: run.catalog) }
    let named = names.isEmpty ? nil : names
    let filter = arguments.last("where")
    if filter != nil, names.count != 1 {
      throw UsageError("--where needs an entity", help: "errand export links --where 'favourite'")
    }
    try names.first.map {
      try FieldWord.expectExpression(filter, of: run.catalog.entity($0), run)
    }
    if named == nil { try warnAboutUndefined(in: run.store(), run.catalog, console) }
    var export = try LibraryExport(
      run, to: format, of: named, includesPrivate: arguments.isOn("private"),
      inFolders: folders == "tags", matching: filter)

    try export.write { console.result($0) }
    for name in export.unfit {
      console.err("errand: not exported, since they have no \(format.need ?? "place"): \(name)\n")
    }
    if export.privateCount > 0 {
      let links =
        export.privateCount == 1 ? "1 private link" : "\(export.privateCount) private links"
      console.err("errand: left out \(links); --private includes them\n")
    }
  }

  /// Warns about items omitted because their entity is not defined here.
  private static func warnAboutUndefined(
    in store: Database, _ catalog: DefinitionCatalog, _ console: Console
  ) throws {
    let defined = Set(catalog.entityNames)
    let names = try store.entitiesWithItems().filter { !defined.contains($0) }
    if names.isEmpty { return }
    let listed = names.joined(separator: ", ")
    let advice = "give the folder of the definitions with --catalog DIR"
    console.err("errand: not exported, since they are not defined here: \(listed); \(advice)\n")
  }
}
