import Catalog
import Engine
import Source
import Testing

/// Which definitions of a recorded run are the person's own.
@Suite struct RecordedLibraryTests {
  private static let text = "shortcut: a\nsteps: [{exec: [ls]}]\n"

  /// A recorded definition, the definitions in reach now by their layers, and whether it is foreign.
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    var recorded = RecordedLibraryTests.text
    let now: [(text: String, layer: Library.Layer)]
    let isForeign: Bool
  }

  @Test(arguments: [
    Row(testDescription: "the same", now: [(text, .user)], isForeign: false),
    Row(
      testDescription: "changed", now: [("shortcut: a\nsteps: [{exec: [rm]}]\n", .user)],
      isForeign: true),
    Row(testDescription: "gone", now: [], isForeign: true),
    Row(testDescription: "a project's", now: [(text, .project)], isForeign: true),
    Row(testDescription: "a catalog's", now: [(text, .catalog)], isForeign: true),
    Row(testDescription: "a file's", now: [(text, .file)], isForeign: true),
    Row(
      testDescription: "one that took the place of a built-in",
      recorded: "intent: save\nsteps: [stop]\n",
      now: [], isForeign: true),
  ])
  func aDefinitionIsOwnWhileAPersonsFolderHasIt(_ row: Row) throws {
    let current = Library()
    for (text, layer) in row.now {
      current.add(SourceFile(name: "now.yaml", text: text), to: layer)
    }
    let recorded = RecordedLibrary(ofRun: 7, [row.recorded], in: current)
    #expect(recorded.foreignNames.isEmpty == !row.isForeign)
    #expect(recorded.library.addedActionNames.count == 1)
  }

  @Test func whatTheRunHasNotNamedYetIsAsItIsNow() throws {
    let current = Library()
    current.add(
      SourceFile(name: "now.yaml", text: Self.text + "---\nshortcut: b\nsteps: [stop]\n"), to: .user
    )
    current.add(SourceFile(name: "f.yaml", text: "shortcut: c\nsteps: [stop]\n"), to: .file)
    let recorded = RecordedLibrary(ofRun: 7, [Self.text], in: current)
    #expect(recorded.library.addedActionNames == ["a", "b", "c"])
    #expect(recorded.foreignNames == ["c"])
  }

  @Test func whatCameWithTheProgramIsOwn() throws {
    let current = Library()
    let text = try #require(current.source(of: "save"))
    #expect(RecordedLibrary(ofRun: 7, [text], in: current).foreignNames == [])
  }
}
