/// Distinguishes mails from other text.
enum MailSignature {
  /// The media type of mails.
  static let mediaType = "message/rfc822"

  /// Lower-case header fields at the beginning of mails (RFC 5322 §3.6).
  private static let fields: Set<Substring> = [
    "from", "to", "cc", "subject", "date", "received", "return-path", "delivered-to", "message-id",
    "mime-version", "content-type", "reply-to", "sender", "dkim-signature", "x-mailer",
  ]

  /// Whether a lower-case text begins like a mail: with several header fields, including the
  /// sender, and nothing else.
  static func matches(_ text: Substring) -> Bool {
    var known: Set<Substring> = []
    var lines = text.split(
      maxSplits: 40, omittingEmptySubsequences: false, whereSeparator: \.isNewline
    )[...]
    if lines.first?.hasPrefix("from ") == true { lines.removeFirst() }
    // The last line may be incomplete.
    for line in lines {
      if line.isEmpty { break }
      if line.first == " " || line.first == "\t" {
        if known.isEmpty { return false }
        continue
      }
      guard let colon = line.firstIndex(of: ":") else {
        if line == lines.last { break }
        return false
      }
      let name = line[..<colon]
      guard name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }) else {
        return false
      }
      if fields.contains(name) { known.insert(name) }
    }
    return known.count >= 3 && (known.contains("from") || known.contains("received"))
  }
}
