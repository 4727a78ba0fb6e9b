/// Records of a file that is read as a whole.
struct HeldRecords: RecordReader {
  private var rest: ArraySlice<ImportRecord>
  /// Each record has its own.
  let leftovers = Leftovers()

  /// - Parameter noun: The plural noun for the records, for a file without any.
  init(_ records: [ImportRecord], of noun: String) {
    rest = records[...]
    if rest.isEmpty {
      rest = [ImportRecord(number: 1, content: .nothing("the file contains no \(noun)"))]
    }
  }

  mutating func next() -> ImportRecord? { rest.popFirst() }
}
