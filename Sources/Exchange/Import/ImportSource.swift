import ForeignText

/// A file of any format, ready to be read record by record.
package struct ImportSource {
  /// What the file turned out to be.
  package let format: ImportFormat
  /// What it looks like, whatever was named.
  package let guess: ImportFormat
  let records: any RecordReader
  /// How far the file has been read; used on the thread that reads.
  let progress: Progress

  /// How much of a file has been read, and why no more could be.
  final class Progress {
    var bytes = 0
    var failure: (any Error)?

    /// - Throws: What reading the file threw.
    func expectNoFailure() throws { if let failure { throw failure } }
  }

  /// How large a file may be that must be held as a whole, in bytes.
  private static let maxHeldBytes = 1 << 30

  /// Looks at the beginning of a file and finds a reader for it.
  ///
  /// - Parameters:
  ///   - name: The format or program that a person named; nil to find out.
  ///   - temporaryFolder: Where a database that is in use is copied to.
  /// - Throws: `ExchangeError`, and what reading the file throws.
  package init(
    _ file: ImportFile, from name: String? = nil, folderTags: FolderTags = .each,
    temporaryFolder: String
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
    // A stream may be slow: its first line is enough for JSON Lines.
    while window.count < FormatGuess.headSize, !Self.isClear(window), window.grow() {}
    try progress.expectNoFailure()
    try Self.refuseArchives(window.bytes[window.start...])
    var rewind = file.rewind
    if window.bytes[window.start...].starts(with: LZ4Block.firefoxMark) {
      window = ByteWindow(bytes: try LZ4Block.firefoxText(try Self.held(&window, progress)))
      rewind = { false }
    }
    let looks = FormatGuess(head: window.bytes[window.start...], name: file.path ?? "")
    let guess = looks.format
    self.guess = guess
    if guess != .firefox {
      // A program that has nothing to say ends its stream without a byte.
      if file.path != nil, looks.isBlank, !window.grow() { throw ExchangeError.empty }
      if looks.isBinary { throw ExchangeError.notText }
    }
    if name == nil, looks.isYAML { throw ExchangeError.yaml }
    format = try Self.chosen(guess, name)
    switch format {
    case .jsonl: records = JSONLinesRecords(window)
    case .netscape: records = HTMLRecords(window, folderTags)
    case .opml: records = OPMLRecords(window, folderTags)
    case .csv: records = CSVRecords(window, folderTags)
    case .json: records = JSONRecords(window, folderTags)
    case .pinboard: records = JSONRecords(window, folderTags, isPinboard: true)
    case .markdown: records = ListRecords(window, folderTags, isMarkdown: true)
    case .urls: records = ListRecords(window, folderTags, isMarkdown: false)
    case .chrome:
      if try rewind() {
        let names = try JSONRecords.folderNames(ByteWindow(read: read))
        try progress.expectNoFailure()
        _ = try rewind()
        progress.bytes = 0
        records = JSONRecords(ByteWindow(read: read), folderTags, folderNames: names)
      } else {
        let bytes = try Self.held(&window, progress)
        records = JSONRecords(
          ByteWindow(bytes: bytes), folderTags,
          folderNames: try JSONRecords.folderNames(ByteWindow(bytes: bytes)))
      }
    case .firefox:
      guard let path = file.path, guess == .firefox else { throw ExchangeError.noDatabase }
      records = try PlacesRecords(path: path, folderTags, temporaryFolder: temporaryFolder)
    }
  }

  /// Whether the first line says already that there are lines of JSON.
  private static func isClear(_ window: ByteWindow) -> Bool {
    let head = window.bytes[window.start...].drop { $0.isBlank }
    guard head.first == UInt8(ascii: "{"),
      let end = head.firstIndex(of: UInt8(ascii: "\n")),
      head[..<end].last(where: { !$0.isBlank }) == UInt8(ascii: "}")
    else { return false }
    return FormatGuess(head: head[..<end], name: "").format == .jsonl
  }

  private static func chosen(_ guess: ImportFormat, _ name: String?) throws -> ImportFormat {
    guard let name else { return guess }
    guard let formats = ImportFormat.formats(named: name) else {
      throw ExchangeError.unknownFormat(name)
    }
    if formats.contains(guess) { return guess }
    // JSON of any kind is read in the same way.
    if guess == .pinboard, formats.contains(.json) { return .json }
    return formats[0]
  }

  private static func refuseArchives(_ head: ArraySlice<UInt8>) throws {
    // The first bytes of gzip (RFC 1952 §2.3.1) and of ZIP.
    if head.starts(with: [0x1F, 0x8B]) { throw ExchangeError.compressed }
    if head.starts(with: Array("PK\u{3}\u{4}".utf8)) { throw ExchangeError.archive }
  }

  /// All that is left of a file.
  private static func held(_ window: inout ByteWindow, _ progress: Progress) throws -> [UInt8] {
    while window.count < maxHeldBytes, window.grow() {}
    try progress.expectNoFailure()
    guard window.count < maxHeldBytes else { throw ExchangeError.tooLarge(bytes: maxHeldBytes) }
    return Array(window.bytes[window.start...])
  }
}
