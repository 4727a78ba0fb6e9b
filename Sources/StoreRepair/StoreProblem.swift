package import Store

/// Something wrong with a store's contents.
package struct StoreProblem: Hashable, Sendable {
  /// What is wrong, as programs are told.
  package struct Kind: Hashable, Sendable {
    package let rawValue: String

    private init(_ rawValue: String) { self.rawValue = rawValue }

    /// What damage to tables of the store's own is called.
    package init(_ records: RecordTables) { self.init(records.problem) }

    /// The items themselves, or what says where they are; what can be read must be saved to
    /// another file.
    package static let file = Kind("file")
    /// An index of a table.
    package static let index = Kind("index")
    /// The text index of an entity.
    package static let textIndex = Kind("text-index")
    /// The table of an indexed list.
    package static let listIndex = Kind("list-index")
    /// Values of items that no store writes, which are replaced.
    package static let value = Kind("value")
    /// Texts by which items are found again that are not those of the items.
    package static let identity = Kind("identity")
    /// References to items that are not there, which become null.
    package static let reference = Kind("reference")
    /// Runs of whose journals a part is lost, which are ended.
    package static let run = Kind("run")
    /// The table of the highest numbers given so far.
    package static let numbers = Kind("numbers")
    /// The list of unused pages.
    package static let unusedPages = Kind("unused-pages")
  }

  /// What is wrong.
  package let kind: Kind
  /// The entity it concerns; nil for the file as a whole.
  package let entity: String?
  /// What is wrong, in words.
  package let message: String

  init(_ kind: Kind, of entity: String? = nil, _ message: String) {
    self.kind = kind
    self.entity = entity
    self.message = message
  }
}
