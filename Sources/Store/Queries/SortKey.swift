/// One key of an order: a property, ascending or descending; null comes last either way.
public struct SortKey: Hashable, Sendable {
  /// A property, or `id`, `createdAt`, `updatedAt`.
  public var property: String
  /// Whether the largest comes first.
  public var isDescending: Bool

  public init(_ property: String, descending: Bool = false) {
    self.property = property
    isDescending = descending
  }

  /// Reads `name` or `-name`, as a definition writes it.
  public init(parsing text: String) {
    let isDescending = text.hasPrefix("-")
    self.init(isDescending ? String(text.dropFirst()) : text, descending: isDescending)
  }
}
