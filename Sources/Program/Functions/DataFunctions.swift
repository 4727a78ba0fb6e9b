package import CEL
import ForeignText
import JSON
import Source
import YAML

/// Functions that convert between values and data formats.
enum DataFunctions {
  /// Rows of the function table.
  static let table = [
    FunctionRow("parseJson") {
      Function($0) { (text: String) throws(EvaluationError) in try DataFormat.json(text) }
    },
    FunctionRow("toJson") {
      Function($0) { (value: Value) throws(EvaluationError) in try DataFormat.jsonText(value) }
    },
    FunctionRow("parseCsv") {
      Function($0, returns: .list(.map(.string, .string))) {
        (text: String) throws(EvaluationError) in
        try DataFormat.csv(text)
      }
    },
    FunctionRow("parseYaml") {
      Function($0) { (text: String) throws(EvaluationError) in try DataFormat.yaml(text) }
    },
    FunctionRow("htmlToText") {
      Function($0) { (html: String) in HTMLText.text(of: html, as: .text) }
    },
    FunctionRow("htmlToMarkdown") {
      Function($0) { (html: String) in HTMLText.text(of: html, as: .markdown) }
    },
  ]
}

/// Parsers and writers of data formats.
package enum DataFormat {
  /// The error of a text that cannot be parsed.
  package typealias Failure = EvaluationError

  /// Parses a JSON text.
  package static func json(_ text: String) throws(Failure) -> Value {
    do throws(JSONError) {
      return try JSONParser(maxBytes: 64 << 20).parse(text)
    } catch {
      throw Failure(error.description)
    }
  }

  /// Returns the lines that are not blank.
  package static func lines(_ text: String) -> [Value] { TextForms.lines(text).map { .string($0) } }

  /// Parses a CSV table: rows as maps of texts if the first one is a header, as lists otherwise.
  ///
  /// A cell that a row lacks is empty; the second column of a name gets a number.
  ///
  /// - Parameter delimiter: nil for that of the first line.
  /// - Throws: `Failure` for an unclosed quote, and for a row with more values than the header has names.
  package static func csv(
    _ text: String, hasHeader: Bool = true, delimiter: Character? = nil
  ) throws(Failure) -> Value {
    guard let byte = delimiter.map(\.asciiValue) ?? CSVTable.delimiter(of: text) else {
      throw Failure("the delimiter must be a single ASCII character")
    }
    let rows: [CSVTable.Row]
    do throws(CSVTable.Failure) {
      rows = try CSVTable.rows(of: text, delimiter: byte)
    } catch {
      throw Failure(error.message)
    }
    guard hasHeader, let header = rows.first else {
      return .list(rows.map { .list($0.cells.map(Value.string)) })
    }
    let names = numbered(header.cells)
    var maps: [Value] = []
    maps.reserveCapacity(rows.count)
    for row in rows.dropFirst() {
      if row.cells.count > names.count, row.cells[names.count...].contains(where: { !$0.isEmpty }) {
        throw Failure(
          "line \(row.line) has \(row.cells.count) values, and the header names \(names.count)",
          help: "a value with `\(Character(Unicode.Scalar(byte)))` in it stands in double quotes; "
            + "another separator is named by `csv: {delimiter: ';'}`")
      }
      var map = MapValue()
      for (index, name) in names.enumerated() {
        map[.string(name)] = .string(index < row.cells.count ? row.cells[index] : "")
      }
      maps.append(.map(map))
    }
    return .list(maps)
  }

  /// The names of columns, with a number at the second of a name, as in `mark_2`.
  private static func numbered(_ names: [String]) -> [String] {
    var taken: Set<String> = []
    return names.map { name in
      var own = name
      var number = 2
      while !taken.insert(own).inserted {
        own = "\(name)_\(number)"
        number += 1
      }
      return own
    }
  }

  /// Parses a YAML document, by its core schema.
  package static func yaml(_ text: String) throws(Failure) -> Value {
    let file = SourceFile(name: "YAML", text: text)
    do throws(Diagnostics) {
      guard let slice = DocumentSlice.split(file).first else { return .null }
      return value(of: try slice.parse())
    } catch {
      throw Failure(error.all.first?.message ?? "the text is not YAML")
    }
  }

  private static func value(of node: Node) -> Value {
    switch node.content {
    case .scalar(let scalar): scalar.coreValue
    case .sequence(let nodes): .list(nodes.map(value))
    case .mapping(let mapping):
      .map(MapValue(mapping.entries.map { ($0.key.text, value(of: $0.value)) }))
    }
  }

  /// Returns the JSON text of a value, on one line.
  package static func jsonText(_ value: Value) throws(Failure) -> String {
    do throws(JSONError) {
      return try JSONWriter().text(of: value)
    } catch {
      throw Failure(error.description)
    }
  }

  /// Writes a list as a CSV table: maps with a header, lists as rows, other values as one cell.
  ///
  /// - Parameter header: The first line of the table to which the rows are added, without a header then.
  /// - Throws: `Failure` for a column that such a table does not have.
  package static func csvText(
    _ rows: [Value], addedTo header: String? = nil, cell: (Value) -> String
  ) throws(Failure) -> String {
    let separator = header.map(CSVTable.delimiter) ?? UInt8(ascii: ",")
    let known = header.flatMap { try? CSVTable.rows(of: $0, delimiter: separator).first?.cells }
    func line(_ cells: [String]) -> String {
      CSVTable.line(cells, delimiter: Character(Unicode.Scalar(separator)))
    }
    var names = numbered(known ?? [])
    for case .map(let map) in rows {
      for (key, _) in map.entries where !names.contains(key.text) {
        guard known == nil else {
          throw Failure(
            "the table has no column `\(key.text)`",
            help: "read its rows, add these, and write them all by `mode: replace`")
        }
        names.append(key.text)
      }
    }
    var lines = names.isEmpty || known != nil ? [] : [line(names)]
    for row in rows {
      switch row {
      case .map(let map):
        lines.append(line(names.map { map[.string($0)].map(cell) ?? "" }))
      case .list(let values): lines.append(line(values.map(cell)))
      default: lines.append(line([cell(row)]))
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
