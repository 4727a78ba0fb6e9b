import Engine
import Glibc
import Items
import Testing

@testable import Platform

/// Undoing moves of files, and the conflicts that prevent it.
@Suite struct MoveReversalTests {
  private let folder: TestFolder
  private let trash: Trash

  init() throws {
    folder = try TestFolder()
    let data = folder.file("data")
    trash = Trash { $0 == "XDG_DATA_HOME" ? data : nil }
    try folder.write("text", to: "a")
  }

  private func moved(_ from: String, to target: String) throws -> FileMove {
    let transfer = FileTransfer(
      from: folder.file(from), to: folder.file(target), isCopy: false, onConflict: .fail)
    return try #require(try FileMover(transfer).run()?.move)
  }

  private func takeBack(_ move: FileMove) throws -> FileMove { try MoveReversal(move, trash).run() }

  private func message(_ move: FileMove) -> String? {
    do {
      _ = try takeBack(move)
      return nil
    } catch {
      let error = error as? RunError
      return error?.code == .conflict ? error?.message : "\(error as Any)"
    }
  }

  @Test func undoesAndRedoesAMove() throws {
    let move = try moved("a", to: "sub/")
    #expect(move.from == folder.file("a"))
    #expect(move.to == folder.file("sub/a"))
    let back = try takeBack(move)
    #expect(folder.read("a") == "text")
    #expect(folder.read("sub/a") == nil)
    #expect(try takeBack(back).to == move.to)
    #expect(folder.read("sub/a") == "text")
  }

  @Test func recordsAbsolutePaths() throws {
    let other = try TestFolder()
    symlink(folder.path, other.file("link"))
    let transfer = FileTransfer(
      from: other.file("link/a"), to: other.file("link/b"), isCopy: false, onConflict: .fail)
    let move = try #require(try FileMover(transfer).run()?.move)
    #expect(move.from == folder.file("a"))
    #expect(move.to == folder.file("b"))
  }

  @Test func movesAFolderBack() throws {
    mkdir(folder.file("in"), 0o755)
    try folder.write("x", to: "in/x")
    let move = try moved("in", to: "out")
    _ = try takeBack(move)
    #expect(folder.read("in/x") == "x")
  }

  @Test func aChangedFileIsAConflict() throws {
    let move = try moved("a", to: "b")
    try folder.write("other text", to: "b")
    #expect(message(move) == "\(move.to) was changed after it was moved there")
    #expect(folder.read("b") == "other text")
    #expect(folder.read("a") == nil)
  }

  @Test func aFolderWithANewFileIsAConflict() throws {
    mkdir(folder.file("in"), 0o755)
    let move = try moved("in", to: "out")
    // File system timestamps advance in steps.
    var times = [timespec(tv_sec: 1_000, tv_nsec: 0), timespec(tv_sec: 2_000, tv_nsec: 0)]
    try folder.write("x", to: "out/x")
    utimensat(AT_FDCWD, folder.file("out"), &times, 0)
    #expect(message(move) == "\(move.to) was changed after it was moved there")
  }

  @Test func aMissingFileIsAConflict() throws {
    let move = try moved("a", to: "b")
    unlink(folder.file("b"))
    #expect(message(move) == "\(move.to) no longer exists")
  }

  @Test func aTakenPathIsAConflict() throws {
    let move = try moved("a", to: "b")
    try folder.write("new", to: "a")
    #expect(message(move) == "something else is now at \(move.from)")
    #expect(folder.read("a") == "new")
    #expect(folder.read("b") == "text")
  }

  @Test func restoringFromTheTrashRemovesItsInfoFile() throws {
    let move = try trash.put(folder.file("a"))
    #expect(move.kind == .trash)
    let back = try takeBack(move)
    #expect(back.kind == .restore)
    #expect(folder.read("a") == "text")
    #expect(try FolderListing.entries(folder.file("data/Trash/info"), false).isEmpty)
    let again = try takeBack(back)
    #expect(again.kind == .trash)
    #expect(folder.read("a") == nil)
    #expect(try FolderListing.entries(folder.file("data/Trash/info"), false).count == 1)
  }
}
