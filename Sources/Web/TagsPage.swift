import ErrandKit

/// The page of tags; of many, the most used.
struct TagsPage: Page {
  let context: PageContext

  /// The number of trees on the page of tags.
  private static let listedTags = 1_000

  func render() throws -> Reply {
    memory.renew(for: errand)
    let (all, counts) = try memory.tags(reader)
    let forest =
      all.count <= Self.listedTags
      ? all
      : all.sorted {
        ($1.children.count + (counts[$1.tag] ?? 0), $0.name) < (
          $0.children.count + (counts[$0.tag] ?? 0), $1.name
        )
      }
      .prefix(Self.listedTags).sorted { $0.name < $1.name }
    return try shell(
      title: "Tags", kind: "wide", current: "/tags",
      """
      <main class="pane" id="list"><div class="head">\(Self.sidebarLink)<h1>Tags</h1><span class="count num">\(Self.grouped(counts.count))</span></div>
      <div class="nav in-pad columns">\(forest.map { branch($0, counts, "") })</div></main>
      """)
  }
}
