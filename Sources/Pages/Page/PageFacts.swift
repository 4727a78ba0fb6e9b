/// The places where a page of HTML says things of itself.
///
/// Of the many places where it says one thing, the first of these counts that says anything: Open
/// Graph, Twitter's cards, JSON-LD, microdata, other `meta` elements, and the elements themselves.
struct PageFacts {
  let tree: HTMLTree
  let data: LinkedData
  /// What the page is about, by its JSON-LD.
  let thing: LinkedData.Thing?
  let items: Microdata
  private let meta: MetaTags

  init(_ tree: HTMLTree) {
    self.tree = tree
    data = LinkedData(tree)
    thing = data.main
    items = Microdata(tree)
    meta = MetaTags(tree)
  }

  /// Where a thing is said: names of `meta` elements in their order, of JSON-LD after a `$`, of
  /// microdata after an `=`.
  typealias Places = String

  /// The first text of each place, in their order.
  func texts(_ places: Places) -> some Collection<String> {
    Self.each(places) { place, name in
      switch place {
      case .meta: meta.first(name)
      case .thing: thing?.text(name)
      case .items: items.text(name)
      }
    }
  }

  /// The first text of all places; nil where none says anything.
  func text(_ places: Places) -> String? { texts(places).first }

  /// The addresses of the places as they are written, in their order.
  func addresses(_ places: Places) -> some Collection<String> {
    Self.each(places) { place, name in
      switch place {
      case .meta: meta.address(name)
      case .thing: thing?.address(name)
      case .items: items.text(name)
      }
    }
  }

  /// All texts of a place.
  func all(_ place: Places) -> [String] {
    switch place.first {
    case "$": thing?.texts(String(place.dropFirst())) ?? []
    case "=": items.texts(String(place.dropFirst()))
    default: meta.all(place)
    }
  }

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

  /// The words of an attribute, in lower case.
  static func words(_ text: String?) -> [Substring] {
    (text ?? "").lowercased().split(whereSeparator: \.isWhitespace)
  }

  /// The address of the first `link` with a relation.
  func link(_ relation: Substring) -> String? {
    tree.nodes.lazy.filter { $0.name == "link" && Self.words($0["rel"]).contains(relation) }
      .compactMap { $0["href"] }.first
  }

  /// The first element of a name; nil where there is none.
  func element(_ name: String) -> HTMLTree.Node? { tree.nodes.first { $0.name == name } }
}
