/// An element of a list property, such as a tag, and the number of items that have it.
package struct ElementCount: Hashable, Sendable {
  /// The element.
  package let text: String
  /// The number of items.
  package var count: Int

  package init(_ text: String, count: Int) {
    self.text = text
    self.count = count
  }
}
