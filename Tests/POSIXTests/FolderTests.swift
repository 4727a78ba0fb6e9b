import FoundationEssentials
import Glibc
import POSIX
import Testing

/// Folder names and complete writes.
@Suite struct FolderTests {
  private let path = FileManager.default.temporaryDirectory.path + "/errand-posix-\(getpid())"

  @Test func omitsNamesThatAreNotUTF8() throws {
    let folder = path + "-names"
    mkdir(folder, 0o700)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    for name in ["a", ".b", "ü\n"] { close(open("\(folder)/\(name)", O_CREAT | O_WRONLY, 0o600)) }
    let noText = Array("\(folder)/".utf8).map { CChar(bitPattern: $0) } + [-1, 0]
    let descriptor = open(noText, O_CREAT | O_WRONLY, 0o600)
    #expect(descriptor >= 0)
    close(descriptor)
    #expect(Folder.names(in: folder)?.sorted() == [".b", "a", "ü\n"])
    #expect(Folder.visibleNames(in: folder).sorted() == ["a", "ü\n"])
    #expect(Folder.sync(folder) == 0)
  }

  @Test func reportsMissingFolders() {
    #expect(Folder.names(in: path + "-none") == nil)
    #expect(errno == ENOENT)
    #expect(Folder.visibleNames(in: path + "-none") == [])
    #expect(Folder.sync(path + "-none") == ENOENT)
  }

  @Test(arguments: [
    ("/a/b", "/a"), ("/a/b//", "/a"), ("/a", "/"), ("/", "/"), ("a", "."), ("a/b", "a"), ("", "."),
  ])
  func findsTheParent(_ path: String, _ parent: String) {
    #expect(Folder.parent(of: path) == parent)
  }

  @Test func writesAllBytesOrReturnsTheError() throws {
    let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0 % 251) }
    let file = path + "-bytes"
    defer { unlink(file) }
    let descriptor = open(file, O_CREAT | O_WRONLY | O_CLOEXEC, 0o600)
    #expect(WholeWrite.write(bytes, to: descriptor) == 0)
    close(descriptor)
    #expect(FileManager.default.contents(atPath: file).map(Array.init) == bytes)
    let reading = open(file, O_RDONLY | O_CLOEXEC)
    defer { close(reading) }
    #expect(WholeWrite.write([1], to: reading) == EBADF)
    #expect(WholeWrite.write([], to: reading) == 0)
  }
}
