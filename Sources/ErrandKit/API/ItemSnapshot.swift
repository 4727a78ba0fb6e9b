import CEL
import Engine
import Exchange
import Items
import Links
import Program
import Store

/// An item as of the time it was read.
public struct ItemSnapshot: Hashable, Sendable {
  /// A run of text in a search snippet.
  public struct Piece: Hashable, Sendable {
    /// The text.
    public let text: String
    /// Whether the run matches the search.
    public let isMatch: Bool
  }

  /// The entity's name.
  public let entity: String
  /// The id within the entity.
  public let id: Int64
  /// The title, from the entity's `display`, on one line.
  public let title: String
  /// The line below the title; nil if the entity has none.
  public let subtitle: String?
  /// All properties, and `entity`, `id`, `ref`, `createdAt` and `updatedAt`, as in `--json`.
  public let fields: JSONValue
  /// The excerpt that matches the search; empty without a search, or if the title contains all
  /// words.
  public let snippet: [Piece]

  /// The reference, such as `link:42`.
  public var reference: String { "\(ItemReference(entity: entity, id: id))" }

  /// The value of a property: null if it is not set, nil if it does not exist.
  public subscript(name: String) -> JSONValue? { fields[name] }

  /// The fields as JSON, the same after a change as when the item is read.
  package var text: String {
    guard case .object(var members) = fields else { return "null" }
    members["isNew"] = nil
    return (try? JSONValue.object(members).text()) ?? "null"
  }

  /// A hash of ``text``, which differs after each change.
  package var version: String { Array(SHA256.hash(text.utf8).prefix(16)).base64URL }

  /// The maximum length of a snippet, in characters.
  private static let snippetLength = 200

  init(_ item: Item, _ run: Run, hasSnippet: Bool = false) throws {
    let renderer = run.renderer
    var card = renderer.card(of: item)
    if hasSnippet, case .cards(let cards) = renderer.presentation(of: .object(item)).layout {
      card = cards.first ?? card
    }
    entity = item.entity
    id = item.id ?? 0
    title = card.title
    subtitle = card.subtitle
    let json = ItemJSON(run.host.clock)
    fields = try JSONValue(parsing: json.text(of: .object(item)))
    snippet =
      card.snippet?.excerpt(length: Self.snippetLength).runs.map {
        Piece(text: $0.text, isMatch: $0.isMarked)
      } ?? []
  }
}
