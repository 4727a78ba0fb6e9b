import CEL

/// What a reader of a format found at one place of a file.
struct ImportRecord {
  enum Content {
    /// An item, as a line of JSON Lines would give it.
    case item(Value)
    /// Nothing that can be taken in, and why.
    case bad(String)
    /// Something that is no item of ours and is passed over, and why.
    case skipped(String)
    /// Something that is wrong in the file itself, between its records.
    case damage(String)
  }

  /// The number of the line, or of the record where there are no lines.
  let number: Int
  let content: Content
  /// What was left out of an item.
  var losses: [String] = []
}

/// Reads the records of one format, one after the other, from bytes that come piece by piece.
protocol RecordReader {
  /// The next record; nil at the end.
  ///
  /// - Throws: What the source of the bytes throws.
  mutating func next() throws -> ImportRecord?
}
