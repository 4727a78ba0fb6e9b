/// A node in a tree of tags, with `a/b` as a child of `a`.
package struct TagNode: Equatable {
  /// The last component.
  package let name: String
  /// The full tag.
  package let tag: String
  /// The children, sorted by name.
  package private(set) var children: [TagNode]

  /// Builds the trees of tags, sorted by name, including intermediate nodes that are not tags.
  package static func forest(_ tags: [String]) -> [TagNode] {
    nodes(tags.map { $0.split(separator: "/", omittingEmptySubsequences: false)[...] }, under: "")
  }

  private static func nodes(_ paths: [ArraySlice<Substring>], under parent: String) -> [TagNode] {
    var groups: [Substring: [ArraySlice<Substring>]] = [:]
    for path in paths {
      guard let first = path.first else { continue }
      groups[first, default: []].append(path.dropFirst())
    }
    return groups.sorted { $0.key < $1.key }.map { name, rest in
      let tag = parent + name
      return TagNode(name: String(name), tag: tag, children: nodes(rest, under: tag + "/"))
    }
  }
}
