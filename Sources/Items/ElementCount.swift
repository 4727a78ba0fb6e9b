/// An element of a list property, such as a tag, and how many items have it.
package struct ElementCount: Hashable, Sendable {
  /// The element as text.
  package let text: String
  /// How many items have it.
  package var count: Int

  package init(_ text: String, count: Int) {
    self.text = text
    self.count = count
  }
}
