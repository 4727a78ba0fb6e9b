extension Presentation {
  /// The cards of items, each made whenever it is asked for: the first screen waits for no other.
  package struct Cards: RandomAccessCollection {
    package let endIndex: Int
    private let make: (Int) -> Card

    /// Cards of which each is made of an item.
    init<Item>(_ items: [Item], make: @escaping (Item) -> Card) {
      endIndex = items.count
      self.make = { make(items[$0]) }
    }

    private init(_ cards: Cards, changed: @escaping (Card) -> Card) {
      endIndex = cards.endIndex
      make = { changed(cards[$0]) }
    }

    package var startIndex: Int { 0 }

    package subscript(position: Int) -> Card { make(position) }

    /// The same cards, each changed when it is asked for.
    func changed(_ change: @escaping (Card) -> Card) -> Cards { Cards(self, changed: change) }
  }
}
