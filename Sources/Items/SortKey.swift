/// A sort key: a property, ascending or descending; null is always last.
package struct SortKey: Hashable, Sendable {
  /// The name of a property, or `id`, `createdAt` or `updatedAt`.
  package var property: String
  /// Whether the order is descending.
  package var isDescending: Bool

  package init(_ property: String, descending: Bool = false) {
    self.property = property
    isDescending = descending
  }

  /// Parses `name` or `-name`, or a name with a direction as in SQL, such as `name desc`.
  package init(parsing text: String) {
    let isReversed = text.hasPrefix("-")
    let words = (isReversed ? text.dropFirst() : text[...]).split { $0 == " " || $0 == ":" }
    guard words.count == 2, let direction = Self.directions[words[1].lowercased()] else {
      self.init(isReversed ? String(text.dropFirst()) : text, descending: isReversed)
      return
    }
    self.init(String(words[0]), descending: direction != isReversed)
  }

  /// The words for a direction, and whether it is descending.
  package static let directions = [
    "desc": true, "descending": true, "asc": false, "ascending": false,
  ]
}
