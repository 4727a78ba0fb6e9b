import ErrandKit

/// The page of tags, with a search among them, and the forms that change a tag in all items.
struct TagsPage: Page {
  let context: PageContext

  /// The number of trees, or of tags that a search finds, on a page.
  private static let listedTags = 200

  func render() throws -> Reply {
    memory.renew(for: errand)
    let (forest, counts) = try memory.tags(reader)
    let colours = TagColours(in: errand.places?.data)
    let words = context.parameter("q")?.lowercased()
    let rows: HTML
    if let words {
      let found = counts.filter { $0.key.lowercased().contains(words) }
        .sorted { ($1.value, $0.key) < ($0.value, $1.key) }.prefix(Self.listedTags)
      rows =
        found.isEmpty
        ? Self.empty("No tag has “\(words)”.", icon: "tag")
        : "<p class=\"group\">\(found.count == Self.listedTags ? "The first \(found.count)" : "\(found.count)") of \(Self.grouped(counts.count))</p><div class=\"nav columns\">\(found.map { tag($0.key, $0.key, counts, "", colours) })</div>"
    } else if forest.isEmpty {
      rows = Self.empty("No link has a tag yet.", icon: "tag")
    } else {
      // Of many, those that are used most come first.
      let ordered =
        forest.count <= Self.listedTags
        ? forest
        : forest.sorted {
          ($1.children.count + (counts[$1.tag] ?? 0), $0.name) < (
            $0.children.count + (counts[$0.tag] ?? 0), $1.name
          )
        }
      let asked = context.parameter("from").flatMap { Int($0) } ?? 0
      let from = min(max(asked, 0), forest.count)
      let shown = ordered.dropFirst(from).prefix(Self.listedTags)
      let rest = forest.count - from - shown.count
      rows = """
        <div class="nav columns">\(shown.map { branch($0, counts, "", colours) })</div>\
        \(rest > 0 ? "<p class=\"group\"><a href=\"/tags?from=\(from + Self.listedTags)\">Next \(Self.grouped(min(rest, Self.listedTags))) of \(Self.grouped(rest))</a></p>" as HTML : nil)
        """
    }
    return try shell(
      title: "Tags", kind: "wide", current: "/tags",
      """
      <main class="pane" id="list"><div class="head">\(Self.sidebarLink)<h1>Tags</h1><span class="count num" id="total">\(Self.grouped(counts.count))</span></div>
      <div class="in-pad stack"><form class="search measure" role="search" action="/tags"><label class="sr" for="q">Search tags</label>\
      \(HTML.icon("search"))<input class="in" id="q" name="q" type="search" value="\(context.parameter("q") ?? "")" placeholder="Search tags" dir="auto"></form>\
      <p class="hint">Drag a tag onto another to put it below; a tag’s own page renames, merges, colours and deletes it.</p>\
      <div class="chip on" id="tag-top" hidden>Drop here for the top</div>\
      <div id="rows">\(rows)</div></div></main>
      """)
  }

  func submit() throws -> Reply {
    let tag = context.field("tag") ?? ""
    let new = context.field("to") ?? ""
    let list = ItemList.tag(tag).path
    switch context["action"] {
    case "rename":
      do {
        let change = try writer().rename(tag: tag, to: new)
        return .redirect(
          Self.noting(
            change.number, "rename-tag", count: change.count, at: back ?? ItemList.tag(new).path))
      } catch let error as ErrandError where error.code == "conflict" {
        return .redirect(list + "?merge=\(new.pathEncoded)")
      }
    case "merge":
      let change = try writer().merge(tags: [tag], into: new)
      return .redirect(
        Self.noting(change.number, "merge-tag", count: change.count, at: ItemList.tag(new).path))
    case "delete":
      let change = try writer().delete(tags: [tag])
      return .redirect(Self.noting(change.number, "delete-tag", count: change.count, at: "/tags"))
    case "colour":
      var colours = TagColours(in: errand.places?.data)
      let colour = context.field("colour") ?? ""
      try colours.set(TagColours.names.contains(colour) ? colour : nil, of: tag)
      return .redirect(list)
    default: throw ErrandError.missingPage(context["action"] ?? "")
    }
  }
}
