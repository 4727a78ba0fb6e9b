import CEL
import Engine
import Exchange
import Items
import Program
import Store

/// An item as it was when it was read.
public struct ItemSnapshot: Hashable, Sendable {
  /// A piece of a text in which the words of a search are set off.
  public struct Piece: Hashable, Sendable {
    /// The text of the piece.
    public let text: String
    /// Whether the search was for it.
    public let isMatch: Bool
  }

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
  /// The part of its texts in which the words of the search stand; empty where the title has all of
  /// them, or there was no search.
  public let snippet: [Piece]

  /// The reference, such as `link:42`.
  public var reference: String { "\(ItemReference(entity: entity, id: id))" }

  /// The value of a property; null for one that is not set, nil where there is none of that name.
  public subscript(name: String) -> JSONValue? { fields[name] }

  /// The longest snippet, in characters.
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
