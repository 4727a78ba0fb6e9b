import Items

/// What a store recorded of an entity's definition, as far as migrations compare it.
package struct StoredDefinition {
  /// The identity properties, with commas between them; nil when there were none.
  private(set) var identity: String?
  /// How texts became words of the text index; the first format did not tell.
  private(set) var wordsForm = 1
  /// How values stand in columns; the first form was not told.
  private(set) var columnsForm = 1
  /// The properties of the text index, in order, with how they are held.
  private(set) var searched: [String] = []
  /// The properties with an index of their own.
  private(set) var indexed: [String] = []
  /// The properties that were known to hold nothing but URLs.
  private(set) var urls: Set<String> = []
  /// The properties whose long texts were packed.
  private(set) var packed: Set<String> = []
  /// All that was declared of the properties, but for what the first form did not tell.
  private var properties: [String] = []

  /// Reads the text that `EntityTable.definition` makes.
  package init(_ text: String) {
    for (number, line) in text.split(separator: "\n").enumerated() {
      let words = line.split(separator: " ")
      guard words.count >= 2 else { continue }
      if number == 0 {
        identity = words[1] == "-" ? nil : String(words[1])
        for (name, form) in zip(words.dropFirst(2), words.dropFirst(3)) {
          if name == "words" { wordsForm = Int(form) ?? 1 }
          if name == "columns" { columnsForm = Int(form) ?? 1 }
        }
        continue
      }
      var parts = line.split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
      if parts.count > 2, parts[2] == "url" {
        urls.insert(String(parts[0]))
        parts.remove(at: 2)
      }
      properties.append(parts.joined(separator: " "))
      // What follows `of` and `=` are values.
      let flags = words[2...].prefix { $0 != "of" && $0 != "=" }
      let column = words[0] + " " + words[1].filter { $0 != "?" }
      if flags.contains("packed") { packed.insert(String(words[0])) }
      if flags.contains("search") {
        searched.append(String(column) + (flags.contains("packed") ? " packed" : ""))
      }
      if flags.contains("index") { indexed.append(String(column)) }
    }
  }

  /// Whether nothing was declared anew, and only the forms differ that a release gives.
  package func differsInFormsAlone(from other: StoredDefinition) -> Bool {
    (wordsForm != other.wordsForm || columnsForm != other.columnsForm)
      && identity == other.identity && properties == other.properties
  }
}
