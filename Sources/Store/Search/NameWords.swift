/// What an item is called, as words of the text index that no text has: its whole title in one
/// word, the site of its address, and the last part of its path.
///
/// The first letter of each is one for private use, which tells what it is. So an item that is
/// called just as a search says is found among however many that only have the words.
enum NameWords {
  /// What a name comes from.
  enum Kind: String, CaseIterable {
    case title = "\u{E000}"
    case site = "\u{E001}"
    case path = "\u{E002}"

    /// What such a name adds to the score, in shares of the most that words can give.
    var bonus: Double {
      switch self {
      case .title: 1.5
      case .site: 1.0
      case .path: 0.35
      }
    }
  }

  /// A text that names an item.
  enum Source {
    case title(String)
    case address(String)
  }

  /// Longer names are nothing that anybody types.
  static let maximumBytes = 120

  /// The words of an item's names, with spaces between them.
  ///
  /// - Complexity: O(length of the texts).
  static func text(of sources: [Source]) -> String {
    var names = NameWriter()
    for source in sources {
      switch source {
      case .title(var title): title.withUTF8 { names.add(title: $0) }
      case .address(var address): address.withUTF8 { names.add(AddressParts($0[...])) }
      }
    }
    return names.text
  }

  /// The letters and digits of a text in one word; nil without any, or for too many.
  static func key(of text: some StringProtocol) -> String? {
    if text.utf8.count > 4 * maximumBytes { return nil }
    var key = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where isPart(scalar) { key.append(scalar) }
    let result = String(key)
    return result.isEmpty || result.utf8.count > maximumBytes ? nil : result
  }

  private static func isPart(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar {
    case "a"..."z", "A"..."Z", "0"..."9": true
    default:
      scalar.value >= 0x80
        && (scalar.isTokenCharacter || scalar.properties.generalCategory == .nonspacingMark)
    }
  }

  /// The words that marks such as `.` and `-` hold together, without the marks.
  static func compounds(in text: String) -> [String] {
    guard text.utf8.count <= 4 * maximumBytes else { return [] }
    return text.split(whereSeparator: \.isWhitespace).compactMap { compound(String($0)) }
  }

  /// A word of two or three parts without the marks that hold them together; nil for any other.
  static func compound(_ word: String) -> String? {
    guard word.utf8.count <= 40 else { return nil }
    let scalars = word.unicodeScalars
    // A symbol is a word by itself.
    guard scalars.allSatisfy({ isPart($0) || $0.isASCII || $0 == "’" }) else { return nil }
    let parts = scalars.split { !isPart($0) }
    return (2...3).contains(parts.count) ? parts.map(String.init).joined() : nil
  }
}
