import Catalog
import Engine
import Source
import Testing

/// Recognition of the user's own definitions in a recorded run.
@Suite struct RecordedLibraryTests {
  private static let text = "shortcut: a\nsteps: [{exec: [ls]}]\n"

  /// A recorded definition, the current definitions by layer, and whether it counts as foreign.
  struct Row: CustomTestStringConvertible {
    let testDescription: String
    var recorded = RecordedLibraryTests.text
    let now: [(text: String, layer: DefinitionCatalog.Layer)]
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
  func recordedDefinitionIsOwnWhileUserFolderHasIt(_ row: Row) throws {
    let current = DefinitionCatalog()
    for (text, layer) in row.now {
      current.add(SourceFile(name: "now.yaml", text: text), to: layer)
    }
    let recorded = RecordedCatalog(ofRun: 7, [row.recorded], in: current)
    #expect(recorded.foreignNames.isEmpty == !row.isForeign)
    #expect(recorded.catalog.addedActionNames.count == 1)
  }

  @Test func unrecordedDefinitionsAreCurrent() throws {
    let current = DefinitionCatalog()
    current.add(
      SourceFile(name: "now.yaml", text: Self.text + "---\nshortcut: b\nsteps: [stop]\n"), to: .user
    )
    current.add(SourceFile(name: "f.yaml", text: "shortcut: c\nsteps: [stop]\n"), to: .file)
    let recorded = RecordedCatalog(ofRun: 7, [Self.text], in: current)
    #expect(recorded.catalog.addedActionNames == ["a", "b", "c"])
    #expect(recorded.foreignNames == ["c"])
  }

  @Test func builtInDefinitionsAreOwn() throws {
    let current = DefinitionCatalog()
    let text = try #require(current.source(of: "save"))
    #expect(RecordedCatalog(ofRun: 7, [text], in: current).foreignNames == [])
  }
}
