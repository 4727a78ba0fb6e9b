import ForeignText
import Glibc
package import Inbox
import POSIX

/// The mails in a file or on standard input: one mail, a mailbox (mbox), or a folder of mails
/// (Maildir).
package struct MailSource {
  /// The maximum size of a mail in bytes.
  package static let maxMail = 64 << 20

  /// The mails of a Maildir; nil for a file.
  private let files: [String]?
  /// The lines of a file.
  var lines: LineReader

  /// Opens a file or a Maildir; `-` is standard input.
  ///
  /// - Throws: `InboxError` for an unreadable file.
  init(_ path: String) throws {
    files = Self.maildir(path)
    let file =
      path == "-" || files != nil
      ? Descriptor(adopting: dup(0), path: "standard input")
      : try InboxError.wordingSystem { () throws(SystemError) in try Descriptor(input: path) }
    lines = LineReader(file)
  }

  /// Reads an open file.
  package init(_ file: OpenFile) {
    files = nil
    lines = LineReader(Descriptor(adopting: dup(file.descriptor), path: file.path))
  }

  /// Reads a Maildir; nil for another path.
  package init?(maildir path: String) {
    guard let files = Self.maildir(path) else { return nil }
    self.files = files
    lines = LineReader(Descriptor(adopting: dup(0), path: path))
  }

  /// Reads all mails in order.
  ///
  /// - Parameters:
  ///   - isNamed: Whether they are called mails, so that little evidence is enough.
  ///   - body: Receives a mail; nil for one that is unreadable or too large.
  /// - Returns: Whether the file has mails; otherwise nothing has been read.
  /// - Throws: `io`; rethrows errors of `body`.
  package mutating func read(
    isNamed: Bool = false, _ body: ([UInt8]?) throws -> Void
  ) throws -> Bool {
    if let files {
      for file in files { try body(try? FileReader.bytes(of: file, limit: Self.maxMail)) }
      return true
    }
    let head = try lines.head(ContentSignature.headSize)
    switch ContentSignature.mediaType(
      of: head.bytes, isWhole: head.isWhole, name: nil, told: isNamed ? "message/rfc822" : "")
    {
    case "application/mbox":
      var file = MailFile(limit: Self.maxMail)
      func add(_ mail: [UInt8]?) throws {
        if let mail { try body(mail.count > Self.maxMail ? nil : mail) }
      }
      while let line = try lines.next() { try add(file.add(line)) }
      try add(file.finished())
    case "message/rfc822": try body(lines.rest(limit: Self.maxMail))
    default: return false
    }
    return true
  }

  /// The mails of a Maildir in the order of their names; nil for another path.
  private static func maildir(_ path: String) -> [String]? {
    let folders = [path + "/new", path + "/cur"].filter {
      (stat.at($0)?.st_mode ?? 0) & S_IFMT == S_IFDIR
    }
    if folders.isEmpty { return nil }
    return folders.flatMap { folder in
      Folder.visibleNames(in: folder).sorted().map { folder + "/" + $0 }
    }
  }
}

extension NewShare {
  /// Passes on the mails of standard input, or of a mailbox that is larger than a share may be.
  ///
  /// Files within the limits are shared as they are: definitions may accept mails, and the import
  /// divides them otherwise.
  ///
  /// - Returns: Whether it was mails.
  /// - Throws: `io`; rethrows errors of `body`.
  package func readMails(_ body: ([UInt8]?) throws -> Void) throws -> Bool {
    switch items.count == 1 ? items[0] : nil {
    case .bytes(let bytes, nil, nil)? where ContentSignature.isMail(bytes):
      for mail in MailFile.mails(in: bytes) { try body(mail) }
      return true
    case .file(let file, nil)? where file.size > ShareLimits.itemBytes:
      var source = MailSource(file)
      return try source.read(body)
    default: return false
    }
  }
}

extension InboxError {
  /// Runs `body`, and words an error of the system.
  fileprivate static func wordingSystem<Result>(
    _ body: () throws(SystemError) -> Result
  ) throws(InboxError) -> Result {
    do { return try body() } catch {
      throw InboxError(.unfit, "\(error.path): \(error.reason)", help: error.inputHelp)
    }
  }
}
