/// The names that values get in a result.
enum SlotNames {
  /// Unique names in lower camel case.
  static func unique(
    _ slots: Set<Int>, _ table: SlotTable, _ taken: Set<String>
  ) -> [Int: String] {
    var names: [Int: String] = [:]
    var seen = Set(taken.map { $0.lowercased() })
    // The last number tried for each name.
    var counts: [String: Int] = [:]
    for slot in table.slots.indices where table.slots[slot].isFixed {
      names[slot] = table.slots[slot].name
      seen.insert(table.slots[slot].name.lowercased())
    }
    for slot in slots.sorted() where !table.slots[slot].isFixed {
      let base = identifier(table.slots[slot].name)
      var name = base
      while !seen.insert(name.lowercased()).inserted {
        let count = counts[base, default: 1] + 1
        counts[base] = count
        name = "\(base)\(count)"
      }
      names[slot] = name
    }
    return names
  }

  /// A name as an identifier.
  static func identifier(_ name: String) -> String {
    let words = Transliteration.latin(name)
      .split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }.map(String.init)
    guard let first = words.first, let letter = first.first else { return "value" }
    let isUpper = first.allSatisfy { $0.isUppercase || $0.isNumber }
    var base = letter.isNumber ? "value" : ""
    base += isUpper ? first.lowercased() : letter.lowercased() + first.dropFirst()
    for word in words.dropFirst().prefix(5) {
      base += word.prefix(1).uppercased() + word.dropFirst()
    }
    return String(base.prefix(40))
  }
}
