import ForeignText

/// The `meta` elements of a page by their names.
struct MetaTags {
  private var values: [String: [String]] = [:]

  init(_ tree: HTMLTree) {
    for node in tree.nodes where node.name == "meta" {
      guard let content = node["content"] else { continue }
      // `property` is of RDFa and `name` of HTML; pages mix them up.
      let names = [node["property"], node["name"], node["http-equiv"]]
      for name in names.compactMap({ $0 }) {
        for word in name.lowercased().split(whereSeparator: \.isWhitespace) {
          values[String(word), default: []].append(content)
        }
      }
    }
  }

  /// What all elements of a name say, in their order.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The first address, as it is written.
  func address(_ name: String) -> String? { all(name).first { !$0.trimmingBlanks.isEmpty } }

  /// The first that says anything.
  func first(_ name: String) -> String? {
    all(name).lazy.compactMap { CleanText.line($0, limit: 2_000) }.first
  }
}
