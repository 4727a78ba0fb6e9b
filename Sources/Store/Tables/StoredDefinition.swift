/// What a store recorded of an entity's definition, as far as migrations compare it.
struct StoredDefinition {
  /// The identity property; nil when there was none.
  private(set) var identity: String?
  /// The properties of the text index, in order, with how they are held.
  private(set) var searched: [String] = []
  /// The properties with an index of their own.
  private(set) var indexed: [String] = []

  /// Reads the text that `EntityTable.definition` makes.
  init(_ text: String) {
    for (number, line) in text.split(separator: "\n").enumerated() {
      let words = line.split(separator: " ")
      guard words.count >= 2 else { continue }
      if number == 0 {
        identity = words[1] == "-" ? nil : String(words[1])
        continue
      }
      // What follows `of` and `=` are values.
      let flags = words[2...].prefix { $0 != "of" && $0 != "=" }
      let column = words[0] + " " + words[1].filter { $0 != "?" }
      if flags.contains("search") { searched.append(String(column)) }
      if flags.contains("index") { indexed.append(String(column)) }
    }
  }
}
