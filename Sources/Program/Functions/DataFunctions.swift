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
      Function($0, returns: .list(.map(.string, .dyn))) { (text: String) throws(EvaluationError) in
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

  /// Parses a CSV table: rows as maps if the first one is a header, as lists otherwise.
  package static func csv(
    _ text: String, hasHeader: Bool = true, delimiter: Character = ","
  ) throws(Failure) -> Value {
    guard let byte = delimiter.asciiValue else {
      throw Failure("the delimiter must be a single ASCII character, not “\(delimiter)”")
    }
    let rows: [[String]]
    do throws(CSVTable.Failure) {
      rows = try CSVTable.rows(of: text, delimiter: byte)
    } catch {
      throw Failure(error.message)
    }
    guard hasHeader, let header = rows.first else {
      return .list(rows.map { .list($0.map(Value.string)) })
    }
    return .list(
      rows.dropFirst().map { row in
        var map = MapValue()
        for (index, name) in header.enumerated() {
          map[.string(name)] = index < row.count ? .string(row[index]) : .null
        }
        return .map(map)
      })
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
  package static func csvText(_ rows: [Value], cell: (Value) -> String) -> String {
    var names: [String] = []
    for case .map(let map) in rows {
      for (key, _) in map.entries where !names.contains(key.text) { names.append(key.text) }
    }
    var lines = names.isEmpty ? [] : [CSVTable.line(names)]
    for row in rows {
      switch row {
      case .map(let map):
        lines.append(CSVTable.line(names.map { map[.string($0)].map(cell) ?? "" }))
      case .list(let values): lines.append(CSVTable.line(values.map(cell)))
      default: lines.append(CSVTable.line([cell(row)]))
      }
    }
    return lines.map { $0 + "\n" }.joined()
  }
}
