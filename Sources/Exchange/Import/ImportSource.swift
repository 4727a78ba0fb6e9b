package import CEL
import ForeignText

/// A file of any format, ready to be read record by record.
package struct ImportSource {
  /// The format of the file.
  package let format: ImportFormat
  /// The detected format, even if another was named.
  package let guess: ImportFormat
  let records: any RecordReader
  /// The progress of reading; used only on the reading thread.
  let progress: Progress

  /// The number of bytes read, and the error that stopped reading, if any.
  final class Progress {
    var bytes = 0
    var failure: (any Error)?

    /// - Throws: The error that stopped reading.
    func expectNoFailure() throws { if let failure { throw failure } }
  }

  /// Maximum size in bytes of a file that must be held in memory.
  private static let maxHeldBytes = 1 << 30

  /// Detects the format of a file and creates its reader.
  ///
  /// - Parameters:
  ///   - name: The format or program named by the user; nil to detect it.
  ///   - temporaryFolder: The folder for copies of databases.
  ///   - zone: The person's time zone.
  /// - Throws: `ExchangeError`, and errors of reading the file.
  package init(
    _ file: ImportFile, from name: String? = nil, folderTags: FolderTags = .each,
    temporaryFolder: String, zone: () -> TimeZoneRules = { .utc }
  ) throws {
    let progress = Progress()
    self.progress = progress
    let read = { (buffer: UnsafeMutableRawBufferPointer) -> Int in
      do {
        let number = try file.read(buffer)
        progress.bytes += max(number, 0)
        return number
      } catch {
        progress.failure = error
        return 0
      }
    }
    var window = ByteWindow(read: read)
    // A stream may be slow, so the first line suffices for JSON Lines.
    while window.count < FormatGuess.headSize, !Self.looksLikeJSONLines(window), window.grow() {}
    try progress.expectNoFailure()
    try Self.refuseArchives(window.bytes[window.start...])
    var rewind = file.rewind
    if window.bytes[window.start...].starts(with: LZ4Block.firefoxMark) {
      window = ByteWindow(bytes: try LZ4Block.firefoxText(try Self.readRest(&window, progress)))
      rewind = { false }
    }
    let detection = FormatGuess(head: window.bytes[window.start...], name: file.path ?? "")
    let guess = detection.format
    self.guess = guess
    if name == nil, let kind = detection.foreignKind { throw ExchangeError.other(kind) }
    let isDatabase = detection.isDatabase
    func database() throws -> ForeignDatabase {
      guard let path = file.path, isDatabase else { throw ExchangeError.noDatabase }
      return try ForeignDatabase(copyOf: path, in: temporaryFolder)
    }
    if !isDatabase {
      // A program without results ends its stream without a byte.
      if file.path != nil, detection.isBlank, !window.grow() { throw ExchangeError.empty }
      if detection.isBinary { throw ExchangeError.notText }
    }
    if name == nil, detection.isYAML { throw ExchangeError.yaml }
    if name == nil, guess == .jsonl, file.path != nil, !Self.holdsObject(window) {
      throw ExchangeError.unknown
    }
    let chosen = try Self.chosen(guess, name)
    format = name == nil && chosen == .markdown && file.isNote ? .note : chosen
    let records: any RecordReader
    switch format {
    case .jsonl: records = JSONLinesRecords(window)
    case .netscape: records = HTMLRecords(window, folderTags)
    case .opml: records = OPMLRecords(window, folderTags)
    case .csv: records = CSVRecords(window, folderTags)
    case .pinboard: records = JSONRecords(window, folderTags, isPinboard: true)
    case .markdown: records = ListRecords(window, folderTags, isMarkdown: true)
    case .urls: records = ListRecords(window, folderTags, isMarkdown: false)
    case .org: records = OrgRecords(window, folderTags)
    case .xbel: records = XBELRecords(window, folderTags)
    case .feed: records = FeedRecords(window, folderTags)
    case .todotxt: records = HeldRecords(TodoTextRecords.records(window), of: "tasks")
    case .todoist:
      records = HeldRecords(TodoistRecords.records(window, name: file.path ?? ""), of: "tasks")
    case .taskwarrior:
      let found =
        isDatabase
        ? try TaskwarriorRecords.records(database(), zone: zone())
        : TaskwarriorRecords.records(window, zone: zone())
      records = HeldRecords(found, of: "tasks")
    case .googletasks, .keep:
      let bytes = try Self.readRest(&window, progress)
      records = HeldRecords(
        TakeoutRecords.records(bytes, file.beside), of: format == .keep ? "notes" : "tasks")
    case .evernote: records = EvernoteRecords(window)
    case .note:
      let bytes = try Self.readRest(&window, progress)
      records = HeldRecords(
        MarkdownNote.records(bytes, name: file.path ?? "", folderTags), of: "text")
    case .highlights: records = HeldRecords(HighlightRecords.readwise(window), of: "highlights")
    case .kindle: records = HeldRecords(HighlightRecords.kindle(window), of: "clippings")
    case .link:
      let bytes = try Self.readRest(&window, progress)
      records = HeldRecords(
        LinkFileRecords.records(bytes, name: file.path ?? "", folderTags), of: "address")
    case .posts: records = PostRecords(window, folderTags)
    case .tabs:
      records = HeldRecords(
        TabRecords.records(try Self.readRest(&window, progress), folderTags), of: "tabs")
    case .ical: records = CalendarRecords(try Self.readRest(&window, progress), zone: zone())
    case .safari: records = SafariRecords(try Self.readRest(&window, progress), folderTags)
    case .chrome, .json:
      guard format == .chrome || detection.refersToLists else {
        records = JSONRecords(window, folderTags)
        break
      }
      if try rewind() {
        let index = try JSONRecords.index(ByteWindow(read: read))
        try progress.expectNoFailure()
        _ = try rewind()
        progress.bytes = 0
        records = JSONRecords(ByteWindow(read: read), folderTags, index: index)
      } else {
        let bytes = try Self.readRest(&window, progress)
        records = JSONRecords(
          ByteWindow(bytes: bytes), folderTags,
          index: try JSONRecords.index(ByteWindow(bytes: bytes)))
      }
    case .firefox, .buku:
      guard guess == format else { throw ExchangeError.noDatabase }
      records =
        try format == .buku ? BukuRecords(database()) : PlacesRecords(database(), folderTags)
    }
    self.records = AccountedRecords(records)
  }

  /// Whether the first line is complete and clearly JSON Lines.
  private static func looksLikeJSONLines(_ window: ByteWindow) -> Bool {
    let head = window.bytes[window.start...].drop { $0.isBlank }
    guard head.first == UInt8(ascii: "{"),
      let end = head.firstIndex(of: UInt8(ascii: "\n")),
      head[..<end].last(where: { !$0.isBlank }) == UInt8(ascii: "}")
    else { return false }
    return FormatGuess(head: head[..<end], name: "").format == .jsonl
  }

  /// Whether a line begins as an object or a list in JSON does.
  private static func holdsObject(_ window: ByteWindow) -> Bool {
    window.bytes[window.start...].split(separator: UInt8(ascii: "\n")).contains { line in
      let first = line.first { !$0.isBlank }
      return first == UInt8(ascii: "{") || first == UInt8(ascii: "[")
    }
  }

  private static func chosen(_ guess: ImportFormat, _ name: String?) throws -> ImportFormat {
    guard let name else { return guess }
    guard let formats = ImportFormat.formats(named: name) else {
      throw ExchangeError.unknownFormat(name)
    }
    if formats.contains(guess) { return guess }
    // All kinds of JSON are read by the same reader.
    if guess == .pinboard, formats.contains(.json) { return .json }
    return formats[0]
  }

  private static func refuseArchives(_ head: ArraySlice<UInt8>) throws {
    // The magic numbers of gzip (RFC 1952 §2.3.1) and ZIP.
    if head.starts(with: [0x1F, 0x8B]) { throw ExchangeError.compressed }
    if head.starts(with: Array("PK\u{3}\u{4}".utf8)) { throw ExchangeError.archive }
  }

  /// Reads the rest of a file into memory.
  private static func readRest(_ window: inout ByteWindow, _ progress: Progress) throws -> [UInt8] {
    while window.count < maxHeldBytes, window.grow() {}
    try progress.expectNoFailure()
    guard window.count < maxHeldBytes else { throw ExchangeError.tooLarge(bytes: maxHeldBytes) }
    return Array(window.bytes[window.start...])
  }
}
