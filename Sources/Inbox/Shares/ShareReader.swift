package import CEL
import Glibc
import JSON
import Links
import POSIX

/// Reads the file of a share: a line of JSON, then the bytes of what it names; or a bare file.
package struct ShareReader: ~Copyable {
  private let descriptor: Int32
  private let path: String
  /// What the file tells.
  package let share: Share

  /// How many bytes of an item tell its type.
  private static let headSize = 4096

  /// Reads what the share in a file holds; nil when it is not there any more.
  ///
  /// - Throws: `malformed` when it is no share, `io`.
  init?(_ name: String, at path: String) throws(InboxError) {
    let file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      if errno == ELOOP { throw Self.malformed("it is a link") }
      throw .system(path)
    }
    do throws(InboxError) {
      share = try Self.share(name, file, path)
    } catch {
      close(file)
      throw error
    }
    self.path = path
    descriptor = file
  }

  deinit { close(descriptor) }

  /// The bytes of an item, piece by piece.
  ///
  /// - Throws: `io`, and what the body throws.
  package func read(_ item: Share.Item, _ body: ([UInt8]) throws -> Void) throws {
    guard var position = item.offset else { return try body(Array((item.text ?? "").utf8)) }
    let end = position + item.size
    while position < end {
      let piece = try Self.bytes(
        descriptor, path, at: position, count: min(end - position, 1 << 18))
      guard !piece.isEmpty else { throw InboxError.system(path, EIO) }
      try body(piece)
      position += piece.count
    }
  }

  /// For how long a bare file must be left alone before it is taken, in microseconds.
  package static let settlingTime: Int64 = 2_000_000

  /// The ends of the names that programs give a file while they write it.
  private static let temporaryEnds = [
    ".part", ".partial", ".filepart", ".crdownload", ".download", ".tmp",
  ]

  /// Whether all of it is there: of a bare file only time and the kernel tell, since nobody renames
  /// it into place once it is whole.
  package func isWhole(at now: Timestamp) -> Bool {
    guard share.isBare else { return true }
    let name = share.name.lowercased()
    if Self.temporaryEnds.contains(where: name.hasSuffix) { return false }
    let age = now.microseconds - share.time.microseconds
    // A time in the future is another machine's.
    if (0..<Self.settlingTime).contains(age) { return false }
    return FileWriters.exist(for: descriptor) != true
  }

  /// Whether the file is still what it was when it was opened.
  package var isUnchanged: Bool {
    var status = stat()
    return !share.isBare
      || fstat(descriptor, &status) == 0 && Self.receipt(of: share.name, status) == share.receipt
  }

  /// The receipt of a bare file. It has the number of the inode, since programs such as Syncthing set
  /// the time: another file of the same name may have that of the one before.
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
    _ name: String, _ file: Int32, _ path: String
  ) throws(InboxError) -> Share {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .system(path) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      let isFolder = status.st_mode & S_IFMT == S_IFDIR
      throw malformed(
        "it is \(isFolder ? "a folder" : "not a regular file")",
        help: "move \(isFolder ? "the files in it up, or share it" : "it elsewhere")")
    }
    let fileSize = Int(status.st_size)
    guard try isShare(file, path, fileSize) else { return try bareShare(name, file, path, status) }
    let (header, end) = try header(file, path, fileSize)
    guard case .map(let map)? = try? JSONParser().parse(header) else {
      throw malformed("its first line is not a JSON object")
    }
    guard case .int(1)? = map["share"] else {
      throw malformed("its first line has no `\"share\": 1`")
    }
    var maps: [MapValue] = []
    if case .list(let values)? = map["items"] {
      for value in values {
        guard case .map(let map) = value else { throw malformed("an item is no JSON object") }
        maps.append(map)
      }
    } else {
      maps = [map]
    }
    guard !maps.isEmpty, maps.count <= ShareLimits.items else {
      throw malformed("it has \(maps.count) items: 1 to \(ShareLimits.items) fit")
    }
    var position = end
    var items: [Share.Item] = []
    for map in maps {
      let item = try self.item(map, file, path, at: position, fileSize)
      if item.offset != nil { position += item.size }
      items.append(item)
    }
    guard position == fileSize else {
      throw malformed("it has \(fileSize - position) bytes more than it says")
    }
    let time = time(of: status)
    return Share(
      name: name, from: try text("from", map), title: try text("title", map),
      to: try text("to", map), items: try items.map(read(file, path)),
      time: time, receipt: "\(name) \(fileSize) \(time.microseconds)")
  }

  /// Whether a file says that it is a share, in whatever version, or begins to.
  private static func isShare(_ file: Int32, _ path: String, _ size: Int) throws(InboxError) -> Bool
  {
    let head = try bytes(file, path, at: 0, count: 256).filter { $0 != 0x20 && $0 != 0x09 }
    guard head.first == UInt8(ascii: "{") else { return false }
    let mark = Array("{\"share\"".utf8)
    let isBegun = head.starts(with: mark) || mark.starts(with: head)
    guard let line = try? header(file, path, size).line,
      case .map(let map)? = try? JSONParser().parse(line)
    else { return isBegun }
    if case .int? = map["share"] { return true }
    return false
  }

  /// The share of a bare file: the file, by its own name.
  private static func bareShare(
    _ name: String, _ file: Int32, _ path: String, _ status: stat
  ) throws(InboxError) -> Share {
    let size = Int(status.st_size)
    guard size <= ShareLimits.itemBytes else {
      throw malformed(
        "it has \(size >> 20) MiB: at most \(ShareLimits.itemBytes >> 20) MiB fit",
        help: "move it elsewhere")
    }
    let item = Share.Item(kind: .file, name: name, mediaType: "", offset: 0, size: size)
    return Share(
      name: name, from: nil, title: nil, to: nil, items: [try read(file, path)(item)],
      time: time(of: status), receipt: receipt(of: name, status), isBare: true)
  }

  /// The first line without its end, and where the bytes behind it begin.
  private static func header(
    _ file: Int32, _ path: String, _ size: Int
  ) throws(InboxError) -> (line: [UInt8], end: Int) {
    var line: [UInt8] = []
    while line.count < ShareLimits.header {
      let piece = try bytes(file, path, at: line.count, count: 1 << 16)
      if piece.isEmpty { break }
      if let newline = piece.firstIndex(of: 0x0A) {
        line += piece[..<newline]
        return (line, line.count + 1)
      }
      line += piece
    }
    // A share that is one line may do without its end.
    guard line.count == size else { throw malformed("its first line is too long") }
    return (line, size)
  }

  private static func text(_ key: String, _ map: MapValue) throws(InboxError) -> String? {
    switch map[key] {
    case nil, .null: return nil
    case .string(let text):
      guard text.utf8.count <= ShareLimits.name else { throw malformed("`\(key)` is too long") }
      return text.isEmpty ? nil : text
    default: throw malformed("`\(key)` is no text")
    }
  }

  /// An item as the first line tells it; its text and type are read later.
  private static func item(
    _ map: MapValue, _ file: Int32, _ path: String, at position: Int, _ fileSize: Int
  ) throws(InboxError) -> Share.Item {
    let isPlain = try text("kind", map) == "text"
    let mediaType = try text("mediaType", map) ?? ""
    if case .string(let url)? = map["url"] { return address(url) }
    if case .string(let text)? = map["text"] { return isPlain ? plain(text) : guessed(text) }
    guard case .int(let count)? = map["size"], count >= 0 else {
      throw malformed("an item has none of `url`, `text` and `size`")
    }
    guard count <= ShareLimits.itemBytes else { throw malformed("an item is larger than 50 MiB") }
    let size = Int(count)
    guard position + size <= fileSize else {
      throw malformed("it is cut off: \(position + size - fileSize) bytes are missing")
    }
    guard position + size <= ShareLimits.bytes + ShareLimits.header else {
      throw malformed("it is larger than 100 MiB")
    }
    // Only the last part of a path is a name.
    let name = try text("name", map)?.split(separator: "/").last.map { String($0) }
    return Share.Item(
      kind: isPlain ? .text : .file, name: name, mediaType: mediaType, offset: position, size: size)
  }

  /// What an item of bytes is, by its content.
  private static func read(
    _ file: Int32, _ path: String
  ) -> (Share.Item) throws(InboxError) -> Share.Item {
    { (item) throws(InboxError) in
      guard let offset = item.offset else { return item }
      if item.kind == .text {
        var whole: [UInt8] = []
        while whole.count < item.size {
          let piece = try bytes(
            file, path, at: offset + whole.count, count: min(1 << 20, item.size - whole.count))
          if piece.isEmpty { throw malformed("it is cut off") }
          whole += piece
        }
        if let text = String(validating: whole, as: UTF8.self) {
          var item = item
          item.text = text
          item.mediaType = "text/plain"
          return item
        }
      }
      let head = try bytes(file, path, at: offset, count: min(headSize, item.size))
      var item = item
      item.mediaType = ContentSignature.mediaType(
        of: head, isWhole: head.count == item.size, name: item.name, told: item.mediaType)
      item.kind = item.mediaType.hasPrefix("image/") ? .image : .file
      return item
    }
  }

  static func plain(_ text: String) -> Share.Item {
    Share.Item(kind: .text, text: text, mediaType: "text/plain", size: text.utf8.count)
  }

  /// A text, or the address that is all of it.
  static func guessed(_ text: String) -> Share.Item {
    let trimmed = text.trimmed
    guard (try? WebURL(trimmed)) != nil else { return plain(text) }
    return address(trimmed)
  }

  /// An address; one that is none of the web is a text.
  static func address(_ text: String) -> Share.Item {
    guard let url = try? WebURL(pasted: text.trimmed) else { return plain(text) }
    return Share.Item(
      kind: .url, url: url.text, mediaType: "text/uri-list", size: text.utf8.count)
  }

  private static func bytes(
    _ file: Int32, _ path: String, at position: Int, count: Int
  ) throws(InboxError) -> [UInt8] {
    try InboxError.wording { () throws(SystemError) -> [UInt8] in
      try Descriptor.bytes(of: file, named: path, at: position, count: count)
    }
  }
}

extension String {
  /// The text without white space around it.
  fileprivate var trimmed: String {
    var rest = self[...].drop(while: \.isWhitespace)
    while rest.last?.isWhitespace == true { rest.removeLast() }
    return String(rest)
  }
}
