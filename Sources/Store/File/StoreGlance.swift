import CSQLite
import Glibc
import Items

/// A read-only view of a store for shell completion, in which every query uses an index.
///
/// It never creates or changes a file, waits for no lock, and finds nothing on any error.
package struct StoreGlance {
  /// An item with its title.
  package struct Entry {
    package let reference: String
    package let title: String
  }

  /// The maximum number of entries of one answer.
  private static let limit = 60
  /// The properties that may hold a title, best first.
  private static let titles = ["title", "name", "text"]

  private let connection: Connection
  private let layouts: [StoredLayout]

  /// Opens a store; nil if there is none or it cannot be read now.
  package init?(path: String) {
    guard let size = StoreOpener.size(path), size > 0 else { return nil }
    // Without a log the file is complete, and an immutable one leaves no traces beside it.
    let hasLog = StoreOpener.size(path + "-wal") ?? 0 > 0
    let file =
      "file:" + StoreOpener.percentEncoded(path) + (hasLog ? "?mode=ro" : "?immutable=1")
    do {
      connection = try Connection(
        file: file, flags: SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, path: path)
      try connection.run("PRAGMA busy_timeout = 0")
      layouts = try connection.storedLayouts()
    } catch {
      return nil
    }
  }

  /// The tags that begin with a text.
  package func tags(from prefix: String) -> [String] {
    let tags = layouts.filter { $0.lists.contains("tags") }.flatMap { layout in
      // U+10FFFF follows every character that a tag may have.
      (try? connection.texts(
        """
        SELECT DISTINCT value FROM \(name: layout.listTable("tags")) \
        WHERE value >= \(.text(prefix)) AND value < \(.text(prefix + "\u{10FFFF}")) \
        LIMIT \(.int(Int64(Self.limit)))
        """)) ?? []
    }
    return Set(tags).sorted()
  }

  /// The items of an entity, or of all for nil, whose title begins with a text; the newest for an
  /// empty text.
  package func items(titled prefix: String, of entity: String? = nil) -> [Entry] {
    entries(of: entity) { layout in
      guard !prefix.isEmpty else { return "ORDER BY id DESC" }
      guard layout.hasTextIndex, let key = NameWords.key(of: prefix) else { return nil }
      let word = "\"" + NameWords.Kind.title.rawValue + key + "\" *"
      let index = layout.name + "_search"
      return """
        WHERE id IN (SELECT rowid FROM \(name: index) WHERE \(name: index) MATCH \(.text(word)) \
        ORDER BY rowid DESC LIMIT \(.int(Int64(Self.limit)))) ORDER BY id DESC
        """
    }
  }

  /// The items of an entity whose number begins with some digits.
  package func items(numbered digits: String, of entity: String) -> [Entry] {
    guard let first = Int64(digits), first > 0, digits.utf8.count < 10 else { return [] }
    var range = first..<(first + 1)
    var ranges: [SQL] = []
    while range.lowerBound < 1_000_000_000 {
      ranges.append("id >= \(.int(range.lowerBound)) AND id < \(.int(range.upperBound))")
      range = (range.lowerBound * 10)..<(range.upperBound * 10)
    }
    return entries(of: entity) { _ in "WHERE \(SQL.joined(ranges, separator: " OR ")) ORDER BY id" }
  }

  /// The latest runs by number, with their names and states.
  package var runs: [Entry] { numbered("SELECT number, name, state FROM errand_runs") }

  /// The latest jobs by number, with their names and states.
  package var jobs: [Entry] { numbered("SELECT number, handler, state FROM errand_jobs") }

  private func numbered(_ selection: SQL) -> [Entry] {
    let rows = try? connection.map(
      "\(selection) ORDER BY number DESC LIMIT \(.int(Int64(Self.limit)))"
    ) { Entry(reference: String($0.int(0)), title: "\($0.text(1)), \($0.text(2))") }
    return rows ?? []
  }

  private func entries(of entity: String?, _ condition: (StoredLayout) -> SQL?) -> [Entry] {
    layouts.filter { entity == nil || $0.name == entity }.flatMap { layout -> [Entry] in
      let names = layout.recorded?.properties.map(\.name) ?? []
      guard let title = Self.titles.first(where: names.contains), let condition = condition(layout)
      else { return [] }
      let kind = EntitySchema.kind(of: layout.name)
      let rows = try? connection.map(
        """
        SELECT id, substr(coalesce(\(name: title), ''), 1, 200) FROM \(name: layout.name) \
        \(condition) LIMIT \(.int(Int64(Self.limit)))
        """
      ) { Entry(reference: "\(kind):\($0.int(0))", title: $0.text(1)) }
      return rows ?? []
    }
  }
}
