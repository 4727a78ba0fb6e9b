package import Items

/// Writes items in one format, as bytes to be put one after the other.
package protocol ItemWriter {
  /// What stands before the items.
  mutating func beginning() throws -> String
  /// An item.
  mutating func text(of item: Item) throws -> String
  /// What stands behind the items.
  func ending() -> String
}

extension ExportFormat {
  /// A writer for items of some entities.
  ///
  /// - Throws: What concerns the definition of an entity.
  package func writer(_ context: ExchangeContext, entities: [String]) throws -> any ItemWriter {
    switch self {
    case .jsonl: JSONLinesWriter(ExportWriter(context))
    case .csv: CSVWriter(ExportWriter(context), schemas: try entities.map(context.schema))
    case .netscape: NetscapeWriter(ExportWriter(context))
    case .markdown: MarkdownWriter(ExportWriter(context))
    case .opml: OPMLWriter(ExportWriter(context))
    }
  }

  /// Those of the entities whose items the format can hold.
  package func holdable(_ entities: [String], _ context: ExchangeContext) throws -> [String] {
    guard needsAddress else { return entities }
    return try entities.filter { try BookmarkForm.address(in: context.schema($0)) != nil }
  }
}

/// Items as JSON Lines.
struct JSONLinesWriter: ItemWriter {
  private let writer: ExportWriter

  init(_ writer: ExportWriter) {
    self.writer = writer
  }

  func beginning() -> String { "" }

  func text(of item: Item) throws -> String {
    var line: [UInt8] = []
    try writer.write(item, to: &line)
    return String(decoding: line, as: UTF8.self)
  }

  func ending() -> String { "" }
}
