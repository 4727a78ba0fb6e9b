import ErrandKit

extension Website {
  /// Counts and tags of the sidebar, kept while the library stays as it is; confined to one worker.
  package final class Memory {
    private var stamp = ""
    private var counts: [String: Int] = [:]
    private var tags: [TagNode] = []
    private var tagCounts: [String: Int] = [:]
    private var hasTags = false

    package init() {}

    /// Forgets everything if the library has changed.
    func renew(for errand: Errand) {
      let now = errand.storeStamp
      if now == stamp { return }
      (stamp, counts, tags, tagCounts, hasTags) = (now, [:], [], [:], false)
    }

    /// The number of items of a list.
    func count(_ list: ItemList, _ reader: Reader) throws -> Int {
      if let count = counts[list.path] { return count }
      let count = try reader.count(list.entity, where: list.condition)
      counts[list.path] = count
      return count
    }

    /// The tags of links as trees, and the number of links of each.
    func tags(_ reader: Reader) throws -> (forest: [TagNode], counts: [String: Int]) {
      if !hasTags {
        let all = try reader.tags(of: "Link")
        tagCounts = Dictionary(all.map { ($0.tag, $0.count) }) { first, _ in first }
        tags = TagNode.forest(all.map(\.tag))
        hasTags = true
      }
      return (tags, tagCounts)
    }
  }
}
