import Items

extension EntitySchema {
  /// More properties than any person declares, and well within SQLite's limits.
  static let maximumProperties = 500

  /// Checks what the tables rely on.
  ///
  /// - Throws: `invalidValue`.
  func validate() throws(StoreError) {
    guard Self.isName(name) else {
      throw StoreError(.invalidValue, "“\(name)” cannot name an entity")
    }
    guard properties.count <= Self.maximumProperties else {
      throw StoreError(
        .invalidValue,
        "\(name) has \(properties.count) properties: \(Self.maximumProperties) "
          + "at most")
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
    return isLetter(first)
      && name.utf8.allSatisfy { isLetter($0) || (0x30...0x39).contains($0) }
  }
}
