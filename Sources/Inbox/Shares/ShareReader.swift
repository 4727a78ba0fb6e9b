package import CEL
import CLinux
import Glibc
import JSON
import Links
import POSIX

/// Reads a share's file: a line of JSON followed by the items' bytes, or a bare file.
package struct ShareReader {
  private let file: Descriptor
  /// The share.
  package let share: Share

  /// Opens a share's file; nil if it no longer exists.
  ///
  /// - Throws: `malformed` if it is not a share, `io`.
  init?(_ name: String, at path: String, _ vault: Vault?) throws(InboxError) {
    let file: Descriptor
    do { file = try Descriptor(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) } catch {
      if error.code == ENOENT { return nil }
      throw error.code == ELOOP ? Self.malformed("it is a link") : .system(path, error.code)
    }
    let status = try InboxError.wording { try file.status() }
    guard let vault, status.st_mode & S_IFMT == S_IFREG,
      Sealer.isSealed(try Self.bytes(file, at: 0, count: Sealer.mark.count))
    else {
      self.file = file
      share = try Self.share(name, file, status)
      return
    }
    let (opened, receipt) = try Self.opened(file, vault)
    self.file = opened
    var openedStatus = try InboxError.wording { try opened.status() }
    openedStatus.st_mtim = status.st_mtim
    var share = try Self.share(name, opened, openedStatus)
    // The opened copy is no longer the sharing program's file.
    share.isBare = false
    if !receipt.isEmpty { share.receipt = receipt }
    self.share = share
  }

  /// Opens a sealed share into memory; returns it with its receipt from before it was sealed.
  private static func opened(
    _ file: Descriptor, _ vault: Vault
  ) throws(InboxError) -> (Descriptor, String) {
    try InboxError.wording {
      let memory = errand_memory_file()
      guard memory >= 0 else { throw SystemError(file.path) }
      let opened = Descriptor(adopting: memory, path: file.path)
      var receipt: String?
      func write(_ piece: [UInt8]) throws {
        var bytes = piece[...]
        if receipt == nil, let line = bytes.firstIndex(of: 0x0A) {
          receipt = String(decoding: bytes[..<line], as: UTF8.self)
          bytes = bytes[(line + 1)...]
        }
        try opened.write(Array(bytes))
      }
      try vault.open(reading: { try bytes(file, at: $0, count: $1) }, into: write)
      return (opened, receipt ?? "")
    }
  }

  /// Reads the whole file in pieces.
  func readAll(_ body: ([UInt8]) throws -> Void) throws {
    var position = 0
    while true {
      let piece = try Self.bytes(file, at: position, count: 1 << 18)
      if piece.isEmpty { return }
      try body(piece)
      position += piece.count
    }
  }

  /// Reads the bytes of an item in chunks.
  ///
  /// - Throws: `io`; rethrows errors of `body`.
  package func read(_ item: Share.Item, _ body: ([UInt8]) throws -> Void) throws {
    guard var position = item.offset else { return try body(Array((item.text ?? "").utf8)) }
    let end = position + item.size
    while position < end {
      let piece = try Self.bytes(file, at: position, count: min(end - position, 1 << 18))
      guard !piece.isEmpty else { throw InboxError.system(file.path, EIO) }
      try body(piece)
      position += piece.count
    }
  }

  /// The time a bare file must be unchanged before it is imported.
  package static let settlingTime = Duration.seconds(2)

  /// The suffixes that programs give unfinished files.
  private static let temporaryEnds = [
    ".part", ".partial", ".filepart", ".crdownload", ".download", ".tmp",
  ]

  /// Whether the file is complete. A bare file is not renamed on completion, so its age and its open
  /// writers decide.
  package func isWhole(at now: Timestamp) -> Bool {
    guard share.isBare else { return true }
    let name = share.name.lowercased()
    if Self.temporaryEnds.contains(where: name.hasSuffix) { return false }
    let age = now.microseconds - share.time.microseconds
    // A time in the future comes from another machine's clock.
    if (0..<Self.settlingTime.microseconds).contains(age) { return false }
    return FileWriters.exist(for: file.number) != true
  }

  /// Whether the file is unchanged since it was opened.
  package var isUnchanged: Bool {
    guard share.isBare else { return true }
    return (try? file.status()).map { Self.receipt(of: share.name, $0) } == share.receipt
  }

  /// The receipt of a bare file. It contains the inode number, since programs such as Syncthing set
  /// modification times: a new file can have the name and time of an earlier one.
  static func receipt(of name: String, _ status: stat) -> String {
    "\(name) \(status.st_size) \(time(of: status).microseconds) \(status.st_ino)"
  }

  private static func time(of status: stat) -> Timestamp {
    Timestamp(
      microseconds: Int64(status.st_mtim.tv_sec) * 1_000_000
        + Int64(status.st_mtim.tv_nsec) / 1000)
  }

  private static func malformed(_ reason: String, help: String? = nil) -> InboxError {
    InboxError(.malformed, reason, help: help)
  }

  private static func share(
    _ name: String, _ file: Descriptor, _ status: stat
  ) throws(InboxError) -> Share {
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw malformed(
        "it is \(isFolder ? "a folder" : "not a regular file")",
        help: "move \(isFolder ? "the files in it up, or share it" : "it elsewhere")")
    }
    let fileSize = Int(status.st_size)
    guard try isShare(file, fileSize) else { return try bareShare(name, file, status) }
    let (header, end) = try header(file, fileSize)
    guard case .map(let map)? = try? JSONParser().parse(header) else {
      throw malformed("its first line is not a JSON object")
    }
    guard case .int(1)? = map["share"] else {
      throw malformed("its first line has no `\"share\": 1`")
    }
    var maps: [MapValue] = []
    if case .list(let values)? = map["items"] {
      for value in values {
        guard case .map(let map) = value else { throw malformed("an item is not a JSON object") }
        maps.append(map)
      }
    } else {
      maps = [map]
    }
    guard !maps.isEmpty, maps.count <= ShareLimits.items else {
      throw malformed("it has \(maps.count) items; it must have 1 to \(ShareLimits.items)")
    }
    var position = end
    var items: [Share.Item] = []
    for map in maps {
      let item = try self.item(map, at: position, fileSize)
      if item.offset != nil { position += item.size }
      items.append(item)
    }
    guard position == fileSize else {
      throw malformed("it has \(fileSize - position) bytes more than its header says")
    }
    let time = time(of: status)
    let details = try details(map)
    return Share(
      name: name, from: try text("from", map), title: try text("title", map),
      to: try text("to", map), details: details,
      items: try items.map { item throws(InboxError) in try read(item, file) },
      time: time,
      receipt: details.key.map { "key \($0)" } ?? "\(name) \(fileSize) \(time.microseconds)")
  }

  private static func details(_ map: MapValue) throws(InboxError) -> ShareDetails {
    var details = ShareDetails()
    details.note = try text("note", map, limit: ShareLimits.textInHeader)
    details.reading = try text("reading", map)
    details.sender = try text("sender", map)
    details.conversation = try text("conversation", map)
    details.key = try text("key", map)
    guard let tags = map["tags"], tags != .null else { return details }
    guard case .list(let list) = tags else { throw malformed("`tags` is not a list") }
    for tag in list.prefix(ShareLimits.tags) {
      guard case .string(let text) = tag else { throw malformed("a tag is not a text") }
      details.tags.append(text)
    }
    return details
  }

  /// Whether the file is a share of any version, or the beginning of one.
  private static func isShare(_ file: Descriptor, _ size: Int) throws(InboxError) -> Bool {
    let head = try bytes(file, at: 0, count: 256).filter { $0 != 0x20 && $0 != 0x09 }
    guard head.first == UInt8(ascii: "{") else { return false }
    let mark = Array("{\"share\"".utf8)
    let isBegun = head.starts(with: mark) || mark.starts(with: head)
    guard let line = try? header(file, size).line,
      case .map(let map)? = try? JSONParser().parse(line)
    else { return isBegun }
    if case .int? = map["share"] { return true }
    return false
  }

  /// The share of a bare file: the file under its own name.
  private static func bareShare(
    _ name: String, _ file: Descriptor, _ status: stat
  ) throws(InboxError) -> Share {
    let size = Int(status.st_size)
    guard size <= ShareLimits.itemBytes else {
      throw malformed(
        "it has \(size >> 20) MiB; the limit is \(ShareLimits.itemBytes >> 20) MiB",
        help: "move it elsewhere")
    }
    let item = Share.Item(kind: .file, name: name, mediaType: "", offset: 0, size: size)
    return Share(
      name: name, from: nil, title: nil, to: nil, items: [try read(item, file)],
      time: time(of: status), receipt: receipt(of: name, status), isBare: true)
  }

  /// Reads the first line, without its line break, and the offset after it.
  private static func header(
    _ file: Descriptor, _ size: Int
  ) throws(InboxError) -> (line: [UInt8], end: Int) {
    var line: [UInt8] = []
    while line.count < ShareLimits.header {
      let piece = try bytes(file, at: line.count, count: 1 << 16)
      if piece.isEmpty { break }
      if let newline = piece.firstIndex(of: 0x0A) {
        line += piece[..<newline]
        return (line, line.count + 1)
      }
      line += piece
    }
    // A share of a single line may lack the line break.
    guard line.count == size else { throw malformed("its first line is too long") }
    return (line, size)
  }

  private static func text(
    _ key: String, _ map: MapValue, limit: Int = ShareLimits.name
  ) throws(InboxError) -> String? {
    switch map[key] {
    case nil, .null: return nil
    case .string(let text):
      guard text.utf8.count <= limit else { throw malformed("`\(key)` is too long") }
      return text.isEmpty ? nil : text
    default: throw malformed("`\(key)` must be a string")
    }
  }

  /// Parses an item of the header; its text and type are read later.
  private static func item(
    _ map: MapValue, at position: Int, _ fileSize: Int
  ) throws(InboxError) -> Share.Item {
    let isPlain = try text("kind", map) == "text"
    let mediaType = try text("mediaType", map) ?? ""
    if case .string(let url)? = map["url"] { return address(url) }
    if case .string(let text)? = map["text"] { return isPlain ? plain(text) : guessed(text) }
    guard case .int(let count)? = map["size"], count >= 0 else {
      throw malformed("an item must have `url`, `text` or `size`")
    }
    guard count <= ShareLimits.itemBytes else { throw malformed("an item is larger than 50 MiB") }
    let size = Int(count)
    guard position + size <= fileSize else {
      throw malformed("it is incomplete: \(position + size - fileSize) bytes are missing")
    }
    guard position + size <= ShareLimits.bytes + ShareLimits.header else {
      throw malformed("it is larger than 100 MiB")
    }
    // Keep only the last component of a path.
    let name = try text("name", map)?.split(separator: "/").last.map { String($0) }
    return Share.Item(
      kind: isPlain ? .text : .file, name: name, mediaType: mediaType, offset: position, size: size)
  }

  /// Reads an item's text, or detects its type from its content.
  private static func read(
    _ item: Share.Item, _ file: Descriptor
  ) throws(InboxError) -> Share.Item {
    guard let offset = item.offset else { return item }
    if item.kind == .text {
      let whole = try bytes(file, at: offset, count: item.size)
      guard whole.count == item.size else { throw malformed("it is incomplete") }
      if let text = String(validating: whole, as: UTF8.self) {
        var item = item
        (item.text, item.mediaType) = (text, "text/plain")
        return item
      }
    }
    let head = try bytes(file, at: offset, count: min(ContentSignature.headSize, item.size))
    return Share.Item(
      head: head, size: item.size, name: item.name, told: item.mediaType, offset: offset)
  }

  static func plain(_ text: String) -> Share.Item {
    Share.Item(kind: .text, text: text, mediaType: "text/plain", size: text.utf8.count)
  }

  /// A URL item if the whole text is a URL, else a text item.
  static func guessed(_ text: String) -> Share.Item {
    let trimmed = text.trimmed
    guard (try? WebURL(trimmed)) != nil else { return plain(text) }
    return address(trimmed)
  }

  /// A URL item; a text item if it is not a web URL.
  static func address(_ text: String) -> Share.Item {
    guard let url = try? WebURL(pasted: text.trimmed) else { return plain(text) }
    return Share.Item(kind: .url, url: url.text, mediaType: "text/uri-list", size: text.utf8.count)
  }

  private static func bytes(
    _ file: Descriptor, at position: Int, count: Int
  ) throws(InboxError) -> [UInt8] {
    try InboxError.wording {
      try Descriptor.bytes(of: file.number, named: file.path, at: position, count: count)
    }
  }
}
