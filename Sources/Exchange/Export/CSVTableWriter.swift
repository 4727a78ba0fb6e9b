import CEL
import Items

/// Writes items as a CSV table with a header (RFC 4180); lists and objects are JSON.
struct CSVTableWriter {
  private let writer: ExportWriter
  private let columns: [String]

  init(_ writer: ExportWriter, schemas: [EntitySchema]) {
    self.writer = writer
    var columns = ["entity", "uid"]
    for name in schemas.flatMap({ $0.properties.map(\.name) }) where !columns.contains(name) {
      columns.append(name)
    }
    columns += ["createdAt", "updatedAt"]
    let refers = schemas.contains { $0.properties.contains { $0.type.referredEntity != nil } }
    self.columns = columns + (refers ? [NewItemReader.referencesMember] : [])
  }

  /// The header row.
  var names: String { columns.joined(separator: ",") + "\n" }

  func row(of item: Item) throws -> String {
    let members = writer.members(of: item)
    let cells = try columns.map { column in
      try members.first { $0.0 == column }.flatMap { try CSVCell.text(of: $0.1) }
    }
    return cells.map { $0.map(Self.cell) ?? "" }.joined(separator: ",") + "\n"
  }

  /// Formats a cell; an empty string is quoted, null is not.
  private static func cell(_ text: String) -> String {
    let needsQuotes = text.isEmpty || text.utf8.contains { ",\";".utf8.contains($0) || $0 <= 0x20 }
    guard needsQuotes else { return text }
    var result = "\""
    for scalar in text.unicodeScalars {
      if scalar == "\"" { result += "\"" }
      result.unicodeScalars.append(scalar)
    }
    return result + "\""
  }
}
