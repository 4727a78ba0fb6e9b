/// A reference to a stored item: the entity's kind and an id, such as `link:42`.
package struct ItemReference: Hashable, Sendable, CustomStringConvertible {
  /// The entity's name.
  package let entity: String
  /// The id within the entity.
  package let id: Int64

  package init(entity: String, id: Int64) {
    self.entity = entity
    self.id = id
  }

  /// The text form.
  package var description: String { "\(EntitySchema.kind(of: entity)):\(id)" }

  /// Parses `link:42` into a kind and an id; nil if the text has another form.
  package static func parse(_ text: String) -> (kind: String, id: Int64)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard
      parts.count == 2, let first = parts[0].utf8.first, (0x61...0x7A).contains(first),
      parts[0].utf8.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      }),
      let id = parseID(parts[1])
    else { return nil }
    return (String(parts[0]), id)
  }

  /// Parses a positive integer without sign; nil for any other text.
  package static func parseID(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
