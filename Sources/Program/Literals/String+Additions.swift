extension String {
  /// The text without white space at its ends.
  package var trimmingSpaces: String {
    var text = self[...]
    while let first = text.first, first.isWhitespace { text.removeFirst() }
    while let last = text.last, last.isWhitespace { text.removeLast() }
    return String(text)
  }

  /// The text for a message: its beginning, when it is long.
  package var shortened: String { count > 80 ? prefix(80) + "…" : self }

  /// The text as one word of a shell's command line.
  package var quotedForShell: String {
    let isPlain =
      !isEmpty
      && utf8.allSatisfy { byte in
        (0x30...0x39).contains(byte) || (0x40...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
          || "-_./:,+%".utf8.contains(byte)
      }
    return isPlain ? self : "'" + replacing("'", with: "'\\''") + "'"
  }

  /// A parameter's name as a flag: `createdAt` is `created-at`.
  package var flagName: String {
    var bytes: [UInt8] = []
    // Names are ASCII.
    for byte in utf8 {
      let isUpper = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      if isUpper { bytes.append(UInt8(ascii: "-")) }
      bytes.append(isUpper ? byte | 0x20 : byte)
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}
