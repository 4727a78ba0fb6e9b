import ForeignText
import JSON

/// Reads our own format: one item per line.
struct JSONLinesRecords: RecordReader {
  private var reader: JSONLinesReader
  /// Unknown members are saved beside the store.
  let leftovers = Leftovers()

  init(_ window: ByteWindow) {
    var window = window
    reader = JSONLinesReader { window.take(into: $0) }
  }

  mutating func next() throws -> ImportRecord? {
    guard let line = try reader.next() else { return nil }
    switch line.value {
    case .success(let value): return ImportRecord(number: line.number, content: .item(value))
    case .failure(let error): return ImportRecord(number: line.number, content: .bad(error.message))
    }
  }
}
