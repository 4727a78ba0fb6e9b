import ForeignText

/// Finds the headline of a page.
enum Headline {
  /// The heading that repeats the page's title, or the only `h1`.
  static func index(_ tree: HTMLTree) -> Int? {
    var titles: [[UInt8]] = []
    var only: Int?
    var count = 0
    var headings = 0
    var best: (rank: Int, index: Int)?
    for (index, node) in tree.nodes.enumerated() {
      switch node.name {
      case "title" where titles.count < 8:
        titles.append(key(tree.nodes[index..<node.end].map(\.text).joined()))
      case "meta" where titles.count < 8 && isTitle(node["property"] ?? node["name"]):
        titles.append(key(node["content"] ?? ""))
      case "h1", "h2", "h3":
        headings += 1
        guard headings <= 200 else { continue }
        let text = key(tree.text(of: index, limit: 500))
        guard !text.isEmpty else { continue }
        if node.name == "h1" {
          count += 1
          only = index
        }
        guard text.count >= 6 || node.name == "h1",
          titles.contains(where: { contains($0, text) })
        else { continue }
        let rank = text.count * 4 + (node.name == "h1" ? 3 : node.name == "h2" ? 2 : 1)
        if rank > best?.rank ?? 0 { best = (rank, index) }
      default: break
      }
    }
    return best?.index ?? (count == 1 ? only : nil)
  }

  private static func isTitle(_ name: String?) -> Bool {
    name == "og:title" || name == "twitter:title"
  }

  /// The letters and digits of a text, so that quotes and dashes do not matter in comparisons.
  private static func key(_ text: String) -> [UInt8] {
    let letters = text.prefix(300).lowercased().unicodeScalars.filter {
      (0x30...0x39).contains($0.value) || (0x61...0x7A).contains($0.value)
        || $0.value >= 0xC0 && $0.value != 0xD7 && !(0x2000...0x206F).contains($0.value)
    }
    return Array(String(String.UnicodeScalarView(letters)).utf8)
  }

  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard let first = part.first, part.count <= text.count else { return false }
    return (0...(text.count - part.count)).contains { start in
      text[start] == first && text[start..<(start + part.count)].elementsEqual(part)
    }
  }
}
