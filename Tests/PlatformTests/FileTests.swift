import Engine
import Glibc
import Items
import Testing

@testable import Platform

/// Reading, writing, moving and trashing files.
@Suite struct FileTests {
  private func transfer(
    _ from: String, _ to: String, copy: Bool = false, _ conflict: FileTransfer.Conflict = .fail
  ) throws -> String? {
    try FileMover(FileTransfer(from: from, to: to, isCopy: copy, onConflict: conflict)).run()?.path
  }

  private func code(_ body: () throws -> Void) -> RunError.Code? {
    do {
      try body()
      return nil
    } catch {
      return (error as? RunError)?.code
    }
  }

  // MARK: Reading

  @Test func readingRejectsNonRegularFiles() throws {
    let folder = try TestFolder()
    #expect(code { _ = try FileAccess.machine.read(folder.file("none"), 10) } == .notFound)
    #expect(code { _ = try FileAccess.machine.read(folder.path, 10) } == .io)
    #expect(code { _ = try FileAccess.machine.read("/dev/zero", 10) } == .io)
    mkfifo(folder.file("pipe"), 0o600)
    #expect(code { _ = try FileAccess.machine.read(folder.file("pipe"), 10) } == .io)
  }

  @Test func readingRejectsHugeFiles() throws {
    let folder = try TestFolder()
    let path = try folder.write("x", to: "huge")
    truncate(path, 1 << 40)
    #expect(code { _ = try FileAccess.machine.read(path, 64 << 20) } == .io)
  }

  @Test func linksToNothingAreWhatTheyWouldCreate() throws {
    let folder = try TestFolder()
    let canonical = FileAccess.machine.canonical
    symlink("/nowhere/a", folder.file("absolute"))
    symlink("absolute", folder.file("relative"))
    symlink("loop", folder.file("loop"))
    #expect(canonical(folder.file("absolute")) == "/nowhere/a")
    #expect(canonical(folder.file("relative")) == "/nowhere/a")
    #expect(canonical(folder.file("loop")).hasSuffix("/loop"))
  }

