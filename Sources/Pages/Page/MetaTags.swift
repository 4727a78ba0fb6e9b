import ForeignText

/// The `meta` elements of a page by name.
struct MetaTags {
  private var values: [String: [String]] = [:]
  /// The names in document order.
  private var names: [String] = []

  init(_ tree: HTMLTree) {
    for node in tree.nodes where node.name == "meta" {
      guard let content = node["content"] else { continue }
      // `property` is RDFa and `name` is HTML, but pages confuse them.
      let names = [node["property"], node["name"], node["http-equiv"]]
      for name in names.compactMap({ $0 }) {
        for word in name.lowercased().split(whereSeparator: \.isWhitespace) {
          if values[String(word)] == nil { self.names.append(String(word)) }
          values[String(word), default: []].append(content)
        }
      }
    }
  }

  /// The values of all elements whose last name component, without punctuation, is in a set; for
  /// example, `publishedtime` matches `news:published_time`.
  func all(named wanted: Set<String>) -> [String] {
    names.filter { name in
      let last = name.split { $0 == ":" || $0 == "." }.last ?? ""
      return wanted.contains(last.filter { $0 != "-" && $0 != "_" })
    }.flatMap(all)
  }

  /// The values of all elements with a name, in document order.
  func all(_ name: String) -> [String] { values[name] ?? [] }

  /// The first non-empty value, for URLs.
  func address(_ name: String) -> String? { all(name).first { !$0.trimmingBlanks.isEmpty } }

  /// The first non-blank value as a single line.
  func first(_ name: String) -> String? {
    all(name).lazy.compactMap { CleanText.line($0, limit: 2_000) }.first
  }
}
