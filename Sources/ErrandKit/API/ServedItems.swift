/// The items of the pages before a position in a query.
///
/// A page begins after the last of them that still exists, or at the start if none does; so it
/// neither repeats nor skips items, regardless of deletions and their order.
package struct ServedItems: Sendable {
  private var ids: [Int64]
  /// Whether earlier items were left out.
  private var isCut = false

  /// The maximum length of ``text`` in bytes.
  private static let textLimit = 4_000

  /// No items, at the start of a query.
  package init() { ids = [] }

  /// Parses the text of served items; nil if it is not one.
  package init?(_ text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    isCut = words.first == "+"
    let numbers = words.dropFirst(isCut ? 1 : 0)
    ids = numbers.compactMap { Int64($0) }
    guard !ids.isEmpty, ids.count == numbers.count else { return nil }
  }

  /// The ids in their order, after `+` if earlier ones were left out.
  package var text: String { (isCut ? "+ " : "") + list }

  private var list: String { ids.map(String.init).joined(separator: " ") }

  /// Removes the items behind the last one that exists, and returns that; nil if none does.
  ///
  /// - Throws: `not-found` if none exists, and earlier items were left out.
  package mutating func last(where exists: (Int64) -> Bool) throws(ErrandError) -> Int64? {
    while let id = ids.last {
      if exists(id) { return id }
      ids.removeLast()
    }
    guard !isCut else {
      throw ErrandError(
        code: "not-found", message: "the items before this page do not exist any more",
        help: "begin again without the cursor")
    }
    return nil
  }

  /// Adds the items of a page.
  package mutating func append(_ page: some Sequence<Int64>) {
    ids += page
    var size = list.utf8.count
    while size > Self.textLimit, let first = ids.first {
      size -= "\(first) ".utf8.count
      ids.removeFirst()
      isCut = true
    }
  }
}
