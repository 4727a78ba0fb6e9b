/// The sources of metadata in an HTML page.
///
/// If several sources have a value, the first one counts: Open Graph, Twitter cards, JSON-LD,
/// microdata, other `meta` elements, elements.
struct PageFacts {
  let layout: PageLayout
  var tree: HTMLTree { layout.tree }
  let data: LinkedData
  /// The main object of its JSON-LD.
  let thing: LinkedData.Thing?
  let items: Microdata
  let meta: MetaTags

  init(_ layout: PageLayout) {
    let tree = layout.tree
    self.layout = layout
    data = LinkedData(tree)
    thing = data.main
    items = Microdata(tree)
    meta = MetaTags(tree)
  }

  /// A list of sources, separated by spaces: names of `meta` elements, of JSON-LD properties with a
  /// `$` prefix, and of microdata properties with a `=` prefix.
  typealias Places = String

  /// The first value of each source, in order.
  func texts(_ places: Places) -> some Collection<String> {
    Self.each(places) { place, name in
      switch place {
      case .meta: meta.first(name)
      case .thing: thing?.text(name)
      case .items: items.text(name)
      }
    }
  }

  /// The first value of all sources; nil if there is none.
  func text(_ places: Places) -> String? { texts(places).first }

  /// The URLs of the sources as written, in order.
  func addresses(_ places: Places) -> some Collection<String> {
    Self.each(places) { place, name in
      switch place {
      case .meta: meta.address(name)
      case .thing: thing?.address(name)
      case .items: items.text(name)
      }
    }
  }

  /// All values of a source.
  func all(_ place: Places) -> [String] {
    switch place.first {
    case "$": thing?.texts(String(place.dropFirst())) ?? []
    case "=": items.texts(String(place.dropFirst()))
    default: meta.all(place)
    }
  }

  /// The kind of a source.
  private enum Place { case meta, thing, items }

  private static func each(
    _ places: Places, _ body: @escaping (Place, String) -> String?
  ) -> some Collection<String> {
    places.split(separator: " ").lazy.compactMap { word in
      switch word.first {
      case "$": body(.thing, String(word.dropFirst()))
      case "=": body(.items, String(word.dropFirst()))
      default: body(.meta, String(word))
      }
    }
  }

  // MARK: Elements

  /// The page's `title`; nil if it has none.
  var title: String? {
    // The title of an embedded picture is not that of the page.
    let index = tree.nodes.indices.first { index in
      tree.nodes[index].name == "title" && !isWithin(index, ["svg", "math"])
    }
    return index.flatMap { CleanText.line(raw($0)) }
  }

  /// The text of a `title`, regardless of nested elements.
  private func raw(_ index: Int) -> String {
    tree.nodes[index..<tree.nodes[index].end].map(\.text).joined()
  }

  private func isWithin(_ index: Int, _ names: [String]) -> Bool {
    var parent = tree.nodes[index].parent
    while parent >= 0 {
      if names.contains(tree.nodes[parent].name) { return true }
      parent = tree.nodes[parent].parent
    }
    return false
  }

  /// The words of an attribute value, in lower case.
  static func words(_ text: String?) -> [Substring] {
    (text ?? "").lowercased().split(whereSeparator: \.isWhitespace)
  }

  /// The URL of the first `link` with a relation.
  func link(_ relation: Substring) -> String? {
    tree.nodes.lazy.filter { $0.name == "link" && Self.words($0["rel"]).contains(relation) }
      .compactMap { $0["href"] }.first
  }

  /// The first element with a name; nil if there is none.
  func element(_ name: String) -> HTMLTree.Node? { tree.nodes.first { $0.name == name } }
}
