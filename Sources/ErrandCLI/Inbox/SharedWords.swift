import ErrandKit
import Glibc
import Inbox
import Links
import Source

/// Interprets the arguments of `share-in`.
struct SharedWords {
  private let words: [String]
  private let type: String?
  private let name: String?
  private let wantsClipboard: Bool

  init(_ arguments: Arguments) {
    words = arguments.words
    type = arguments.last("type")
    name = arguments.last("name")
    wantsClipboard = arguments.isOn("clipboard")
  }

  /// Whether all is on standard input.
  var isInput: Bool { words == ["-"] }

  /// Returns the share.
  ///
  /// - Throws: `UsageError`, `InboxError`.
  func newShare(clipboard: () -> String?) throws -> NewShare {
    if wantsClipboard {
      try UsageError.expect(
        words.isEmpty, "--clipboard takes no arguments, but “\(words[0])” was given")
      guard let text = clipboard(), text.contains(where: { !$0.isWhitespace }) else {
        throw UsageError("there is no text on the clipboard")
      }
      if type != "text", let files = try files(listedIn: text) { return NewShare(files) }
      return NewShare([.text(text, isPlain: type == "text")])
    }
    return NewShare(isInput && name == nil && type == nil ? try items(of: bytes()) : try items())
  }

  /// Passes on the mails of a Maildir, or nothing if the words are not the path of one.
  ///
  /// - Throws: `InboxError`; rethrows errors of `body`.
  func readMaildir(_ body: ([UInt8]?) throws -> Void) throws -> Bool {
    guard words.count == 1, type == nil, namesFolder(words[0]),
      let path = String(validating: try path(words[0]), as: UTF8.self),
      var source = MailSource(maildir: path)
    else { return false }
    return try source.read(body)
  }

  /// Returns the shared items, in the order of the arguments.
  ///
  /// - Throws: `UsageError` for an item that does not match `--type`, `InboxError` for a file that cannot be
  /// opened.
  private func items() throws -> [NewShare.Item] {
    try UsageError.expect(
      !words.isEmpty, "`share-in` needs something to share",
      help: "give text, a URL or files, or - for standard input")
    if name != nil, !words.contains("-") {
      throw UsageError("--name is for standard input", help: "write - where it is to be read")
    }
    switch type {
    case nil: return try guessed()
    case "text"?:
      return [.text(try text(words.map { $0 == "-" ? try input() : $0 }), isPlain: true)]
    case "url"?: return try words.map { .url(try url($0 == "-" ? try input() : $0)) }
    case "file"?:
      return try words.flatMap { word -> [NewShare.Item] in
        word == "-" ? [.bytes(try bytes(), name: name, mediaType: nil)] : try files(word)
      }
    case let type?:
      try UsageError.expect(
        type.split(separator: "/", omittingEmptySubsequences: false).count == 2,
        "--type must be text, url or file, not “\(type)”",
        help: Suggestion.help(for: type, in: ["text", "url", "file"])
          ?? "or a media type such as text/csv")
      return try words.map { word in
        if word == "-" { return .bytes(try bytes(), name: name, mediaType: type) }
        if isFile(word) || FileURL(word) != nil {
          return .file(try OpenFile(try path(word)), mediaType: type)
        }
        return .bytes(Array(try text([word]).utf8), name: nil, mediaType: type)
      }
    }
  }

  /// Interprets arguments without `--type`.
  private func guessed() throws -> [NewShare.Item] {
    let areFiles = words.allSatisfy { $0 == "-" || isFile($0) }
    var items: [NewShare.Item] = []
    var texts: [String] = []
    func finishText() throws {
      if !texts.isEmpty { items.append(.text(try text(texts), isPlain: false)) }
      texts = []
    }
    for word in words {
      let hasPathLook = word.contains("/") || word.contains(".")
      if word == "-" {
        try finishText()
        items += try self.items(of: bytes())
      } else if areFiles || hasPathLook && isFile(word) || namesFolder(word) || FileURL(word) != nil
      {
        try finishText()
        items += try files(word)
      } else if let url = try? WebURL(word) {
        try finishText()
        items.append(.url(url.text))
      } else if ["/", "./", "../", "~/"].contains(where: word.hasPrefix), !word.contains(" ") {
        // A path means a file even if it does not exist.
        items += try files(word)
      } else {
        texts.append(word)
      }
    }
    try finishText()
    return items
  }

