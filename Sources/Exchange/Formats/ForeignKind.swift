import ForeignText

/// A kind of file that is not imported, but has a command of its own.
package enum ForeignKind: Sendable, CaseIterable {
  case shortcut, mail, mailbox, picture, document, library, definition

  /// The noun for a file of this kind, and the command that takes it.
  package var words: (noun: String, command: String) {
    switch self {
    case .shortcut: ("a shortcut of Apple's app", "errand convert FILE")
    case .mail: ("a mail", "errand share-in FILE")
    case .mailbox: ("a mailbox", "errand share-in --shelf FILE")
    case .picture: ("a picture", "errand share-in FILE")
    case .document: ("a PDF", "errand share-in FILE")
    case .library: ("a library of Errand", "errand export --store FILE | errand import -")
    case .definition: ("a definition of Errand", "errand check FILE")
    }
  }

  /// Magic numbers of pictures: PNG, JPEG, GIF and TIFF.
  private static let pictures: [[UInt8]] = [
    [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), [0x49, 0x49, 0x2A, 0],
    [0x4D, 0x4D, 0, 0x2A],
  ]

  /// The fields with one of which the header of a mail begins.
  private static let fields: Set<String> = [
    "return-path", "received", "delivered-to", "x-apparently-to", "mime-version", "message-id",
    "dkim-signature", "x-received", "arc-seal",
  ]

  /// Detects the kind of a file from its beginning; nil for a file that may be imported.
  ///
  /// - Parameters:
  ///   - text: The beginning in lower case.
  ///   - isDatabase: Whether it is a database of SQLite.
  init?(_ head: [UInt8], text: String, ending: String, isDatabase: Bool) {
    func begins(_ mark: String, at place: Int = 0) -> Bool {
      head.dropFirst(place).starts(with: mark.utf8)
    }
    if isDatabase {
      guard text.contains("errand_changes") || text.contains("errand_meta") else { return nil }
      self = .library
    } else if begins("AEA1") || text.contains("wfworkflowactions") {
      self = .shortcut
    } else if Self.pictures.contains(where: head.starts(with:)) || begins("WEBP", at: 8)
      || begins("ftyphei", at: 4)
    {
      self = .picture
    } else if begins("%PDF-") {
      self = .document
    } else if begins("From "), text.contains("\nfrom:") || text.contains("\nreceived:") {
      self = .mailbox
    } else {
      let lines = text.split(whereSeparator: \.isNewline).lazy.filter { !$0.hasPrefix("#") }
      let name = lines.first?.split(separator: ":", maxSplits: 1).first.map(String.init) ?? ""
      if Self.fields.contains(name) || ending == "eml" || ending == "emlx" {
        self = .mail
      } else if ["entity", "intent", "shortcut", "automation", "widget"].contains(name),
        ["yaml", "yml", ""].contains(ending)
      {
        self = .definition
      } else {
        return nil
      }
    }
  }
}
