/// The fields of a mail or of a part of one, up to an empty line (RFC 5322 §2.2, RFC 6532).
package struct MailHeader {
  /// The first value of each known field by its name in lower case, with folds undone.
  private var values: [String: [UInt8]] = [:]
  /// The bytes after the empty line.
  let body: ArraySlice<UInt8>
  /// Whether an empty line ends the header.
  private var isClosed = false
  /// Whether it begins with a field.
  private var beginsWithField = false
  /// Whether a field has a name with capital letters.
  private var hasCapitals = false
  /// Whether a field is one of HTTP, or of another format with such fields.
  private var isForeign = false
  private var fields = 0
  private var faults = 0

  /// Fields of mails (RFC 5322 §3.6 and others). Those of parts have the prefix `content-`.
  private static let known: Set<String> = [
    "from", "to", "cc", "bcc", "subject", "date", "received", "return-path", "delivered-to",
    "message-id", "mime-version", "content-type", "content-transfer-encoding",
    "content-disposition", "reply-to", "sender", "in-reply-to", "references", "dkim-signature",
    "arc-seal", "authentication-results", "x-mailer", "resent-from", "newsgroups", "list-id",
  ]
  private static let foreign: Set<String> = [
    "host", "server", "accept", "accept-ranges", "cache-control", "connection", "etag",
    "location", "set-cookie", "cookie", "transfer-encoding", "vary", "last-modified", "age",
    "snapshot-content-location",
  ]
  /// The number of lines in which a fault in a header looks for another field.
  private static let ahead = 20

  /// Parses a header leniently.
  ///
  /// - Parameter isBoundary: Whether a line that begins with `--` ends the part.
  /// - Complexity: O(bytes of the header).
  init(_ bytes: ArraySlice<UInt8>, isBoundary: (ArraySlice<UInt8>) -> Bool = { _ in false }) {
    var rest = bytes
    var current: String?
    while true {
      let before = rest
      guard let line = MailLine.next(&rest) else { break }
      if line.isEmpty {
        isClosed = true
        break
      }
      if line.starts(with: [0x2D, 0x2D]), isBoundary(line) {
        rest = before
        break
      }
      if line.first == 0x20 || line.first == 0x09 {
        if let current { values[current]? += line }
        continue
      }
      if let end = MailLine.nameEnd(line) {
        let name = String(decoding: line[..<end].map(\.loweredASCII), as: UTF8.self)
        if fields == 0 { beginsWithField = faults == 0 }
        fields += 1
        if line[..<end].contains(where: { (0x41...0x5A).contains($0) }) { hasCapitals = true }
        if Self.foreign.contains(name) { isForeign = true }
        current = Self.known.contains(name) && values[name] == nil ? name : nil
        let value = line[end...].drop { $0 != 0x3A }.dropFirst()
        if let current { values[current] = Array(value.drop { $0 == 0x20 || $0 == 0x09 }) }
        continue
      }
      // Programs that forward mails leave the separator of a mailbox in the header.
      if MailLine.isSeparator(line) || MailLine.isQuotedSeparator(line) { continue }
      faults += 1
      if let name = current, Self.isUnfinished(values[name], line) {
        values[name]? += line
      } else if !Self.hasField(rest) {
        rest = before
        break
      }
    }
    body = rest
  }

  /// Whether a line without a colon goes on with a value whose fold is lost.
  private static func isUnfinished(_ value: [UInt8]?, _ line: ArraySlice<UInt8>) -> Bool {
    guard let value = value?.suffix(1_000), let last = value.last else { return false }
    let open = value.lastIndex(of: UInt8(ascii: "<"))
    return last == UInt8(ascii: ",") || last == UInt8(ascii: ";")
      || open.map { !value[$0...].contains(UInt8(ascii: ">")) } ?? false
        && line.contains(UInt8(ascii: ">"))
  }

  /// Whether a field of a mail follows before the next empty line, so that the header is not over.
  private static func hasField(_ bytes: ArraySlice<UInt8>) -> Bool {
    var rest = bytes
    for _ in 0..<ahead {
      guard let line = MailLine.next(&rest), !line.isEmpty else { return false }
      guard let end = MailLine.nameEnd(line), line[end] == 0x3A else { continue }
      let name = String(decoding: line[..<end].map(\.loweredASCII), as: UTF8.self)
      if known.contains(name) || name.hasPrefix("x-") { return true }
    }
    return false
  }

  // MARK: - Recognition

  /// Whether a text begins like a mail.
  ///
  /// It must begin with fields, and lines that are not fields must be few. Three different fields of
  /// mails are enough if one tells the sender and a program wrote one of them, such as `Message-ID`,
  /// `Received` or a `Date` in the form of mails; so are two of these. Of fields that a person may
  /// have written, the sender must be an address, the names must have capitals, and an empty line
  /// must follow.
  ///
  /// - Parameters:
  ///   - isWhole: Whether the bytes are all of the text.
  ///   - isNamed: Whether its name or its sender says that it is a mail; then one field is enough.
  package static func begins(_ bytes: [UInt8], isWhole: Bool, isNamed: Bool = false) -> Bool {
    let message = MailFile.first(bytes[...])
    // `git format-patch` writes this date, so that its files are not taken for mails.
    if message.isPatch { return false }
    let header = MailHeader(message.bytes)
    guard header.beginsWithField, header.faults <= 1 + header.fields / 8 else { return false }
    return header.isOfMail(isCut: !isWhole && !header.isClosed, isNamed: isNamed)
  }

  private func isOfMail(isCut: Bool, isNamed: Bool) -> Bool {
    let isMade = hasProgramsField
    if isForeign && values["message-id"] == nil && values["received"] == nil { return false }
    if isNamed { return values["from"] != nil || values["subject"] != nil || isMade }
    if values["from"]?.starts(with: Array("<Saved by ".utf8)) == true { return false }
    if isCut { return isMade }
    let hasSender = ["from", "received", "return-path"].contains { values[$0] != nil }
    let hasAddress = values["from"]?.contains(UInt8(ascii: "@")) == true
    if values.count >= 3, hasSender {
      return isMade || hasAddress && hasCapitals && isClosed
    }
    return values.count == 2 && hasAddress && isMade && isClosed
  }

  /// Whether a field has a value as programs write it.
  private var hasProgramsField: Bool {
    func has(_ name: String, _ marks: String...) -> Bool {
      guard let value = values[name] else { return false }
      return marks.allSatisfy { value.firstRange(of: $0.utf8) != nil }
    }
    return has("message-id", "<", ">") || has("received", ";", ":") || has("return-path", "<")
      || has("dkim-signature", "=") || has("arc-seal", "=") || has("mime-version", "1")
      || values["date"].map { MailDate.isWritten($0) } ?? false
  }

  // MARK: - Values

  /// Returns the value of a field given by its name in lower case, with encoded words as they are.
  func raw(_ name: String) -> String? { values[name].map { MailText.text($0, charset: "") } }

  /// Returns the text of a field given by its name in lower case.
  ///
  /// Bytes that are not UTF-8 are in the encoding of the text, as the programs of old wrote them.
  func text(_ name: String) -> String? {
    values[name].map {
      MailText.decoded(MailText.text($0, charset: charset))
    }
  }

  /// The label of the text's encoding; empty without one.
  var charset: String {
    String((parameter("charset", of: "content-type") ?? "").prefix { !$0.isWhitespace })
  }

  /// Returns a parameter of a field, such as `boundary`, joining the continuations of RFC 2231.
  func parameter(_ name: String, of field: String) -> String? {
    raw(field).flatMap { MailParameters($0)[name] }
  }

  /// Returns the media type in lower case, or another if it is missing (RFC 2045 §5.2).
  func type(else other: String = "text/plain") -> String {
    guard let value = raw("content-type")?.prefix(while: { $0 != ";" }).lowercased() else {
      return other
    }
    let type = value.prefix { $0 != "(" }.filter { !$0.isWhitespace }
    let parts = type.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count == 2 && parts.allSatisfy { !$0.isEmpty } ? type : "text/plain"
  }

  /// The encoding of the body in lower case.
  var transferEncoding: String {
    (raw("content-transfer-encoding") ?? "").prefix { $0 != ";" && $0 != "(" }.lowercased()
      .filter { !$0.isWhitespace }
  }

  /// Whether the part is to be a file.
  var isAttached: Bool {
    raw("content-disposition")?.trimmingBlanks.lowercased().hasPrefix("attachment") == true
  }

  /// The name of the part's file, if any.
  var fileName: String? {
    let name =
      parameter("filename", of: "content-disposition") ?? parameter("name", of: "content-type")
    return name.map(MailText.decoded).flatMap { $0.isEmpty ? nil : $0 }
  }
}
