import CEL
import FoundationEssentials
import Glibc
import Inbox
import POSIX
import Testing

@Suite final class InboxFolderTests {
  let path = FileManager.default.temporaryDirectory.path + "/inbox-" + UUID().uuidString.prefix(8)
  let inbox: InboxFolder

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    inbox = InboxFolder(besideStore: path + "/library.db", vault: nil)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  private func write(_ text: String, to name: String) throws {
    try inbox.make()
    // Unlike `Data.write`, out of reach of the programs that other tests start meanwhile, which would
    // count as writers.
    let file = open("\(inbox.waiting)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o644)
    defer { close(file) }
    guard file >= 0, Glibc.write(file, text, text.utf8.count) == text.utf8.count else {
      throw Missing()
    }
  }

  private struct Missing: Error {}

  private func read(_ name: String) throws -> Share {
    guard let reader = try inbox.reader(of: name) else { throw Missing() }
    return reader.share
  }

  @Test func shareIsReadAsWritten() throws {
    let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let long = String(repeating: "Zeile äöü 行\n", count: 5000)
    let newShare = NewShare(
      [
        .url("https://swift.org/a?b=c&d#e"), .text("Buy milk", isPlain: false),
        .bytes(picture, name: "a/b\n\"c\".txt", mediaType: nil), .text(long, isPlain: false),
        .text("https://swift.org", isPlain: true), .text(" https://swift.org\n", isPlain: false),
      ], from: "browser", title: "Swift", to: "keep-link")
    try inbox.put(newShare, named: "one")
    #expect(try inbox.names() == ["one"])
    guard let reader = try inbox.reader(of: "one") else { throw Missing() }
    let share: Share = reader.share
    #expect(share.from == "browser" && share.title == "Swift" && share.to == "keep-link")
    #expect(share.items.map(\.kind) == [.url, .text, .image, .text, .text, .url])
    #expect(share.items[0].url == "https://swift.org/a?b=c&d#e")
    #expect(share.items[1].text == "Buy milk")
    #expect(share.items[2].name == "b\n\"c\".txt" && share.items[2].mediaType == "image/png")
    #expect(share.items[3].text == long)
    #expect(share.items[4].text == "https://swift.org")
    #expect(share.items[5].url == "https://swift.org")
    var bytes: [UInt8] = []
    try reader.read(share.items[2]) { bytes += $0 }
    #expect(bytes == picture)
    #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.path + "/tmp") == [])
  }

  @Test func minimalShareOfAnotherProgramIsRead() throws {
    try write(#"{"share": 1, "text": "Buy milk", "from": "script"}"#, to: "x")
    let share = try read("x")
    #expect(share.items.map(\.text) == ["Buy milk"] && share.from == "script")
    try write(#"{"share": 1, "size": 5, "name": "a.md"}"# + "\n# Hi\n", to: "y")
    #expect(try read("y").items.map(\.mediaType) == ["text/markdown"])
    try write(#"{"share": 1, "url": "ftp://x"}"# + "\n", to: "z")
    #expect(try read("z").items.map(\.text) == ["ftp://x"])
  }

  /// Invalid files of other programs, and the messages about them.
  static let wrong: [(text: String, reason: String)] = [
    (#"{"share": 1, "te"#, "its first line is not a JSON object"),
    (#"{ "sh"#, "its first line is not a JSON object"),
    (#"{"share": 2, "text": "x"}"#, "its first line has no `\"share\": 1`"),
    (#"{"share": 1}"#, "an item must have `url`, `text` or `size`"),
    (#"{"share": 1, "items": []}"#, "it has 0 items; it must have 1 to 10"),
    (#"{"share": 1, "items": [1]}"#, "an item is not a JSON object"),
    (#"{"share": 1, "size": 5}"# + "\nabc", "it is incomplete: 2 bytes are missing"),
    (#"{"share": 1, "size": 2}"# + "\nabc", "it has 1 bytes more than its header says"),
    (#"{"share": 1, "size": -1}"# + "\n", "an item must have `url`, `text` or `size`"),
    (
      #"{"share": 1, "size": 9223372036854775807}"# + "\n", "an item is larger than 50 MiB"
    ),
    (#"{"share": 1, "text": "x", "from": 7}"#, "`from` must be a string"),
    (#"{"share": 1, "text": "x"}"# + "\nmore", "it has 4 bytes more than its header says"),
  ]

  @Test(arguments: wrong) func malformedSharesFail(_ row: (text: String, reason: String)) throws {
    try write(row.text, to: "x")
    do {
      _ = try read("x")
      Issue.record("\(row.text) was taken")
    } catch let error as InboxError {
      #expect(error.message == row.reason)
    }
  }

  /// Files of programs that do not know the share format.
  static let bare: [(text: String, mediaType: String)] = [
    ("", "application/octet-stream"), ("hello", "text/plain"), ("[]\n", "application/json"),
    (#"{"text": "x"}"#, "application/json"), (#"{"share": "30 %"}"#, "application/json"),
    ("{\n  \"a\": 1\n}\n", "application/json"), ("%PDF-1.7\n", "application/pdf"),
  ]

  @Test(arguments: bare) func bareFileIsShared(_ row: (text: String, mediaType: String)) throws {
    let name = row.mediaType == "application/json" ? "a b.json" : "a b"
    try write(row.text, to: name)
    guard let reader = try inbox.reader(of: name) else { throw Missing() }
    let share: Share = reader.share
    #expect(share.isBare && share.items.map(\.name) == [name])
    #expect(row.text.isEmpty || share.items.map(\.mediaType) == [row.mediaType])
    var bytes: [UInt8] = []
    try reader.read(share.items[0]) { bytes += $0 }
    #expect(bytes == Array(row.text.utf8))
  }

  @Test func bareFileIsCompleteOnceClosed() throws {
    func isWhole(_ name: String, after seconds: Int64) throws -> Bool {
      guard let reader = try inbox.reader(of: name) else { throw Missing() }
      let modified = reader.share.time
      return reader.isWhole(at: Timestamp(seconds: modified.seconds + seconds))
    }
    try write("hello", to: "a.csv")
    #expect(try !isWhole("a.csv", after: 1))
    #expect(try isWhole("a.csv", after: 4))
    // Another machine's clock may be ahead.
    #expect(try isWhole("a.csv", after: -3600))
    let writer = open("\(inbox.waiting)/a.csv", O_WRONLY | O_APPEND | O_CLOEXEC)
    #expect(try !isWhole("a.csv", after: 3600))
    close(writer)
    #expect(try isWhole("a.csv", after: 3600))
    for name in ["a.part", "B.PART", "a.crdownload", "a.tmp", "a.filepart"] {
      try write("hello", to: name)
      #expect(try !isWhole(name, after: 3600))
    }
    try write(#"{"share": 1, "text": "x"}"#, to: "share")
    #expect(try isWhole("share", after: 0))
    // Hidden files belong to other programs, such as Syncthing.
    try write("hello", to: ".syncthing.a.csv.tmp")
    #expect(try !inbox.names().contains { $0.hasPrefix(".") })
  }

  @Test func replacedBareFileIsNotRemoved() throws {
    try write("first", to: "a")
    let receipt = try read("a").receipt
    try write("second", to: "a")
    try inbox.remove(bare: "a", receipt: receipt)
    #expect(try inbox.names() == ["a"])
    try inbox.remove(bare: "a", receipt: try read("a").receipt)
    #expect(try inbox.names() == [])
  }

  @Test func largeBareFileIsRejected() throws {
    try write("", to: "a")
    truncate("\(inbox.waiting)/a", 51 << 20)
    let error = #expect(throws: InboxError.self) { _ = try self.read("a") }
    #expect(error?.message == "it has 51 MiB; the limit is 50 MiB")
  }

  @Test func truncatedSharesAreReadOrRejected() throws {
    try inbox.put(
      NewShare([.bytes(Array("%PDF-1.4 abc".utf8), name: "x.pdf", mediaType: nil)]), named: "x")
    let whole = try Data(contentsOf: URL(filePath: inbox.waiting + "/x"))
    for count in 1..<whole.count {
      try whole.prefix(count).write(to: URL(filePath: inbox.waiting + "/x"))
      #expect(throws: InboxError.self) { _ = try self.read("x") }
    }
  }

  @Test func limitsAreCheckedBeforeCopying() throws {
    let large = path + "/large"
    try Data().write(to: URL(filePath: large))
    truncate(large, 60 << 20)
    let file = try OpenFile(Array(large.utf8))
    #expect(throws: InboxError.self) {
      try self.inbox.put(NewShare([.file(file, mediaType: nil)]), named: "x")
    }
    truncate(large, 45 << 20)
    let smaller = try (0..<3).map { _ in
      NewShare.Item.file(try OpenFile(Array(large.utf8)), mediaType: nil)
    }
    #expect(throws: InboxError.self) { try self.inbox.put(NewShare(smaller), named: "x") }
    let many = (0..<11).map { NewShare.Item.text("\($0)", isPlain: false) }
    #expect(throws: InboxError.self) { try self.inbox.put(NewShare(many), named: "x") }
    // Nothing was created, not even a folder.
    #expect(!FileManager.default.fileExists(atPath: inbox.path))
  }

  @Test func sweepRemovesOnlyOldUnfinishedShares() throws {
    try inbox.make()
    for name in ["old", "young"] {
      try Data("x".utf8).write(to: URL(filePath: "\(inbox.path)/tmp/\(name)"))
    }
    let now = 2_000_000_000
    func age(_ name: String, _ seconds: Int) {
      let times = [
        timespec(tv_sec: now - seconds, tv_nsec: 0), timespec(tv_sec: now - seconds, tv_nsec: 0),
      ]
      utimensat(AT_FDCWD, "\(inbox.path)/tmp/\(name)", times, 0)
    }
    age("old", Int(InboxFolder.patience.wholeSeconds) + 1)
    age("young", Int(InboxFolder.patience.wholeSeconds) - 1)
    #expect(try inbox.sweep(now: now) == 1)
    #expect(try FileManager.default.contentsOfDirectory(atPath: inbox.path + "/tmp") == ["young"])
  }

  @Test func importLockIsExclusive() throws {
    let first = try InboxLock(inbox)
    let isFree = first != nil
    #expect(isFree)
    let second = try InboxLock(inbox)
    let isTaken = second == nil
    #expect(isTaken)
  }

  @Test func blobsAreStoredOnce() throws {
    let blobs = BlobFolder(besideStore: path + "/library.db")
    // `printf abc | sha256sum`
    let expected = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
    for pieces in [[[0x61, 0x62, 0x63]], [[0x61], [], [0x62, 0x63]]] as [[[UInt8]]] {
      let hash = try blobs.keep { add in for piece in pieces { try add(piece) } }
      #expect(hash == expected)
    }
    #expect(try FileManager.default.contentsOfDirectory(atPath: blobs.path) == [expected])
    #expect(try blobs.old(now: Int(time(nil))) == [])
    let later = Int(time(nil)) + Int(BlobFolder.grace.wholeSeconds) + 10
    #expect(try blobs.old(now: later) == [expected])
    blobs.remove(expected, now: Int(time(nil)))
    #expect(FileManager.default.fileExists(atPath: blobs.path(of: expected)))
    blobs.remove(expected, now: later)
    #expect(!FileManager.default.fileExists(atPath: blobs.path(of: expected)))
  }

  @Test func namesSortByTime() {
    let names = [
      ShareName.make(at: Timestamp(microseconds: 999_999), chance: .max),
      ShareName.make(at: Timestamp(microseconds: 1_763_807_304_123_456), chance: 0),
      ShareName.make(at: Timestamp(microseconds: 253_402_300_799_000_000), chance: 7),
    ]
    #expect(names.sorted() == names)
    #expect(ShareName.matches(ShareName.short(names[2]), names[2]))
    #expect(ShareName.short("of-mine.1") == "of-mine.1")
  }
}
