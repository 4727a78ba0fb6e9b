import CEL
import ForeignText

/// The links of a page.
struct LinkList {
  /// The maximum number of links.
  private static let limit = 100_000

  /// Returns the links in document order, each as a map of URL, text and relations.
  ///
  /// - Parameter url: The URL of the page; if empty, relative URLs are not resolved.
  static func links(_ tree: HTMLTree, url: String) -> [Value] {
    let address = PageAddress(tree, page: url)
    var links: [Value] = []
    for (index, node) in tree.nodes.enumerated() where node.name == "a" || node.name == "area" {
      guard let target = node["href"]?.trimmingBlanks, !target.isEmpty, links.count < limit else {
        continue
      }
      let resolved = address.resolved(target) ?? (isRelative(target) && !url.isEmpty ? nil : target)
      guard let resolved else { continue }
      let text = CleanText.line(tree.text(of: index)) ?? CleanText.line(picture(tree, index))
      let relations = (node["rel"] ?? "").lowercased().split(whereSeparator: \.isWhitespace)
      links.append(
        .map(
          MapValue([
            ("url", .string(resolved)),
            ("text", .string(text ?? CleanText.line(node["alt"] ?? node["title"]) ?? "")),
            ("rel", .list(relations.map { .string(String($0)) })),
          ])))
    }
    return links
  }

  private static func isRelative(_ target: String) -> Bool { !target.contains(":") }

  /// The alternative text of an image in a link.
  private static func picture(_ tree: HTMLTree, _ index: Int) -> String? {
    tree.nodes[index..<tree.nodes[index].end].first { $0.name == "img" && $0["alt"] != nil }?["alt"]
  }
}
