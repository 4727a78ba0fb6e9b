package import CEL
import ForeignText
import JSON
import Source
import YAML

/// Functions between texts of other programs and values.
enum DataFunctions {
  /// Their names.
  static let names = [
    "parseJson", "toJson", "parseCsv", "parseYaml", "htmlToText", "htmlToMarkdown",
  ]

  /// All of them.
  static var all: [Function] {
    [
      Function("parseJson", .global, [.string], returns: .dyn) {
        (text: String) throws(EvaluationError) -> Value in
        try reading { () throws(DataFormat.Failure) in try DataFormat.json(text) }
      },
      Function("toJson", .global, [.dyn], returns: .string) {
        (value: Value) throws(EvaluationError) -> Value in
        try reading { () throws(DataFormat.Failure) in .string(try DataFormat.jsonText(value)) }
      },
      Function("parseCsv", .global, [.string], returns: .list(.map(.string, .dyn))) {
        (text: String) throws(EvaluationError) -> Value in
        try reading { () throws(DataFormat.Failure) in try DataFormat.csv(text) }
      },
      Function("parseYaml", .global, [.string], returns: .dyn) {
        (text: String) throws(EvaluationError) -> Value in
        try reading { () throws(DataFormat.Failure) in try DataFormat.yaml(text) }
      },
      Function("htmlToText") { (html: String) in HTMLText.text(of: html, as: .text) },
      Function("htmlToMarkdown") { (html: String) in HTMLText.text(of: html, as: .markdown) },
    ]
  }

  private static func reading(
    _ body: () throws(DataFormat.Failure) -> Value
  ) throws(EvaluationError) -> Value {
    do throws(DataFormat.Failure) {
      return try body()
    } catch {
      throw EvaluationError(error.message)
    }
  }
}

/// Texts of other programs as values, and back.
package enum DataFormat {
  /// Why a text is not of its format.
  package struct Failure: Error {
    package let message: String
  }

  /// The value of a JSON text.
  package static func json(_ text: String) throws(Failure) -> Value {
    do throws(JSONError) {
      return try JSONParser(maxBytes: 64 << 20).parse(text)
    } catch {
      throw Failure(message: error.description)
    }
  }

  /// The value of each line that is not blank.
  package static func lines(_ text: String) -> [Value] {
    TextForms.lines(text).map { .string($0) }
  }

  /// The rows of a table: maps by the names in its first row, or lists without one.
  package static func csv(
    _ text: String, hasHeader: Bool = true, delimiter: Character = ","
  ) throws(Failure) -> Value {
    guard let byte = delimiter.asciiValue else {
      throw Failure(
        message: "“\(delimiter)” can't separate cells: it is not one character of ASCII")
    }
    let rows: [[String]]
    do throws(CSVTable.Failure) {
      rows = try CSVTable.rows(of: text, delimiter: byte)
    } catch {
      throw Failure(message: error.message)
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

  /// The value of a YAML document, by its core schema.
  package static func yaml(_ text: String) throws(Failure) -> Value {
    let file = SourceFile(name: "YAML", text: text)
    do throws(Diagnostics) {
      guard let slice = DocumentSlice.split(file).first else { return .null }
      return value(of: try slice.parse())
    } catch {
      throw Failure(message: error.all.first?.message ?? "the text is not YAML")
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

  /// The JSON text of a value on one line.
  package static func jsonText(_ value: Value) throws(Failure) -> String {
    do throws(JSONError) {
      return try JSONWriter().text(of: value)
    } catch {
      throw Failure(message: error.description)
    }
  }

  /// A list as a table: maps with a row of their names, lists as rows, other values as one cell.
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