  @Test func openFilesAreApprovedByTheirRealPaths() throws {
    let folder = try TestFolder()
    mkdir(folder.file("outside"), 0o700)
    _ = try folder.write("old", to: "outside/a")
    symlink("outside", folder.file("inside"))
    let outside = try #require(CanonicalPath.resolved(folder.file("outside")))
    let approved = try #require(FileAccess.machine.approved)
    let files = approved { path in
      if path.hasPrefix(outside) { throw RunError(.notAllowed, path) }
    }
    #expect(code { _ = try files.read(folder.file("inside/a"), 10) } == .notAllowed)
    for mode in FileAccess.WriteMode.allCases {
      let name = mode == .create ? "inside/b" : "inside/a"
      #expect(
        code { try files.write(folder.file(name), Array("new".utf8), mode) } == .notAllowed)
    }
    #expect(try FileAccess.machine.read(folder.file("outside/a"), 10) == Array("old".utf8))
    #expect(access(folder.file("outside/b"), F_OK) != 0)
    try files.write(folder.file("c"), Array("new".utf8), .create)
  }

  // MARK: Writing

  @Test func replacingKeepsPermissionsAndLinks() throws {
    let folder = try TestFolder()
    let path = try folder.write("old", to: "file")
    chmod(path, 0o640)
    symlink("file", folder.file("link"))
    try FileAccess.machine.write(folder.file("link"), Array("new".utf8), .replace)
    #expect(folder.read("file") == "new")
    var status = stat()
    lstat(path, &status)
    #expect(status.st_mode & 0o777 == 0o640)
    lstat(folder.file("link"), &status)
    #expect(status.st_mode & S_IFMT == S_IFLNK)
    #expect(try folder.names() == ["file", "link"])
  }

  @Test func creatingNeverReplaces() throws {
    let folder = try TestFolder()
    try folder.write("old", to: "file")
    #expect(
      code { try FileAccess.machine.write(folder.file("file"), Array("new".utf8), .create) }
        == .conflict)
    #expect(folder.read("file") == "old")
    try FileAccess.machine.write(folder.file("other"), Array("new".utf8), .create)
    #expect(folder.read("other") == "new")
    #expect(try folder.names() == ["file", "other"])
  }

  @Test func appendingAdds() throws {
    let folder = try TestFolder()
    try FileAccess.machine.write(folder.file("log"), Array("one\n".utf8), .append)
    try FileAccess.machine.write(folder.file("log"), Array("two\n".utf8), .append)
    #expect(folder.read("log") == "one\ntwo\n")
  }

  @Test func aFullDiskKeepsTheOldFile() {
    // Every write to it fails as on a full disk (full(4)).
    let error = #expect(throws: RunError.self) {
      try FileAccess.machine.write("/dev/full", [1], .append)
    }
    #expect(error?.code == .io)
    #expect(error?.message.contains("full") == true)
  }

  @Test func writingRejectsFolders() throws {
    let folder = try TestFolder()
    #expect(code { try FileAccess.machine.write(folder.path, [1], .replace) } == .io)
    #expect(try folder.names() == [])
  }

  // MARK: Moving and copying

  @Test func aTrailingSlashCreatesTheFolder() throws {
    let folder = try TestFolder()
    try folder.write("x", to: "a.txt")
    let place = try transfer(folder.file("a.txt"), folder.file("deep/er/"))
    #expect(place == folder.file("deep/er/a.txt"))
    #expect(folder.read("deep/er/a.txt") == "x")
    #expect(folder.read("a.txt") == nil)
  }

  @Test(arguments: [true, false])
  func replacesOnlyOnRequest(_ copies: Bool) throws {
    let folder = try TestFolder()
    try folder.write("new", to: "a.txt")
    try folder.write("old", to: "b.txt")
    let (a, b) = (folder.file("a.txt"), folder.file("b.txt"))
    #expect(code { _ = try transfer(a, b, copy: copies) } == .conflict)
    #expect(try transfer(a, b, copy: copies, .skip) == nil)
    #expect(folder.read("b.txt") == "old")
    #expect(try transfer(a, b, copy: true, .number) == folder.file("b (2).txt"))
    #expect(try transfer(a, b, copy: true, .number) == folder.file("b (3).txt"))
    #expect(try transfer(a, b, copy: copies, .replace) == b)
    #expect(folder.read("b.txt") == "new")
    #expect(folder.read("a.txt") == (copies ? "new" : nil))
  }

  @Test func copiesFoldersRecursively() throws {
    let folder = try TestFolder()
    mkdir(folder.file("in"), 0o755)
    try folder.write("x", to: "in/file")
    symlink("file", folder.file("in/link"))
    mkdir(folder.file("in/empty"), 0o700)
    #expect(try transfer(folder.file("in"), folder.file("out"), copy: true) != nil)
    #expect(folder.read("out/file") == "x")
    #expect(
      try FolderListing.entries(folder.file("out"), true).map(\.name) == ["empty", "file", "link"])
    #expect(
      code { _ = try transfer(folder.file("in"), folder.file("in/sub"), copy: true) }
        == .invalidValue)
  }

  @Test(arguments: [true, false], ["d/e", "d/e/f", "d/new/", "here/e"])
  func rejectsMovingAFolderIntoItself(_ copies: Bool, _ target: String) throws {
    let folder = try TestFolder()
    mkdir(folder.file("d"), 0o755)
    try folder.write("x", to: "d/file")
    symlink("d", folder.file("here"))
    #expect(
      code { _ = try transfer(folder.file("d"), folder.file(target), copy: copies) }
        == .invalidValue)
    #expect(try folder.names() == ["d", "here"])
    #expect(try FolderListing.entries(folder.file("d"), true).map(\.name) == ["file"])
  }

  @Test func aFailureLeavesNoFolders() throws {
    let folder = try TestFolder()
    mkfifo(folder.file("pipe"), 0o600)
    mkdir(folder.file("in"), 0o755)
    try folder.write("x", to: "in/a")
    mkfifo(folder.file("in/b"), 0o600)
    #expect(code { _ = try transfer(folder.file("pipe"), folder.file("x/y"), copy: true) } == .io)
    #expect(code { _ = try transfer(folder.file("in"), folder.file("x/"), copy: true) } == .io)
    #expect(try folder.names() == ["in", "pipe"])
  }

  @Test func copiesKeepPermissionsAndTimes() throws {
    let folder = try TestFolder()
    let path = try folder.write("x", to: "a")
    chmod(path, 0o751)
    var times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 2_000, tv_nsec: 0)]
    utimensat(AT_FDCWD, path, &times, 0)
    _ = try transfer(path, folder.file("b"), copy: true)
    var status = stat()
    lstat(folder.file("b"), &status)
    #expect(status.st_mode & 0o777 == 0o751)
    #expect(status.st_mtim.tv_sec == 2_000)
  }

  @Test func reportsMissingFiles() throws {
    let folder = try TestFolder()
    #expect(code { _ = try transfer(folder.file("none"), folder.file("b")) } == .notFound)
  }

  // MARK: The trash

  @Test func theTrashFollowsFreedesktop() throws {
    let folder = try TestFolder()
    let data = folder.file("data")
    let trash = Trash { $0 == "XDG_DATA_HOME" ? data : nil }
    let path = try folder.write("one", to: "a b.txt")
    let place = try trash.put(path).to
    #expect(place == data + "/Trash/files/a b.txt")
    #expect(folder.read("data/Trash/files/a b.txt") == "one")
    let note = try #require(folder.read("data/Trash/info/a b.txt.trashinfo"))
    #expect(note.hasPrefix("[Trash Info]\nPath=\(folder.path)/a%20b.txt\nDeletionDate=2"))
    // A second file of the same name gets a number.
    try folder.write("two", to: "a b.txt")
    #expect(try trash.put(path).to != place)
    #expect(try FolderListing.entries(data + "/Trash/files", false).count == 2)
    #expect(code { _ = try trash.put(folder.file("none")) } == .notFound)
  }
}
