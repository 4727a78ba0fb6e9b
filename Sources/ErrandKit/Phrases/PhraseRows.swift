/// The rows of a table of phrases; those of a file are read when they are used, because a sentence
/// needs few of them.
struct PhraseRows: RandomAccessCollection, Sendable {
  private enum Storage {
    case rows([PhraseTable.Row])
    /// The bytes of a file, with the ranges of its lines.
    case lines([UInt8], [Range<Int>])
  }

  private var storage: Storage

  /// Keeps rows.
  init(_ rows: [PhraseTable.Row]) { storage = .rows(rows) }

  /// Reads rows from lines of a file, each with `P`, an action, a text, and names with values.
  init(_ bytes: [UInt8], lines: [Range<Int>]) { storage = .lines(bytes, lines) }

  var startIndex: Int { 0 }

  var endIndex: Int {
    switch storage {
    case .rows(let rows): rows.count
    case .lines(_, let lines): lines.count
    }
  }

  subscript(position: Int) -> PhraseTable.Row {
    switch storage {
    case .rows(let rows): return rows[position]
    case .lines(let bytes, let lines):
      let fields = PhraseTable.fields(bytes[lines[position]])
      guard fields.count >= 3 else { return PhraseTable.Row(action: "", text: "") }
      let values = stride(from: 3, to: fields.count - 1, by: 2).map {
        (name: fields[$0], text: fields[$0 + 1])
      }
      return PhraseTable.Row(action: fields[1], text: fields[2], values: values)
    }
  }

  /// Adds a row at the end.
  mutating func append(_ row: PhraseTable.Row) { storage = .rows(Array(self) + [row]) }
}
