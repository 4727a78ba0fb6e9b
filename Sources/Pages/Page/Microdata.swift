/// The microdata of a page's main item (HTML Standard §5).
struct Microdata {
  /// The name of the item's type.
  private(set) var type: String?
  private var values: [String: [String]] = [:]

  init(_ tree: HTMLTree) {
    var best: (rank: Int, index: Int)?
    for (index, node) in tree.nodes.enumerated() where node["itemscope"] != nil {
      guard let type = Self.type(of: node) else { continue }
      let rank = SchemaType.rank(type)
      if rank > (best?.rank ?? 0) { best = (rank, index) }
    }
    guard let best else { return }
    type = Self.type(of: tree.nodes[best.index])
    collect(tree, of: best.index)
  }

  /// The first value of a property.
  func text(_ name: String) -> String? {
    values[name]?.lazy.compactMap { CleanText.line($0, limit: 2_000) }.first
  }

  /// All values of a property.
  func texts(_ name: String) -> [String] {
    (values[name] ?? []).compactMap { CleanText.line($0) }
  }

  private static func type(of node: HTMLTree.Node) -> String? {
    node["itemtype"]?.split(whereSeparator: \.isWhitespace).first?.split(separator: "/").last
      .map { String($0) }
  }

  private mutating func collect(_ tree: HTMLTree, of item: Int) {
    var index = item + 1
    while index < tree.nodes[item].end {
      let node = tree.nodes[index]
      let isItem = node["itemscope"] != nil
      if let names = node["itemprop"] {
        let value = isItem ? Self.name(tree, of: index) : Self.value(tree, of: index)
        for name in names.split(whereSeparator: \.isWhitespace) {
          values[String(name), default: []].append(value)
        }
      }
      // Properties within a nested item belong to that item.
      index = isItem ? node.end : index + 1
    }
  }

  /// The name of a nested item, else its URL.
  private static func name(_ tree: HTMLTree, of item: Int) -> String {
    var address: String?
    for index in (item + 1)..<max(item + 1, tree.nodes[item].end) {
      guard let property = tree.nodes[index]["itemprop"] else { continue }
      if property == "name" { return value(tree, of: index) }
      if property == "url" || property == "contentUrl" { address = value(tree, of: index) }
    }
    return address ?? value(tree, of: item)
  }

  private static func value(_ tree: HTMLTree, of index: Int) -> String {
    let node = tree.nodes[index]
    if let content = node["content"] { return content }
    switch node.name {
    case "a", "area", "link": if let target = node["href"] { return target }
    case "img", "audio", "embed", "iframe", "source", "video":
      if let source = node["src"] { return source }
    case "time": if let moment = node["datetime"] { return moment }
    case "data", "meter": if let value = node["value"] { return value }
    default: break
    }
    return tree.text(of: index, limit: 5_000)
  }
}
