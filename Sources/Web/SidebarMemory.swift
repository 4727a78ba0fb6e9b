import ErrandKit

/// Cached counts and tags of the sidebar, valid until the library changes; confined to one worker.
package final class SidebarMemory {
  private var stamp = ""
  private var counts: [String: Int] = [:]
  private var tags: (forest: [TagNode], counts: [String: Int])?

  package init() {}

  /// Clears the cache if the library has changed.
  func renew(for errand: Errand) {
    let now = errand.storeStamp
    if now == stamp { return }
    (stamp, counts, tags) = (now, [:], nil)
  }

  private static let limit = 500

  /// The number of items of a list.
  func count(_ list: ItemList, _ reader: Reader) throws -> Int {
    try count(ListView(list) { _ in nil }, reader)
  }

  /// The number of items of a list with the words and the filter of a person.
  func count(_ view: ListView, _ reader: Reader) throws -> Int {
    let key = [view.list.entity, view.words ?? "", view.counted ?? ""].joined(separator: "\n")
    if let count = counts[key] { return count }
    if counts.count > Self.limit { counts = [:] }
    let count = try reader.count(view.list.entity, matching: view.words, where: view.counted)
    counts[key] = count
    return count
  }

  /// The tags of links as trees, and the number of links of each.
  func tags(_ reader: Reader) throws -> (forest: [TagNode], counts: [String: Int]) {
    if let tags { return tags }
    let all = try reader.tags(of: "Link")
    let counts = Dictionary(all.map { ($0.tag, $0.count) }) { first, _ in first }
    let tags = (TagNode.forest(all.map(\.tag)), counts)
    self.tags = tags
    return tags
  }
}
