/// One key of an order: a property, ascending or descending; null comes last either way.
package struct SortKey: Hashable, Sendable {
  /// A property, or `id`, `createdAt`, `updatedAt`.
  package var property: String
  /// Whether the largest comes first.
  package var isDescending: Bool

  package init(_ property: String, descending: Bool = false) {
    self.property = property
    isDescending = descending
  }

  /// Reads `name` or `-name`, as a definition writes it.
  package init(parsing text: String) {
    let isDescending = text.hasPrefix("-")
    self.init(isDescending ? String(text.dropFirst()) : text, descending: isDescending)
  }
}
