import CEL
import FoundationEssentials
import Glibc
import Inbox
import Testing

@Suite final class VaultTests {
  let path = FileManager.default.temporaryDirectory.path + "/vault-" + UUID().uuidString.prefix(8)
  let vault: Vault

  init() throws {
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    vault = Vault(path: path + "/vault")
  }

  deinit {
    try? vault.lock()
    try? FileManager.default.removeItem(atPath: path)
  }

  /// Whether the kernel has a keyring; containers may forbid it.
  static let hasKeyring = {
    let path = FileManager.default.temporaryDirectory.path + "/vault-" + UUID().uuidString
    let vault = Vault(path: path)
    defer {
      try? vault.remove()
    }
    do {
      try vault.make(passphrase: "is there one?")
      try vault.unlock(passphrase: "is there one?", for: 60)
      return true
    } catch { return false }
  }()

  @Test(.enabled(if: hasKeyring))
  func sealedBytesOpenOnlyWhileUnlocked() throws {
    try vault.make(passphrase: "correct horse")
    let pieces = 64 << 10
    for size in [0, 1, pieces - 1, pieces, pieces + 1, 3 * pieces] {
      let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 &* 31) }
      let sealed = try vault.sealed(bytes)
      #expect(throws: InboxError.self) { try self.vault.opened(sealed) }
      try vault.unlock(passphrase: "correct horse", for: 60)
      #expect(try vault.opened(sealed) == bytes)
      // Cut off, longer, or with one other bit, it does not open.
      #expect(throws: InboxError.self) { try self.vault.opened(sealed.dropLast()) }
      #expect(throws: InboxError.self) { try self.vault.opened(sealed + [0]) }
      for position in [20, 100, sealed.count - 1] {
        var other = sealed
        other[position] ^= 1
        #expect(throws: InboxError.self) { try self.vault.opened(other) }
      }
      if size > pieces {
        // The second piece is missing.
        let begin = 16 + 80 + 24 + pieces + 17
        let other = Array(sealed[..<begin] + sealed[min(begin + pieces + 17, sealed.count)...])
        #expect(throws: InboxError.self) { try self.vault.opened(other) }
      }
      try vault.lock()
    }
  }

  @Test(.enabled(if: hasKeyring))
  func passphraseChangesAndNothingElse() throws {
    try vault.make(passphrase: "correct horse")
    let sealed = try vault.sealed(Array("words".utf8))
    #expect(throws: InboxError.self) { try self.vault.make(passphrase: "another one") }
    #expect(throws: InboxError.self) {
      try self.vault.change(from: "wrong horse", to: "battery staple")
    }
    #expect(throws: InboxError.self) { try self.vault.change(from: "correct horse", to: "short") }
    try vault.change(from: "correct horse", to: "battery staple")
    #expect(throws: InboxError.self) { try self.vault.unlock(passphrase: "correct horse", for: 60) }
    #expect(!vault.isUnlocked)
    try vault.unlock(passphrase: "battery staple", for: 60)
    #expect(try vault.opened(sealed) == Array("words".utf8))
  }

  @Test func anotherPublicKeyIsNoticed() throws {
    try vault.make(passphrase: "correct horse")
    let other = Vault(path: path + "/other")
    try other.make(passphrase: "correct horse")
    func lines(_ vault: Vault) throws -> [String] {
      try String(contentsOf: URL(filePath: vault.path), encoding: .utf8)
        .split(separator: "\n").map(String.init)
    }
    let own = try lines(vault)
    func write(_ publicLine: String) throws {
      let text = ([own[0], publicLine] + own[2...]).joined(separator: "\n") + "\n"
      try Data(text.utf8).write(to: URL(filePath: vault.path))
    }
    let foreign = try lines(other)[1]
    // With the checksum, and as an earlier release wrote it.
    for line in [foreign, foreign.split(separator: " ").prefix(2).joined(separator: " ")] {
      try write(line)
      for _ in 0..<2 {
        let error = #expect(throws: InboxError.self) {
          try self.vault.unlock(passphrase: "correct horse", for: 60)
        }
        #expect(error?.code == .foreignKey && error?.help?.contains("errand vault repair") == true)
      }
      #expect(throws: InboxError.self) {
        try self.vault.change(from: "correct horse", to: "battery staple")
      }
      #expect(throws: InboxError.self) { try self.vault.repair(passphrase: "wrong horse") }
      #expect(try vault.repair(passphrase: "correct horse"))
      #expect(try lines(vault) == own)
      #expect(try !vault.repair(passphrase: "correct horse"))
    }
    // A damaged key seals nothing.
    var letters = Array(own[1])
    letters[10] = letters[10] == "A" ? "B" : "A"
    try write(String(letters))
    #expect(throws: InboxError.self) { try self.vault.sealed(Array("words".utf8)) }
    // The file of an earlier release has no checksum.
    try write(own[1].split(separator: " ").prefix(2).joined(separator: " "))
    try vault.expect(passphrase: "correct horse")
  }

  @Test func nothingIsSealedForTheKeyOfAnotherVault() throws {
    let vault = Vault(path: path + "/vault", pin: path + "/state/key")
    try vault.make(passphrase: "correct horse")
    let own = try Data(contentsOf: URL(filePath: vault.path))
    let other = Vault(path: path + "/other")
    try other.make(passphrase: "battery staple")
    func lines(_ path: String) throws -> [String] {
      try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").map(String.init)
    }
    var mixed = try lines(vault.path)
    mixed[1] = try lines(other.path)[1]
    for text in [mixed, try lines(other.path)] {
      try Data((text.joined(separator: "\n") + "\n").utf8).write(to: URL(filePath: vault.path))
      let error = #expect(throws: InboxError.self) { try vault.sealed(Array("words".utf8)) }
      #expect(error?.code == .foreignKey && error?.help?.contains("errand vault repair") == true)
      for passphrase in ["correct horse", "battery staple"] {
        #expect(throws: InboxError.self) { try vault.expect(passphrase: passphrase) }
      }
    }
    // Another vault of one's own, as from another machine.
    #expect(try vault.repair(passphrase: "battery staple"))
    #expect(try !vault.repair(passphrase: "battery staple"))
    _ = try vault.sealed(Array("words".utf8))
    try own.write(to: URL(filePath: vault.path))
    #expect(throws: InboxError.self) { try vault.sealed(Array("words".utf8)) }
    // Without a fingerprint, as after an update, the next unlock makes one.
    #expect(unlink(path + "/state/key") == 0)
    _ = try vault.sealed(Array("words".utf8))
    try vault.expect(passphrase: "correct horse")
    #expect(access(path + "/state/key", F_OK) == 0)
  }

  @Test(.enabled(if: hasKeyring))
  func sharesAreReadAsWritten() throws {
    let inbox = InboxFolder(besideStore: path + "/library.db", vault: vault)
    try vault.make(passphrase: "correct horse")
    let picture =
      [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + [UInt8](repeating: 7, count: 200_000)
    var newShare = NewShare(
      [.url("https://swift.org/secret"), .bytes(picture, name: "a.png", mediaType: nil)],
      from: "browser", title: "Hidden")
    newShare.details.key = "once"
    try inbox.put(newShare, named: "one")
    let file = try Data(contentsOf: URL(filePath: inbox.path + "/new/one"))
    for text in ["swift.org", "Hidden", "browser", "once"] {
      #expect(file.firstRange(of: Data(text.utf8)) == nil)
    }
    #expect(try inbox.sealedCount() == 1)
    #expect(throws: InboxError.self) { try inbox.reader(of: "one") }
    try vault.unlock(passphrase: "correct horse", for: 60)
    #expect(try inbox.sealedCount() == 0)
    let reader = try #require(try inbox.reader(of: "one"))
    #expect(reader.share.title == "Hidden" && reader.share.from == "browser")
    #expect(reader.share.receipt == "key once")
    #expect(reader.share.items.map(\.kind) == [.url, .image])
    var bytes: [UInt8] = []
    try reader.read(reader.share.items[1]) { bytes += $0 }
    #expect(bytes == picture)
  }

  @Test(.enabled(if: hasKeyring))
  func clearSharesAreSealedWithTheirReceipt() throws {
    let inbox = InboxFolder(besideStore: path + "/library.db", vault: vault)
    try inbox.make()
    let texts = ["one": #"{"share": 1, "text": "Buy milk", "from": "script"}"#, "two.txt": "Plain"]
    var receipts: [String: String] = [:]
    for (name, text) in texts {
      let file = inbox.path + "/new/" + name
      try Data(text.utf8).write(to: URL(filePath: file))
      var times = [
        timespec(tv_sec: 1_000_000, tv_nsec: 5000), timespec(tv_sec: 1_000_000, tv_nsec: 5000),
      ]
      utimensat(AT_FDCWD, file, &times, 0)
      receipts[name] = try inbox.reader(of: name)?.share.receipt
    }
    try vault.make(passphrase: "correct horse")
    try inbox.sealClearShares(at: .init(seconds: 2_000_000))
    #expect(try inbox.sealedCount() == 2)
    for name in texts.keys {
      let file = try Data(contentsOf: URL(filePath: inbox.path + "/new/" + name))
      #expect(file.firstRange(of: Data("milk".utf8)) == nil)
      #expect(file.firstRange(of: Data("Plain".utf8)) == nil)
    }
    try vault.unlock(passphrase: "correct horse", for: 60)
    for name in texts.keys {
      let share = try #require(try inbox.reader(of: name)?.share)
      #expect(share.receipt == receipts[name])
      #expect(share.time == .init(microseconds: 1_000_000_000_005))
    }
    #expect(try inbox.reader(of: "two.txt")?.share.items.first?.name == "two.txt")
    try inbox.openSealedShares()
    try vault.remove()
    for (name, text) in texts {
      #expect(
        try String(
          decoding: Data(contentsOf: URL(filePath: inbox.path + "/new/" + name)), as: UTF8.self)
          == text)
    }
  }
}