  private func isFile(_ word: String) -> Bool {
    !word.isEmpty && OpenFile.isThere(RawWord.bytes(of: Places.expanded(word)))
  }

  /// Whether a word is a folder's path rather than a word of text.
  private func namesFolder(_ word: String) -> Bool {
    (word.contains("/") || word == "." || word == "..")
      && OpenFile.isFolder(RawWord.bytes(of: Places.expanded(word)))
  }

  /// Returns the file, or the files of the folder, that a word names.
  private func files(_ word: String) throws -> [NewShare.Item] {
    let path = try path(word)
    let files = OpenFile.isFolder(path) ? try OpenFile.all(in: path) : [try OpenFile(path)]
    return files.map { .file($0, mediaType: nil) }
  }

  /// Returns the path that a word is, or names as a `file:` URL.
  ///
  /// - Throws: `UsageError` for a file on another machine.
  private func path(_ word: String) throws -> [UInt8] {
    guard let url = FileURL(word) else { return RawWord.bytes(of: Places.expanded(word)) }
    try UsageError.expect(
      url.host.isEmpty || url.host == Self.hostName, "\(word) is on another machine, “\(url.host)”",
      help: "share a file of this machine")
    return url.path
  }

  /// This machine's name, which some file managers put into `file:` URLs.
  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      .lowercased()
  }

  /// Returns the files of text that consists of `file:` URLs, one per line, as copied by file
  /// managers (RFC 2483 §5, which allows comments); nil for other text.
  private func files(listedIn text: String) throws -> [NewShare.Item]? {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
    guard !lines.isEmpty, lines.allSatisfy({ FileURL(String($0)) != nil }) else { return nil }
    return try lines.flatMap { try files(String($0)) }
  }

  /// Joins words into one text.
  private func text(_ words: [String]) throws -> String {
    let text = words.joined(separator: " ")
    try UsageError.expect(
      RawWord.isText(text), "a text is not valid UTF-8", help: "convert it to UTF-8 first")
    guard text.contains(where: { !$0.isWhitespace }) else { throw UsageError("the text is empty") }
    return text
  }

  private func url(_ word: String) throws -> String {
    do {
      return try WebURL(pasted: word).text
    } catch {
      throw UsageError("“\(word)” is not a URL: \(error)")
    }
  }

  private func bytes() throws -> [UInt8] {
    let bytes = try FileReader.bytes(of: "-", limit: ShareLimits.itemBytes)
    if bytes.isEmpty { throw UsageError("standard input is empty") }
    return bytes
  }

  /// Reads standard input as text, without the final line end.
  private func input() throws -> String {
    let text = try Self.text(of: try bytes()).expected(
      "standard input is not valid UTF-8", help: "leave --type out to share its bytes")
    return text
  }

  /// Reads standard input as text, a list of files, or the bytes of a file.
  private func items(of bytes: [UInt8]) throws -> [NewShare.Item] {
    guard name == nil, !ContentSignature.isMail(bytes), let text = Self.text(of: bytes) else {
      return [.bytes(bytes, name: name, mediaType: nil)]
    }
    return try files(listedIn: text) ?? [.text(try self.text([text]), isPlain: false)]
  }

  private static func text(of bytes: [UInt8]) -> String? {
    var rest = bytes[...]
    if rest.last == 0x0A { rest.removeLast() }
    if rest.last == 0x0D { rest.removeLast() }
    guard !rest.contains(0) else { return nil }
    return String(validating: rest, as: UTF8.self)
  }
}
