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

  /// Parses `name` or `-name`, as in definitions.
  package init(parsing text: String) {
    let isDescending = text.hasPrefix("-")
    self.init(isDescending ? String(text.dropFirst()) : text, descending: isDescending)
  }
}
