import CEL

/// A record of a file, or a located problem.
struct ImportRecord {
  /// The kinds of records.
  enum Content {
    /// An item, as in a line of JSON Lines.
    case item(Value)
    /// A record that cannot be imported, with the reason.
    case bad(String)
    /// A record that is not an Errand item and is skipped, with the reason.
    case skipped(String)
    /// Damage in the file between its records.
    case damage(String)
    /// The end of a file that contains nothing of its format.
    case nothing(String)
    /// The parts of the whole file that became no property; whether it has nothing else.
    case leftovers(Leftovers, isAll: Bool)
  }

  /// The line number, or the record number if there are no lines.
  let number: Int
  let content: Content
  /// The parts of an item that were dropped.
  var losses: [String] = []
  /// The bytes of an item that is a file.
  var bytes: [UInt8]?

  /// The member of an item with the global ids of the items that it refers to.
  static let referencesMember = "_refs"

  /// Returns the record for a file that contains nothing of its format.
  static func nothingUnderstood(_ line: Int) -> ImportRecord {
    ImportRecord(number: line, content: .nothing("nothing in the file was understood"))
  }
}

/// Reads the records of one format from a stream of bytes.
protocol RecordReader {
  /// Returns the next record; nil at the end.
  ///
  /// - Throws: Errors of reading the bytes.
  mutating func next() throws -> ImportRecord?

  /// The parts of the file so far that became no property; complete at the end.
  var leftovers: Leftovers { get }
}
