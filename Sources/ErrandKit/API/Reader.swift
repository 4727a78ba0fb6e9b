import CEL
import Engine
import Exchange
import Glibc
import Items
import Program
import Store

/// Reads the items of a library; one a thread.
///
/// It has a connection and compiled definitions of its own. Each call sees the library as it is at
/// that moment.
public final class Reader {
  private let workspace: Workspace
  private let run: Run

  init(_ errand: Errand) throws {
    let host = errand.makeHost()
    let path = try errand.storePath()
    workspace = Workspace(library: errand.library, host: host) { context in
      // A library that nobody has saved to yet is empty; reading makes none.
      try EntityStore(
        at: access(path, F_OK) == 0 ? StoreLocation(path: path) : .memory, context: context)
    }
    run = Run(workspace, host: host, front: SilentFront())
  }

  deinit { workspace.closeStore() }

  /// The items of an entity, by words, by a condition, or all.
  ///
  /// - Parameters:
  ///   - entity: The entity's name, such as `Link`.
  ///   - words: The words to search for, in the language of `errand search`; nil for any.
  ///   - condition: An expression over `self`, such as `'swift' in self.tags`; nil for any.
  ///   - sort: Names of properties, each with `-` before it for the largest first; without words and
  ///     without them the newest come first.
  ///   - limit: How many at most; nil for all.
  /// - Throws: `not-found` for an unknown entity, `invalid-definition` where the condition is wrong,
  ///   `store`, `busy`.
  /// - Complexity: as that of `errand find`, which uses indexes where there are some.
  public func find(
    _ entity: String, matching words: String? = nil, where condition: String? = nil,
    sort: [String] = [], limit: Int? = nil
  ) throws(ErrandError) -> [ItemSnapshot] {
    try ErrandError.translating {
      try run.find(search(entity, words, condition, sort, limit)).map(snapshot)
    }
  }

  /// The number of items that a search finds, whatever its limit would be.
  ///
  /// - Throws: as `find`.
  public func count(
    _ entity: String, matching words: String? = nil, where condition: String? = nil
  ) throws(ErrandError) -> Int {
    try ErrandError.translating { try run.count(search(entity, words, condition, [], nil)) }
  }

  /// The item that a text stands for: a reference such as `link:42`, or of a given entity also its
  /// number, its identity, its title or words that only it has.
  ///
  /// - Throws: `not-found`, `ambiguous` with the references in question.
  public func item(
    _ text: String, of entity: String? = nil
  ) throws(ErrandError) -> ItemSnapshot {
    try ErrandError.translating { try snapshot(run.item(text, of: entity)) }
  }

  private func search(
    _ entity: String, _ words: String?, _ condition: String?, _ sort: [String], _ limit: Int?
  ) -> Run.Search {
    var search = Run.Search(entity: entity)
    search.match = words
    search.filter = condition
    search.sort = sort
    search.limit = limit
    search.isRelaxed = false
    return search
  }

  private func snapshot(_ item: Item) throws -> ItemSnapshot {
    let card = run.renderer.card(of: item)
    let json = ItemJSON(run.host.clock)
    return ItemSnapshot(
      entity: item.entity, id: item.id ?? 0, title: card.title, subtitle: card.subtitle,
      fields: try JSONValue(parsing: json.text(of: .object(item))))
  }
}

/// An item as it was when it was read.
public struct ItemSnapshot: Hashable, Sendable {
  /// The entity's name.
  public let entity: String
  /// The number within the entity.
  public let id: Int64
  /// The title that the entity's `display` makes, on one line.
  public let title: String
  /// The line below the title; nil where the entity has none.
  public let subtitle: String?
  /// All properties with `entity`, `id`, `ref`, `createdAt` and `updatedAt`, as `--json` has them.
  public let fields: JSONValue

  /// The reference, such as `link:42`.
  public var reference: String { "\(ItemReference(entity: entity, id: id))" }

  /// The value of a property; null for one that is not set, nil where there is none of that name.
  public subscript(name: String) -> JSONValue? { fields[name] }
}

/// Hears a run that says nothing and asks nobody.
final class SilentFront: Front {
  var canAnswer: Bool { false }
  var observesSteps: Bool { false }
  func say(_ text: String) {}
  func show(_ presentation: Presentation) {}
  func ask(_ question: Question) throws -> Reply {
    throw RunError(.needsValue, "“\(question.prompt)” needs an answer, but there is no one to ask")
  }
  func step(_ path: [String]) {}
  func progress(_ progress: Progress) {}
  func result(_ presentation: Presentation) {}
}
