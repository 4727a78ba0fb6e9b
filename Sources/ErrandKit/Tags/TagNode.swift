/// A tag in a tree, where `a/b` stands below `a`.
package struct TagNode: Equatable {
  /// The last part of it.
  package let name: String
  /// All of it.
  package let tag: String
  /// Those below it, by their names.
  package private(set) var children: [TagNode]

  /// The trees of tags, by their names; parts that are no tags themselves stand there, too.
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
