/// What a store recorded of an entity's definition, as far as migrations compare it.
struct StoredDefinition {
  /// The identity property; nil when there was none.
  private(set) var identity: String?
  /// How texts became words of the text index; the first format did not tell.
  private(set) var wordsForm = 1
  /// The properties of the text index, in order, with how they are held.
  private(set) var searched: [String] = []
  /// The properties with an index of their own.
  private(set) var indexed: [String] = []
  /// All that was declared of the properties.
  private let properties: Substring

  /// Reads the text that `EntityTable.definition` makes.
  init(_ text: String) {
    properties = text.drop { $0 != "\n" }
    for (number, line) in text.split(separator: "\n").enumerated() {
      let words = line.split(separator: " ")
      guard words.count >= 2 else { continue }
      if number == 0 {
        identity = words[1] == "-" ? nil : String(words[1])
        if words.count > 3, words[2] == "words" { wordsForm = Int(words[3]) ?? 1 }
        continue
      }
      // What follows `of` and `=` are values.
      let flags = words[2...].prefix { $0 != "of" && $0 != "=" }
      let column = words[0] + " " + words[1].filter { $0 != "?" }
      if flags.contains("search") { searched.append(String(column)) }
      if flags.contains("index") { indexed.append(String(column)) }
    }
  }
  /// Whether nothing but how texts become words differs.
  func differsInWordsAlone(from other: StoredDefinition) -> Bool {
    wordsForm != other.wordsForm && identity == other.identity && properties == other.properties
  }
}
