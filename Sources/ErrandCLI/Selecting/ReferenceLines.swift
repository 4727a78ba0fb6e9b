import CEL
import Engine
import Items
import JSON
import Program

/// References that another program wrote, one a line: `link:42`, a URL, or an item as JSON.
enum ReferenceLines {
  /// The items that the lines of standard input mean; lines that are blank mean none.
  ///
  /// - Parameter meaning: The item of a reference.
  /// - Throws: what the meaning throws, with the number of the line.
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

  /// The references in a line; of columns parted by tabs, the first is one.
  ///
  /// - Throws: `invalid-value` for JSON that is none, or that holds no item.
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

  /// The reference of an item that was written as JSON.
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
      .invalidValue, "the JSON is no item", help: "an item has `ref`, or `entity` and `id`")
  }
}
