import CEL
import Catalog
package import Engine
package import Exchange
import Items
import Store

/// An export of items as a text, referenced items first.
package struct LibraryExport {
  private let run: Run
  private let format: ExportFormat
  private let wanted: [String]
  private let entities: [String]
  private let writer: ItemWriter
  private let takesPrivate: Bool
  /// The number of private items left out so far.
  package private(set) var privateCount = 0
  /// The entities that have items without a place in the format.
  package private(set) var unfit: [String] = []

  private let order: [SortKey]
  private let filter: String?

  /// - Parameters:
  ///   - names: The entities; nil for all.
  ///   - includesPrivate: Whether files for other programs have private items.
  ///   - inFolders: Whether bookmarks are in folders by their tags.
  ///   - filter: The condition that items match, `--where`; nil for all items.
  /// - Throws: `invalid-value` if the format cannot hold a named entity.
  package init(
    _ run: Run, to format: ExportFormat, of names: [String]? = nil, includesPrivate: Bool = false,
    inFolders: Bool = false, matching filter: String? = nil
  ) throws {
    self.run = run
    self.filter = filter
    order = ["createdAt", "id"].map { SortKey($0, descending: format.isNewestFirst) }
    self.format = format
    takesPrivate = !format.isForOthers || includesPrivate
    let context = ExchangeContext(run)
    wanted = try ExportOrder(context).sorted(names ?? run.catalog.entityNames)
    entities = try format.holdable(wanted, context)
    if let left = names?.first(where: { [entities] in !entities.contains($0) }) {
      throw RunError(ExchangeError.unfit(entity: left, need: format.need ?? "place"))
    }
    writer = try format.writer(context, entities: entities, inFolders: inFolders)
  }

  /// Passes on the pieces of the text.
  package mutating func write(_ put: (String) -> Void) throws {
    let queries = try wanted.map { name in
      guard let filter else { return (name, Query(name, sort: order)) }
      var search = Run.Search(entity: name)
      (search.filter, search.filterLabel) = (filter, "--where")
      var query = try run.query(search)
      query.sort = order
      return (name, query)
    }
    let store = try run.store()
    put(writer.beginning)
    for (name, query) in queries {
      // A never-used entity has no table, and none is created.
      guard try store.metadata("entity:" + name) != nil else { continue }
      _ = try run.store(for: name)
      guard entities.contains(name) else {
        if try !store.items.find(Query(name, limit: 1)).isEmpty { unfit.append(name) }
        continue
      }
      var left = 0
      try store.items.forEach(query) { [takesPrivate, writer] item in
        if !takesPrivate, item.field("private") == true {
          left += 1
        } else {
          put(try writer.text(item))
        }
        return true
      }
      privateCount += left
    }
    put(writer.ending())
  }
}

extension Reader {
  /// Returns the items of the library in an export format; private ones only as JSON Lines.
  ///
  /// - Parameter format: A name such as `netscape`.
  /// - Throws: `not-found` for an unknown format, `store`, `busy`.
  package func export(to format: String) throws(ErrandError) -> [UInt8] {
    guard let format = ExportFormat(rawValue: format) else {
      throw ErrandError(code: "not-found", message: "there is no export format “\(format)”")
    }
    return try reading { run in
      var bytes: [UInt8] = []
      var export = try LibraryExport(run, to: format)
      try export.write { bytes += $0.utf8 }
      return bytes
    }
  }
}
