import FoundationEssentials
import Glibc
import POSIX
import Testing

/// Temporary files, locks and created folders.
@Suite struct DraftFileTests {
  private let folder = FileManager.default.temporaryDirectory.path + "/errand-draft-\(getpid())"

  private func within(_ name: String, _ body: (String) throws -> Void) throws {
    let path = "\(folder)-\(name)"
    try Folder.make(path)
    defer { try? FileManager.default.removeItem(atPath: path) }
    try body(path)
  }

  private func contents(_ path: String) throws -> String {
    String(decoding: try Descriptor(path, O_RDONLY).bytes(limit: .max) ?? [], as: UTF8.self)
  }

  @Test func publishesAtomically() throws {
    try within("place") { folder in
      let target = folder + "/a"
      for text in ["one", "two"] {
        let draft = try TemporaryFile(for: target)
        try draft.file.write(Array(text.utf8))
        try draft.publish(as: target)
      }
      #expect(try contents(target) == "two")
      let late = try TemporaryFile(for: target)
      #expect(throws: SystemError.self) { try late.publish(as: target, replacing: false) }
      #expect(try contents(target) == "two")
    }
  }

  @Test func removesUnpublishedDrafts() throws {
    try within("nothing") { folder in
      do {
        let draft = try TemporaryFile(for: folder + "/a")
        try draft.file.write([1])
        #expect(Folder.names(in: folder)?.count == 1)
      }
      #expect(Folder.names(in: folder) == [])
    }
  }

  @Test func locksExcludeEachOther() throws {
    try within("lock") { folder in
      let path = folder + "/lock"
      let first = try FileLock(path)
      #expect(first != nil)
      #expect(try FileLock(path) == nil)
      var isTold = false
      let late = try FileLock.wait(
        for: path, patience: .milliseconds(20), silence: .milliseconds(5)
      ) { isTold = true }
      #expect(late == nil && isTold)
      first?.release()
      #expect(try FileLock(path) != nil)
    }
  }

  @Test func createsAllFoldersOrNone() throws {
    try within("folders") { folder in
      let made = try Folder.make(folder + "/a/b", isDurable: true)
      #expect(made == [folder + "/a", folder + "/a/b"])
      let again = try Folder.make(folder + "/a/b")
      #expect(again.isEmpty)
      close(open(folder + "/file", O_CREAT | O_WRONLY, 0o600))
      #expect(throws: SystemError.self) { try Folder.make(folder + "/file/c/d") }
    }
  }

  @Test func readsProcessRecords() {
    let own = ProcessRecord(getpid())
    #expect(own?.parent == getppid())
    #expect((own?.start ?? 0) > 0)
    #expect(ProcessRecord(-1) == nil)
  }
}
