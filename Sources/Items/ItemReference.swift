/// The short name of a stored item: an entity's kind and a number, written `link:42`.
package struct ItemReference: Hashable, Sendable, CustomStringConvertible {
  /// The entity's name.
  package let entity: String
  /// The number within the entity.
  package let id: Int64

  package init(entity: String, id: Int64) {
    self.entity = entity
    self.id = id
  }

  /// The reference as printed.
  package var description: String { "\(EntitySchema.kind(of: entity)):\(id)" }

  /// Splits `link:42` into a kind and a number; nil when the text has another form.
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

  /// Reads a positive number without sign; nil when the text is something else.
  package static func parseID(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
