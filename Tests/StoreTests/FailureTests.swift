import CEL
import FoundationEssentials
import Items
import Store
import StoreFixtures
import TestSupport
import Testing

/// File errors: one clear message each, and no lost data.
@Suite(.serialized) struct FailureTests {
  private func makeStore(in folder: TemporaryFolder, links: Int) throws -> String {
    let path = folder.path + "/library.db"
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    for number in 0..<links {
      _ = try store.items.create("Link", set: [("url", .string("https://example.org/\(number)"))])
    }
    return path
  }

  private func setMode(_ mode: Int, of path: String) throws {
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: path)
  }

  @Test func storeInReadOnlyFolderIsReadable() throws {
    let folder = try TemporaryFolder()
    let path = try makeStore(in: folder, links: 3)
    try setMode(0o444, of: path)
    try setMode(0o555, of: folder.path)
    defer { try? setMode(0o755, of: folder.path) }
    let reader = try StoreProcess(["--unprivileged", "find", path])
    #expect(reader.readLines().count == 3)
    #expect(reader.wait() == 0)
    let writer = try StoreProcess(["--unprivileged", "save", path, "x", "1"])
    let lines = writer.readLines()
    #expect(lines.count == 1)
    #expect(lines.first?.contains("cannot be written") == true, "\(lines)")
    #expect(writer.wait() == 1)
  }

  @Test func readOnlyStoreLacksUnknownEntities() throws {
    let folder = try TemporaryFolder()
    let path = try makeStore(in: folder, links: 1)
    try setMode(0o444, of: path)
    try setMode(0o555, of: folder.path)
    defer { try? setMode(0o755, of: folder.path) }
    let other = try StoreProcess(["--unprivileged", "find-other", path])
    #expect(other.readLines() == ["0 items"])
    #expect(other.wait() == 0)
    let changed = try StoreProcess(["--unprivileged", "find-changed", path])
    let lines = changed.readLines()
    #expect(lines.count == 1)
    #expect(lines.first?.contains("the definition of Link changed") == true, "\(lines)")
    #expect(changed.wait() == 1)
  }

  @Test func uncheckpointedChangesAreNotSilentlyOmitted() throws {
    let folder = try TemporaryFolder()
    let path = try makeStore(in: folder, links: 1)
    let other = try TemporaryFolder()
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    _ = try store.items.create("Link", set: [("url", "https://late.org")])
    for name in ["library.db", "library.db-wal"] {
      try Data(contentsOf: URL(filePath: folder.path + "/" + name))
        .write(to: URL(filePath: other.path + "/" + name))
      try setMode(0o444, of: other.path + "/" + name)
    }
    try setMode(0o555, of: other.path)
    defer { try? setMode(0o755, of: other.path) }
    let child = try StoreProcess(["--unprivileged", "find", other.path + "/library.db"])
    #expect(
      child.readLines() == [
        "the latest changes of the store “\(other.path)/library.db” are still in "
          + "“\(other.path)/library.db-wal”, and reading them needs a writable folder: make "
          + "“\(other.path)” writable, or copy both files to a folder that is"
      ])
    #expect(child.wait() == 1)
  }

  @Test func storeIsNotCreatedInReadOnlyFolder() throws {
    let folder = try TemporaryFolder()
    try setMode(0o555, of: folder.path)
    defer { try? setMode(0o755, of: folder.path) }
    let child = try StoreProcess(["--unprivileged", "find", folder.path + "/library.db"])
    let lines = child.readLines()
    #expect(lines.count == 1)
    #expect(lines.first?.hasPrefix("cannot create the store at") == true, "\(lines)")
    #expect(child.wait() == 1)
    #expect(try folder.names() == [])
  }

  @Test func fullDiskLosesNothing() throws {
    let folder = try TemporaryFolder()
    let path = try makeStore(in: folder, links: 1)
    let child = try StoreProcess(["--file-size", "400000", "save", path, "full", "100000"])
    let lines = child.readLines()
    #expect(child.wait() == 1)
    #expect(lines.last?.contains("quota is full") == true, "\(lines.last ?? "")")
    let store = try StoreFixture(at: .file(path), StoreFixture.link).store
    let stored = Set(
      try store.items.find(Query("Link")).map { "\($0.id ?? 0) \($0.text("url") ?? "")" })
    #expect(lines.count > 5)
    #expect(stored.isSuperset(of: lines.dropLast()))
    #expect(stored.count == lines.count)
    _ = try store.items.create("Link", set: [("url", .string("https://example.org/after"))])
  }

  @Test func damagedFileIsReported() throws {
    let folder = try TemporaryFolder()
    let path = try makeStore(in: folder, links: 200)
    var bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    for index in 4096..<bytes.count { bytes[index] = UInt8(truncatingIfNeeded: index &* 131) }
    try Data(bytes).write(to: URL(filePath: path))
    let error = #expect(throws: StoreError.self) {
      let store = try StoreFixture(at: .file(path), StoreFixture.link).store
      _ = try store.items.find(Query("Link"))
    }
    #expect(error?.code == .corrupt)
    #expect(error?.message.contains("damaged") == true)
  }

  @Test func truncatedFileIsReported() throws {
    let folder = try TemporaryFolder()
    let path = try makeStore(in: folder, links: 200)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
    try Data(bytes.prefix(5000)).write(to: URL(filePath: path))
    let error = #expect(throws: StoreError.self) {
      let store = try StoreFixture(at: .file(path), StoreFixture.link).store
      _ = try store.items.find(Query("Link"))
    }
    #expect(error?.code == .corrupt)
  }

  @Test func newerFormatIsNotTouched() throws {
    let folder = try TemporaryFolder()
    let path = try makeStore(in: folder, links: 1)
    try StoreFixture(at: .file(path)).store.setMetadata("format", to: "999")
    let error = #expect(throws: StoreError.self) { try StoreFixture(at: .file(path)) }
    #expect(error?.code == .newerFormat)
    #expect(error?.message.contains("update errand") == true)
  }

  @Test func folderIsNotAStore() throws {
    let folder = try TemporaryFolder()
    let error = #expect(throws: StoreError.self) { try StoreFixture(at: .file(folder.path)) }
    #expect(error?.code == .io)
  }

  @Test func errorsNeverContainValues() throws {
    let store = try StoreFixture(StoreFixture.link).store
    let error = #expect(throws: StoreError.self) {
      try store.items.create(
        "Link", set: [("url", .string("https://secret.org")), ("tags", .int(7))])
    }
    #expect(error?.code == .invalidValue)
    #expect(error?.message == "the value for Link.tags must be of type list<string>")
  }
}
