import CEL
import ForeignText
import JSON

/// Parses tags that other programs write as one text.
enum TagList {
  /// The separator of tags.
  enum Separator {
    case commas, spaces
    /// Detected from the text.
    case any
  }

  /// Returns the tags of a text.
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

  /// Returns distinct tags as a property has them.
  static func values(_ tags: [String]) -> [Value] {
    var known: Set<String> = [""]
    return tags.map(\.oneLine).filter { known.insert($0).inserted }.map(Value.string)
  }

  /// Returns the tags of OPML categories, each of which may be a path such as `/news/sport`.
  static func categories(_ text: String) -> [String] {
    tags(text, .commas).map { $0.count > 1 && $0.hasPrefix("/") ? String($0.dropFirst()) : $0 }
  }

  /// Parses a list in JSON, in Python's syntax, or of bare words.
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

  /// Returns the tags of a JSON value: strings, or objects with a name.
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
      // Readwise writes an object with tags as keys.
      return map.entries.compactMap {
        if case .string(let name) = $0.key { name } else { nil }
      }
    default: return []
    }
  }
}
