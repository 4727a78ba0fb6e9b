import Store

/// Something wrong with a store's contents.
package struct StoreProblem: Hashable, Sendable {
  /// What is wrong, which tells what mends it.
  package enum Kind: String, Sendable {
    /// The items themselves, or what says where they are; what can be read must be saved to
    /// another file.
    case file
    /// An index of a table, which is made anew from it.
    case index
    /// The text index of an entity, which is made anew from the items.
    case textIndex = "text-index"
    /// The table of an indexed list, which is made anew from the items.
    case listIndex = "list-index"
    /// Values of items that no store writes, which are replaced.
    case value
    /// Texts by which items are found again that are not those of the items.
    case identity
    /// References to items that are not there, which become null.
    case reference
    /// The log of changes, which goes on with what can be read of its end.
    case changeLog = "change-log"
    /// The journal of runs, which begins anew.
    case journal
    /// Runs of whose journals a part is lost, which are ended.
    case run
    /// The queue of jobs, which begins anew.
    case queue
    /// The list of shares that were taken in, which begins anew.
    case receipts
    /// The table of the highest numbers given so far, which is made anew from the items.
    case numbers
    /// The list of unused pages, which is made anew with the file.
    case unusedPages = "unused-pages"
  }

  /// What is wrong.
  package let kind: Kind
  /// The entity it concerns; nil for the file as a whole.
  package let entity: String?
  /// What is wrong, in words.
  package let message: String
}

extension RecordTables {
  /// What it is called that they are damaged.
  var kind: StoreProblem.Kind { StoreProblem.Kind(rawValue: key) ?? .file }
}
