import CEL
package import Items
import JSON

extension EntitySchema {
  /// Parses a recorded schema; nil for any other text.
  ///
  /// Only the details that affect the tables are recorded, not every type: a `file` is read as a
  /// `string`, and so is a `url` recorded by an earlier release.
  package init?(recorded text: String, name: String) {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard let first = lines.first?.split(separator: " "), first.count >= 2, first[0] == "identity"
    else { return nil }
    var properties: [PropertySchema] = []
    for line in lines.dropFirst() {
      guard let property = PropertySchema(recorded: String(line)) else { return nil }
      properties.append(property)
    }
    self.init(
      name: name, properties: properties,
      identities: first[1] == "-" ? [] : first[1].split(separator: ",").map(String.init))
    do { try validate() } catch { return nil }
  }
}

extension PropertySchema {
  /// Parses a recorded property: name, type, flags, values and default.
  fileprivate convenience init?(recorded line: String) {
    let words = line.split(separator: " ", maxSplits: 2).map(String.init)
    guard words.count >= 2 else { return nil }
    let isOptional = words[1].hasSuffix("?")
    guard var type = DataType(recorded: isOptional ? String(words[1].dropLast()) : words[1])
    else { return nil }
    var rest = (words.count > 2 ? words[2] : "")[...]
    func take(_ flag: String) -> Bool {
      guard rest == flag || rest.hasPrefix(flag + " ") else { return false }
      rest = rest.dropFirst(flag.count + 1)
      return true
    }
    if take("url") { type = type.replacing(.string, with: .url) }
    let isIndexed = take("index")
    let isSearched = take("search")
    // Texts with a low search weight are compressed.
    let isPacked = take("packed")
    var defaultValue: Value?
    if take("of") {
      guard let (values, end) = Self.values(rest) else { return nil }
      type = .enumeration(values)
      rest = end
    }
    if take("=") {
      guard let value = Self.json(rest) else { return nil }
      defaultValue = value
      rest = ""
    }
    guard rest.isEmpty else { return nil }
    self.init(
      name: words[0], type: type, isOptional: isOptional, default: defaultValue,
      searchWeight: isSearched ? (isPacked ? 0.5 : 1) : nil, isIndexed: isIndexed)
  }

  /// The values of an enum and the text after them; a value may itself contain ` = `.
  private static func values(_ text: Substring) -> ([String], Substring)? {
    var end = text.startIndex
    while end < text.endIndex {
      let next = text[end...].firstIndex(of: "]").map(text.index(after:)) ?? text.endIndex
      if case .list(let values)? = json(text[..<next]) {
        let texts = values.compactMap { if case .string(let text) = $0 { text } else { nil } }
        return (texts, text[next...].drop { $0 == " " })
      }
      end = next
    }
    return nil
  }

  /// A JSON text as a value; nil for any other text.
  private static func json(_ text: Substring) -> Value? {
    // A parse error means that it is another text.
    try? JSONParser().parse(String(text))
  }
}

extension DataType {
  /// Parses a recorded column type; nil for any other text.
  package init?(recorded name: String) {
    func inner(_ prefix: String) -> String? {
      guard name.hasPrefix(prefix + "<"), name.hasSuffix(">") else { return nil }
      return String(name.dropFirst(prefix.count + 1).dropLast())
    }
    if let form = StorageClass(rawValue: name) {
      self = form.type
    } else if let entity = inner("ref") {
      self = .entity(entity)
    } else if let element = inner("list").flatMap(DataType.init(recorded:)) {
      self = .list(element)
    } else if let element = inner("map").flatMap(DataType.init(recorded:)) {
      self = .map(element)
    } else {
      return nil
    }
  }
}

extension EntitySchema {
  /// The maximum number of properties, well within SQLite's limits.
  static let maximumProperties = 500

  /// Checks the requirements of the tables.
  ///
  /// - Throws: `invalidValue`.
  func validate() throws(StoreError) {
    guard Self.isName(name) else {
      throw StoreError(.invalidValue, "“\(name)” cannot name an entity")
    }
    guard properties.count <= Self.maximumProperties else {
      throw StoreError(
        .invalidValue,
        "\(name) has \(properties.count) properties: \(Self.maximumProperties) at most")
    }
    var seen = SystemField.allCases.map { $0.rawValue.lowercased() }
    for property in properties {
      guard Self.isName(property.name) else {
        throw StoreError(.invalidValue, "“\(property.name)” cannot name a property of \(name)")
      }
      let key = property.name.lowercased()
      guard !seen.contains(key) else {
        throw StoreError(
          .invalidValue,
          "\(name) cannot have a property “\(property.name)”: the name is taken (capitals do "
            + "not count)")
      }
      seen.append(key)
      if let weight = property.searchWeight, !(weight >= 0 && weight <= 1000) {
        throw StoreError(
          .invalidValue, "the search weight of \(name).\(property.name) must be 0 to 1000")
      }
    }
    for identity in identities where !properties.contains(where: { $0.name == identity }) {
      throw StoreError(.invalidValue, "\(name) has no property “\(identity)” for its identity")
    }
  }

  /// Whether a name is a letter followed by letters and digits, at most 100.
  private static func isName(_ name: String) -> Bool {
    guard let first = name.utf8.first, name.utf8.count <= 100 else { return false }
    func isLetter(_ byte: UInt8) -> Bool { (0x61...0x7A).contains(byte | 0x20) }
    return isLetter(first) && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }
}
