import Items

/// The recorded schema of an entity, as far as migrations compare it.
package struct StoredDefinition {
  /// The identity properties, separated by commas; nil when there were none.
  private(set) var identity: String?
  /// The version of word separation in the text index; not recorded by the first.
  private(set) var wordsForm = 1
  /// The version of the column types; not recorded by the first.
  private(set) var columnsForm = 1
  /// The properties of the text index, in order, with their storage kinds.
  private(set) var searched: [String] = []
  /// The individually indexed properties.
  private(set) var indexed: [String] = []
  /// The properties known to contain only URLs.
  private(set) var urls: Set<String> = []
  /// The properties with compressed long texts.
  private(set) var packed: Set<String> = []
  /// The declarations of the properties, without the attributes that the first version omitted.
  private var properties: [String] = []

  /// Parses the text of `EntityTable.definition`.
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
      // Values follow `of` and `=`.
      let flags = words[2...].prefix { $0 != "of" && $0 != "=" }
      let column = words[0] + " " + words[1].filter { $0 != "?" }
      if flags.contains("packed") { packed.insert(String(words[0])) }
      if flags.contains("search") {
        searched.append(String(column) + (flags.contains("packed") ? " packed" : ""))
      }
      if flags.contains("index") { indexed.append(String(column)) }
    }
  }

  /// Whether only format versions differ.
  package func differsInFormsAlone(from other: StoredDefinition) -> Bool {
    (wordsForm != other.wordsForm || columnsForm != other.columnsForm)
      && identity == other.identity && properties == other.properties
  }
}
