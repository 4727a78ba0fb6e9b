import ErrandKit
import Links

/// A list with the words, the condition and the order that a person chose.
struct ListView {
  let list: ItemList
  /// Words in the language of `errand search`; nil for none.
  var words: String?
  /// The person's own condition; nil for none.
  var filter: String?
  /// A property, with `-` for descending order; nil for the list's own order.
  var sort: String?
  /// Whether rows have boxes to select them.
  var isSelecting = false
  /// The reference of the item after which the page begins; nil for the first page.
  var after: String?

  /// The order without a choice.
  static let newest = "-createdAt"

  /// Reads the choices of a request, or of the address of a list.
  init(_ list: ItemList, _ value: (String) -> String?) {
    self.list = list
    words = value("q")
    filter = value("where")
    sort = value("sort")
    isSelecting = value("select") != nil
    after = value("after")
  }

  /// Reads an address such as `/tag/swift?q=words`; nil for that of another page.
  init?(address: String, in errand: Errand) {
    let parts = address.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    func decoded(_ text: Substring) -> String {
      PercentEncoding.decode(text, plusIsSpace: true)
    }
    guard let path = parts.first, path.hasPrefix("/") else { return nil }
    let names = path.split(separator: "/").map(decoded)
    let list: ItemList? =
      switch (names.first, names.count) {
      case (nil, _): .toRead
      case ("tag", 2): .tag(names[1])
      case ("list", 2): ItemList(path: names[1], in: errand)
      default: nil
      }
    guard let list else { return nil }
    let query = parts.count > 1 ? parts[1].split(separator: "&") : []
    self.init(list) { name in
      query.first { $0.hasPrefix(name + "=") }.map { decoded($0.dropFirst(name.count + 1)) }
    }
  }

  /// The conditions of the list and of the person.
  var condition: String? {
    guard let filter else { return list.condition }
    return list.condition.map { "(\($0)) && (\(filter))" } ?? filter
  }

  /// The condition of the items that its number counts.
  var counted: String? { isNarrowed ? condition : list.counted }

  /// The properties to sort by; best matches first if there are words.
  var order: [String] { sort.map { [$0] } ?? (words == nil ? list.order : []) }

  /// The parameters of the address, without the page.
  private var parameters: [(name: String, value: String?)] {
    [("q", words), ("where", filter), ("sort", sort), ("select", isSelecting ? "1" : nil)]
  }

  /// The address of the list with all choices.
  func path(after last: String? = nil) -> String {
    let query = (parameters + [("after", last)]).compactMap { name, value in
      value.map { "\(name)=\($0.pathEncoded)" }
    }.joined(separator: "&")
    return query.isEmpty ? list.path : "\(list.path)?\(query)"
  }

  /// The address of the current page of the list.
  var place: String { path(after: after) }

  /// The address of the list with its words, filter and order, as a smart list has it.
  var saved: String { with { $0.isSelecting = false } }

  /// Whether it shows fewer items than its list.
  var isNarrowed: Bool { words != nil || filter != nil }

  /// The address with another choice.
  func with(_ change: (inout ListView) -> Void) -> String {
    var view = self
    change(&view)
    return view.path()
  }

  /// The filter in a person's words.
  var filterName: String? {
    filter.map { filter in Self.linkFilters.first { $0.1 == filter }?.0 ?? filter }
  }

  /// Hidden fields for the choices that a form does not ask for.
  func hidden(except names: Set<String>) -> [HTML] {
    parameters.compactMap { name, value in
      guard let value, !names.contains(name) else { return nil }
      return "<input type=\"hidden\" name=\"\(name)\" value=\"\(value)\">"
    }
  }

  /// The filters that a list of links offers, as conditions.
  static let linkFilters = [
    ("Unread", "self.reading == 'unread'"), ("Favourites", "self.favourite"),
    ("Without tags", "size(self.tags) == 0"),
    ("Saved this week", "self.createdAt > now() - duration('168h')"),
    ("Articles", "self.page != null && self.page[?'kind'].orValue('') == 'article'"),
    ("Videos", "self.page != null && self.page[?'kind'].orValue('') == 'video'"),
  ]
}
