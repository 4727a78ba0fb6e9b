import CEL
import Engine
import Items
import JSON
import Program

/// References in piped input, one per line: `link:42`, a URL, or an item as JSON.
enum ReferenceLines {
  /// Reads items from standard input; blank lines are skipped.
  ///
  /// - Parameter meaning: Resolves a reference.
  /// - Throws: Errors of `meaning`, with the line number.
  static func read(_ meaning: (String) throws -> Item) throws -> [Item] {
    let text = try StandardInput.text()
    var items: [Item] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      do {
        for reference in try references(in: String(line)) { items.append(try meaning(reference)) }
      } catch let error as RunError {
        throw RunError(
          error.code, "line \(index + 1) of standard input: \(error.message)",
          remedy: error.remedy)
      }
    }
    return items
  }

  /// Returns the references in a line; in tab-separated columns, the first.
  ///
  /// - Throws: `invalid-value` for invalid JSON, or JSON without an item.
  static func references(in line: String) throws -> [String] {
    let line = line.trimmingSpaces
    guard let first = line.first, first == "{" || first == "[" else {
      let column = line.prefix { $0 != "\t" }
      return column.isEmpty ? [] : [String(column).trimmingSpaces]
    }
    let value: Value
    do throws(JSONError) {
      value = try JSONParser().parse(line)
    } catch {
      throw RunError(.invalidValue, "it is not JSON: \(error.message)")
    }
    guard case .list(let values) = value else { return [try reference(of: value)] }
    return try values.map(reference)
  }

  /// Returns the reference of an item in JSON form.
  private static func reference(of value: Value) throws(RunError) -> String {
    if case .string(let text) = value { return text }
    if case .map(let fields) = value {
      if case .string(let text)? = fields["ref"] { return text }
      if case .int(let number)? = fields["id"] {
        guard case .string(let entity)? = fields["entity"] else { return String(number) }
        return "\(EntitySchema.kind(of: entity)):\(number)"
      }
    }
    throw RunError(
      .invalidValue, "the JSON is not an item", help: "an item has `ref`, or `entity` and `id`")
  }
}
