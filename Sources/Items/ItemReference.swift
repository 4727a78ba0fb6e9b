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

  /// The part of a reference after the kind.
  package enum Key: Hashable, Sendable {
    /// The id on this machine.
    case id(Int64)
    /// The id on all machines.
    case uid(GlobalID)
  }

  /// Parses `link:42`, or `link:` with a global id, into a kind and a key; nil if the text has
  /// another form.
  package static func parse(_ text: String) -> (kind: String, key: Key)? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard
      parts.count == 2, let first = parts[0].utf8.first, (0x61...0x7A).contains(first),
      parts[0].utf8.allSatisfy({
        (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D
      })
    else { return nil }
    let kind = String(parts[0])
    if let id = parseID(parts[1]) { return (kind, .id(id)) }
    return parts[1].utf8.count == 36
      ? GlobalID(text: String(parts[1])).map { (kind, .uid($0)) } : nil
  }

  /// Parses a positive integer without sign; nil for any other text.
  package static func parseID(_ text: some StringProtocol) -> Int64? {
    guard !text.isEmpty, text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    return Int64(text).flatMap { $0 > 0 ? $0 : nil }
  }
}
