import CEL
package import Engine

/// A notification as an email message (RFC 5322).
package struct NotificationMail {
  /// The message, with the line endings that `sendmail` expects.
  package let text: String

  /// The bytes of a subject per encoded word, which is limited to 75 characters (RFC 2047 §2).
  private static let wordSize = 42
  /// The length of a base64 line (RFC 2045 §6.8).
  private static let lineSize = 76

  package init(_ notification: DesktopNotification, to address: String) {
    var fields = [
      "To: \(address)", "Subject: \(Self.encoded(notification.title))",
      "Auto-Submitted: auto-generated", "MIME-Version: 1.0",
      "Content-Type: text/plain; charset=utf-8", "Content-Transfer-Encoding: base64",
    ]
    if notification.urgency == .critical { fields.append("Importance: high") }
    var body = Base64.encode(Array((notification.text + "\n").utf8))[...]
    var lines: [Substring] = []
    while !body.isEmpty {
      lines.append(body.prefix(Self.lineSize))
      body = body.dropFirst(Self.lineSize)
    }
    text = (fields + [""] + lines.map(String.init)).joined(separator: "\n") + "\n"
  }

  /// A header value: encoded words, unless it is short ASCII.
  private static func encoded(_ text: String) -> String {
    let isPlain = text.utf8.allSatisfy { (0x20..<0x7F).contains($0) } && !text.contains("=?")
    if isPlain, text.utf8.count <= lineSize - 10 { return text }
    var words: [[UInt8]] = [[]]
    for character in text.unicodeScalars {
      let bytes = Array(String(character).utf8)
      if words[words.count - 1].count + bytes.count > wordSize { words.append([]) }
      words[words.count - 1] += bytes
    }
    return words.map { "=?utf-8?B?\(Base64.encode($0))?=" }.joined(separator: "\n ")
  }
}
