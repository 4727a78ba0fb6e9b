/// The lines of a mail; they end with CRLF, LF or CR.
enum MailLine {
  /// Consumes the next line and returns it without its line ending; nil at the end.
  static func next(_ rest: inout ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    guard !rest.isEmpty else { return nil }
    guard let end = rest.firstIndex(where: { $0 == 0x0A || $0 == 0x0D }) else {
      defer { rest = rest[rest.endIndex...] }
      return rest
    }
    let line = rest[..<end]
    let isPair = rest[end] == 0x0D && end + 1 < rest.endIndex && rest[end + 1] == 0x0A
    rest = rest[(end + (isPair ? 2 : 1))...]
    return line
  }

  /// Returns the end of a field's name in a line, which is before its colon; nil if it is not a field
  /// (RFC 5322 §2.2, and §4.5.8 for blanks before the colon).
  static func nameEnd(_ line: ArraySlice<UInt8>) -> Int? {
    let end = line.firstIndex { $0 == 0x3A || $0 <= 0x20 || $0 >= 0x7F } ?? line.endIndex
    guard end > line.startIndex,
      let colon = line[end...].first(where: { $0 != 0x20 && $0 != 0x09 }),
      colon == 0x3A
    else { return nil }
    return end
  }

  /// Whether a line separates the mails of a mailbox (RFC 4155).
  static func isSeparator(_ line: ArraySlice<UInt8>) -> Bool { line.starts(with: separator) }

  private static let separator = Array("From ".utf8)

  /// Whether a line is one that separates mails, quoted with `>` in the text of one.
  static func isQuotedSeparator(_ line: ArraySlice<UInt8>) -> Bool {
    line.first == 0x3E && isSeparator(line.drop { $0 == 0x3E })
  }
}
