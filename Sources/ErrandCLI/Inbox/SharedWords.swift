import ErrandKit
import Glibc
import Inbox
import Links
import Source

/// What the words of `share-in` stand for.
struct SharedWords {
  private let words: [String]
  private let type: String?
  private let name: String?
  private let wantsClipboard: Bool

  init(_ arguments: ParsedArguments) {
    words = arguments.words
    type = arguments.last("type")
    name = arguments.last("name")
    wantsClipboard = arguments.isOn("clipboard")
  }

  /// What is shared.
  ///
  /// - Throws: `UsageError`, `InboxError`.
  func draft(clipboard: () -> String?) throws -> ShareDraft {
    if wantsClipboard {
      guard words.isEmpty else {
        throw UsageError("--clipboard takes no words, and “\(words[0])” was given")
      }
      guard let text = clipboard(), text.contains(where: { !$0.isWhitespace }) else {
        throw UsageError("there is no text on the clipboard")
      }
      if type != "text", let files = try files(listedIn: text) { return ShareDraft(files) }
      return ShareDraft([.text(text, isPlain: type == "text")])
    }
    if words == ["-"], name == nil, type == nil {
      let bytes = try bytes()
      if ContentSignature.isMail(bytes), let draft = SharedMail.draft(bytes) { return draft }
      return ShareDraft(try items(of: bytes))
    }
    return ShareDraft(try items())
  }

  /// What is shared, in the order of the words.
  ///
  /// - Throws: `UsageError` for what is not as `--type` says, `InboxError` for a file that can't be
  ///   opened.
  private func items() throws -> [ShareDraft.Item] {
    guard !words.isEmpty else {
      throw UsageError(
        "`share-in` needs something to share",
        help: "give a text, an address or files, or - for standard input")
    }
    if name != nil, !words.contains("-") {
      throw UsageError("--name is for standard input", help: "write - where it is to be read")
    }
    switch type {
    case nil: return try guessed()
    case "text"?:
      return [.text(try text(words.map { $0 == "-" ? try input() : $0 }), isPlain: true)]
    case "url"?: return try words.map { .url(try url($0 == "-" ? try input() : $0)) }
    case "file"?:
      return try words.flatMap { word -> [ShareDraft.Item] in
        word == "-" ? [.bytes(try bytes(), name: name, mediaType: nil)] : try files(word)
      }
    case let type?:
      guard type.split(separator: "/", omittingEmptySubsequences: false).count == 2 else {
        throw UsageError(
          "--type: “\(type)” is none of text, url, file",
          help: Suggestion.help(for: type, in: ["text", "url", "file"])
            ?? "or a media type such as text/csv")
      }
      return try words.map { word in
        if word == "-" { return .bytes(try bytes(), name: name, mediaType: type) }
        if isFile(word) || FileURL(word) != nil {
          return .file(try OpenFile(try path(word)), mediaType: type)
        }
        return .bytes(Array(try text([word]).utf8), name: nil, mediaType: type)
      }
    }
  }

  /// What the words are by themselves.
  private func guessed() throws -> [ShareDraft.Item] {
    let areFiles = words.allSatisfy { $0 == "-" || isFile($0) }
    var items: [ShareDraft.Item] = []
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
        // Who writes a path means a file, also where it is not there.
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

  /// Whether a word is the path of a folder, and no name that could be a word of a text.
  private func namesFolder(_ word: String) -> Bool {
    (word.contains("/") || word == "." || word == "..")
      && OpenFile.isFolder(RawWord.bytes(of: Places.expanded(word)))
  }

  /// The file that a word names, or the files of the folder that it names.
  private func files(_ word: String) throws -> [ShareDraft.Item] {
    let path = try path(word)
    let files = OpenFile.isFolder(path) ? try OpenFile.all(in: path) : [try OpenFile(path)]
    return files.map { .file($0, mediaType: nil) }
  }

  /// The path that a word is, or that it names as a `file:` URL.
  ///
  /// - Throws: `UsageError` for a file of another machine.
  private func path(_ word: String) throws -> [UInt8] {
    guard let url = FileURL(word) else { return RawWord.bytes(of: Places.expanded(word)) }
    guard url.host.isEmpty || url.host == Self.hostName else {
      throw UsageError(
        "\(word) is on another machine, “\(url.host)”", help: "share a file of this machine")
    }
    return url.path
  }

  /// The name of this machine, which some file managers write into a `file:` URL.
  private static var hostName: String {
    var name = [CChar](repeating: 0, count: 256)
    guard gethostname(&name, name.count - 1) == 0 else { return "" }
    return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
      .lowercased()
  }

  /// The files of a text that is nothing but `file:` URLs, a line each, as file managers copy them;
  /// nil for another text (RFC 2483 §5 has the form, with comments).
  private func files(listedIn text: String) throws -> [ShareDraft.Item]? {
    let lines = text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
    guard !lines.isEmpty, lines.allSatisfy({ FileURL(String($0)) != nil }) else { return nil }
    return try lines.flatMap { try files(String($0)) }
  }

  /// Words as one text.
  private func text(_ words: [String]) throws -> String {
    let text = words.joined(separator: " ")
    guard RawWord.isText(text) else {
      throw UsageError("a text is not valid UTF-8", help: "convert it to UTF-8 first")
    }
    guard text.contains(where: { !$0.isWhitespace }) else {
      throw UsageError("the text is empty")
    }
    return text
  }

  private func url(_ word: String) throws -> String {
    do {
      return try WebURL(pasted: word).text
    } catch {
      throw UsageError("“\(word)” is no URL: \(error)")
    }
  }

  private func bytes() throws -> [UInt8] {
    let bytes = try FileReader.bytes(of: "-", limit: ShareLimits.itemBytes)
    if bytes.isEmpty { throw UsageError("standard input is empty") }
    return bytes
  }

  /// Standard input as text, without the line end after its last line.
  private func input() throws -> String {
    guard let text = Self.text(of: try bytes()) else {
      throw UsageError(
        "standard input is not valid UTF-8", help: "leave --type out to share its bytes")
    }
    return text
  }

  /// Standard input as what it is: a text, a list of files, or the bytes of a file.
  private func items(of bytes: [UInt8]) throws -> [ShareDraft.Item] {
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
