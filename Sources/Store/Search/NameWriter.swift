/// Writes the words of an item's names one after the other, each once.
struct NameWriter {
  private var bytes: [UInt8] = []
  /// Where the words are.
  private var words: [Range<Int>] = []

  /// The words with spaces between them.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// Adds a title, and the words in it that marks hold together.
  mutating func add(title: UnsafeBufferPointer<UInt8>) {
    add(title[...], .title)
    guard title.count <= 4 * NameWords.maximumBytes else { return }
    // `Node.js` is also written `nodejs`.
    for word in title.split(whereSeparator: { $0 == 0x20 || (0x09...0x0D).contains($0) }) {
      if word.allSatisfy({ $0 < 0x80 }) {
        addCompound(word)
      } else {
        for compound in NameWords.compounds(in: String(decoding: word, as: UTF8.self)) {
          addWord { $0 += compound.utf8 }
        }
      }
    }
  }

  /// Adds what an address leads to.
  mutating func add(_ address: AddressParts) {
    for site in address.sites { add(site, .site) }
    if let last = address.lastComponent { add(last, .path) }
  }

  /// Adds the letters and digits of a name as a word of its kind.
  private mutating func add(_ name: AddressParts.Bytes, _ kind: NameWords.Kind) {
    if name.count > 4 * NameWords.maximumBytes { return }
    if name.allSatisfy({ $0 < 0x80 }) {
      let count = name.count(where: Self.isPart)
      if count == 0 || count > NameWords.maximumBytes { return }
      addWord { bytes in
        bytes += kind.rawValue.utf8
        for byte in name where Self.isPart(byte) { bytes.append(byte) }
      }
    } else if let key = NameWords.key(of: String(decoding: name, as: UTF8.self)) {
      addWord { bytes in
        bytes += kind.rawValue.utf8
        bytes += key.utf8
      }
    }
  }

  /// Adds a word of two or three parts without the marks that hold them together.
  private mutating func addCompound(_ word: AddressParts.Bytes) {
    guard word.count <= 40 else { return }
    var parts = 0
    var isInPart = false
    for byte in word {
      let isPart = Self.isPart(byte)
      if isPart, !isInPart { parts += 1 }
      isInPart = isPart
    }
    guard (2...3).contains(parts) else { return }
    addWord { bytes in
      for byte in word where Self.isPart(byte) { bytes.append(byte) }
    }
  }

  private mutating func addWord(_ write: (inout [UInt8]) -> Void) {
    let before = bytes.count
    if before > 0 { bytes.append(0x20) }
    let start = bytes.count
    write(&bytes)
    if words.contains(where: { bytes[$0].elementsEqual(bytes[start...]) }) {
      bytes.removeSubrange(before...)
    } else {
      words.append(start..<bytes.count)
    }
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"):
      true
    default: false
    }
  }
}
