import CEL
import ForeignText
import JSON

/// Tags that another program writes as one text.
enum TagList {
  /// What stands between them.
  enum Separator {
    case commas, spaces
    /// To be found out from the text.
    case any
  }

  /// The tags of a text.
  static func tags(_ text: String, _ separator: Separator) -> [String] {
    let text = text.trimmingBlanks
    if text.isEmpty { return [] }
    if separator != .commas, text.hasPrefix("["), text.hasSuffix("]") { return listed(text) }
    let mark: Character =
      switch separator {
      case .commas: ","
      case .spaces: " "
      case .any: ["|", ",", ";"].first { text.contains($0) } ?? ","
      }
    return text.split(separator: mark).map { String($0).trimmingBlanks }
  }

  /// A list as JSON, as Python writes it, or with bare words.
  private static func listed(_ text: String) -> [String] {
    if case .list(let values)? = try? JSONParser().parse(Array(text.utf8)) {
      return values.flatMap { tags($0) }
    }
    let quotes: Set<Character> = ["'", "\"", "“", "”"]
    return text.dropFirst().dropLast().split(separator: ",").map { part in
      var part = Substring(String(part).trimmingBlanks)
      if let first = part.first, quotes.contains(first) { part = part.dropFirst() }
      if let last = part.last, quotes.contains(last) { part = part.dropLast() }
      return String(part)
    }
  }

  /// The tags of a value of JSON: texts, or objects with a name.
  static func tags(_ value: Value, _ separator: Separator = .any) -> [String] {
    switch value {
    case .string(let text): return tags(text, separator)
    case .list(let values):
      return values.flatMap { value -> [String] in
        if case .string(let text) = value { return [text] }
        return tags(value)
      }
    case .map(let map):
      for name in ["label", "name", "tag", "title"] {
        if case .string(let text)? = map[name] { return [text] }
      }
      // Readwise writes tags by their names.
      return map.entries.compactMap {
        if case .string(let name) = $0.key { name } else { nil }
      }
    default: return []
    }
  }
}
