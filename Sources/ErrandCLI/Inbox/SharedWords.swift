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
      return ShareDraft([.text(text, isPlain: type == "text")])
    }
    if words == ["-"], name == nil, type == nil {
      let bytes = try bytes()
      if ContentSignature.isMail(bytes), let draft = SharedMail.draft(bytes) { return draft }
      return ShareDraft([try item(of: bytes)])
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
      return try words.map {
        $0 == "-" ? .bytes(try bytes(), name: name, mediaType: nil) : try file($0)
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
        if isFile(word) { return try file(word, mediaType: type) }
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
        items.append(try inputItem())
      } else if areFiles || hasPathLook && isFile(word) {
        try finishText()
        items.append(try file(word))
      } else if let url = try? WebURL(word) {
        try finishText()
        items.append(.url(url.text))
      } else if ["/", "./", "../", "~/"].contains(where: word.hasPrefix), !word.contains(" ") {
        // Who writes a path means a file, also where it is not there.
        items.append(try file(word))
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

  private func file(_ word: String, mediaType: String? = nil) throws -> ShareDraft.Item {
    .file(try OpenFile(RawWord.bytes(of: Places.expanded(word))), mediaType: mediaType)
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

  /// Standard input as what it is: a text, or the bytes of a file.
  private func inputItem() throws -> ShareDraft.Item { try item(of: bytes()) }

  private func item(of bytes: [UInt8]) throws -> ShareDraft.Item {
    guard name == nil, !ContentSignature.isMail(bytes), let text = Self.text(of: bytes) else {
      return .bytes(bytes, name: name, mediaType: nil)
    }
    return .text(try self.text([text]), isPlain: false)
  }

  private static func text(of bytes: [UInt8]) -> String? {
    var rest = bytes[...]
    if rest.last == 0x0A { rest.removeLast() }
    if rest.last == 0x0D { rest.removeLast() }
    guard !rest.contains(0) else { return nil }
    return String(validating: rest, as: UTF8.self)
  }
}
