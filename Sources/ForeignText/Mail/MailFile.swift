/// The files in which mails are kept: single ones (`.eml`), those of Apple Mail (`.emlx`), and
/// mailboxes (mbox).
package struct MailFile {
  /// Receives the mails in order, as the lines of a mailbox come in.
  private var mail: [UInt8] = []
  /// A line that separates mails, if the next line confirms it.
  private var separator: [UInt8]?
  private var isAfterEmpty = true
  private let limit: Int

  /// - Parameter limit: The size in bytes from which the rest of a mail is dropped.
  package init(limit: Int = .max) { self.limit = limit }

  /// Returns the mails of a file; one for a single mail.
  ///
  /// - Complexity: O(bytes).
  package static func mails(in bytes: [UInt8]) -> [[UInt8]] {
    var rest = unmarked(bytes[...])
    guard MailLine.isSeparator(rest.prefix(8)) else { return [Array(first(rest).bytes)] }
    var file = MailFile()
    var mails: [[UInt8]] = []
    while !rest.isEmpty {
      let end = rest.firstIndex(of: 0x0A).map { $0 + 1 } ?? rest.endIndex
      if let mail = file.add(Array(rest[..<end])) { mails.append(mail) }
      rest = rest[end...]
    }
    if let mail = file.finished() { mails.append(mail) }
    return mails
  }

  /// Adds a line of a mailbox with its end; returns the mail that it ends, if any.
  ///
  /// A line separates mails only if it has a year or a time, in any form, and a field follows; `From`
  /// may begin a line of the text. Lines that were quoted because they begin so lose one `>`.
  package mutating func add(_ line: [UInt8]) -> [UInt8]? {
    var ended: [UInt8]?
    var content = line[...]
    while let last = content.last, last == 0x0A || last == 0x0D { content.removeLast() }
    if let separator {
      self.separator = nil
      if MailLine.nameEnd(content) != nil || MailLine.isQuotedSeparator(content)
        || content.isEmpty && mail.isEmpty
      {
        ended = finished()
        isAfterEmpty = false
      } else {
        append(separator[...])
      }
    }
    if MailLine.isSeparator(content), isAfterEmpty || Self.hasTime(content), Self.isDated(content) {
      separator = line
    } else {
      append(MailLine.isQuotedSeparator(content) ? line.dropFirst() : line[...])
    }
    isAfterEmpty = content.isEmpty
    return ended
  }

  /// Returns the last mail, if any.
  package mutating func finished() -> [UInt8]? {
    if let separator { append(separator[...]) }
    separator = nil
    defer { mail = [] }
    return mail.allSatisfy(\.isBlank) ? nil : mail
  }

  private mutating func append(_ line: ArraySlice<UInt8>) {
    if mail.count <= limit { mail += line }
  }

  /// Whether a line has a time of day, such as `10:00`.
  private static func hasTime(_ line: ArraySlice<UInt8>) -> Bool {
    line.indices.dropFirst().dropLast(2).contains {
      line[$0] == 0x3A && line[$0 - 1].isDigit && line[$0 + 1].isDigit && line[$0 + 2].isDigit
    }
  }

  /// Whether a line has a time of day or a year.
  private static func isDated(_ line: ArraySlice<UInt8>) -> Bool {
    hasTime(line)
      || line.split(whereSeparator: { !$0.isDigit }).contains {
        $0.count == 4 && ($0.first == 0x31 || $0.first == 0x32) || $0.count == 8
      }
  }

  // MARK: - Single mails

  private static func unmarked(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
  }

  /// Returns the first mail of a file without what a program has put around it, and whether it is a
  /// patch of Git instead.
  static func first(_ bytes: ArraySlice<UInt8>) -> (bytes: ArraySlice<UInt8>, isPatch: Bool) {
    var bytes = unmarked(bytes)
    var rest = bytes
    guard let line = MailLine.next(&rest) else { return (bytes, false) }
    // Apple Mail writes the size of the mail first, and a property list after it.
    let digits = line.prefix { $0.isDigit }
    if (1...12).contains(digits.count), line.dropFirst(digits.count).allSatisfy(\.isBlank),
      let size = Int(String(decoding: digits, as: UTF8.self))
    {
      let list = rest.dropFirst(size)
      let isList = list.isEmpty || list.starts(with: Array("<?xml".utf8))
      return (isList ? rest.prefix(size) : rest, false)
    }
    rest = bytes
    var isPatch = false
    while let line = MailLine.next(&rest),
      MailLine.isSeparator(line) || MailLine.isQuotedSeparator(line)
    {
      isPatch = isPatch || line.suffix(patchDate.count).elementsEqual(patchDate)
      bytes = rest
    }
    return (bytes, isPatch)
  }

  private static let patchDate = Array(" Mon Sep 17 00:00:00 2001".utf8)
}
