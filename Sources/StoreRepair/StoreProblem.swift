package import Store

/// A problem in a store.
package struct StoreProblem: Hashable, Sendable {
  /// The kind of a problem, as shown to programs.
  package struct Kind: Hashable, Sendable {
    package let rawValue: String

    private init(_ rawValue: String) { self.rawValue = rawValue }

    /// The kind for damage of system tables.
    package init(_ records: SystemTables) { self.init(records.problem) }

    /// Items are damaged, or the pages that lead to them; the readable data must be recovered into
    /// another file.
    package static let file = Kind("file")
    /// An index of a table.
    package static let index = Kind("index")
    /// The text index of an entity.
    package static let textIndex = Kind("text-index")
    /// The table of an indexed list.
    package static let listIndex = Kind("list-index")
    /// Invalid values of items, which are replaced.
    package static let value = Kind("value")
    /// Identity keys that do not match their items.
    package static let identity = Kind("identity")
    /// References to missing items, which become null.
    package static let reference = Kind("reference")
    /// Runs with an incomplete journal, which are ended.
    package static let run = Kind("run")
    /// The table of the highest ids assigned so far.
    package static let numbers = Kind("numbers")
    /// The list of unused pages.
    package static let unusedPages = Kind("unused-pages")
  }

  /// The kind of the problem.
  package let kind: Kind
  /// The affected entity; nil for the file as a whole.
  package let entity: String?
  /// The problem, in words.
  package let message: String

  init(_ kind: Kind, of entity: String? = nil, _ message: String) {
    self.kind = kind
    self.entity = entity
    self.message = message
  }
}
