import Source
import Testing

@testable import Catalog

@Suite struct LibraryTests {
  @Test func everyBuiltInDefinitionReads() throws {
    let library = Library()
    for name in library.entityNames {
      _ = try #require(try library.entity(name), "\(name)")
    }
    for name in library.actionNames {
      _ = try #require(try library.action(name), "\(name)")
    }
    #expect(library.problems.isEmpty)
    #expect(library.entityNames == ["Counter", "File", "Link", "Note", "Task"])
    #expect(Set(["save", "share", "search", "recent", "open"]).isSubset(of: library.actionNames))
  }

  @Test func theUsersLayerMayReplaceABuiltIn() throws {
    let library = Library()
    library.add(
      SourceFile(name: "mine.yaml", text: "intent: save\nsteps: [stop]\n"), to: .user)
    #expect(library.problems.isEmpty)
    #expect(try library.action("save")?.parameters.isEmpty == true)
  }

  @Test(arguments: [
    ("intent: save\nsteps: [stop]\n", Library.Layer.project),
    ("entity: Link\nproperties: {a: string}\n", .project),
    ("intent: save\nsteps: [stop]\n", .file),
    ("shortcut: save\nsteps: [stop]\n", .file),
    ("shortcut: quick-share\nsteps: [stop]\n", .project),
  ])
  func laterLayersReplaceNothing(text: String, layer: Library.Layer) throws {
    let library = Library()
    library.add(SourceFile(name: "x.yaml", text: text), to: layer)
    #expect(library.problems.map(\.id) == ["name-taken"])
    #expect(try library.action("save")?.parameters.count == 5)
  }

  @Test func aFileMayHoldAChangedCopyOfAShortcut() throws {
    let library = Library()
    library.add(
      SourceFile(name: "x.yaml", text: "shortcut: quick-share\nsteps: [stop]\n"), to: .file)
    #expect(library.problems.isEmpty)
    #expect(try library.action("quick-share")?.steps.count == 1)
  }

  @Test func aNameGivenTwiceInALayerIsAnError() {
    let library = Library()
    library.add(
      SourceFile(name: "x.yaml", text: "intent: a\nsteps: [stop]\n---\nintent: a\nsteps: [stop]\n"),
      to: .project)
    #expect(library.problems.map(\.id) == ["name-taken"])
  }

  @Test func oneBadDocumentDoesNotHideTheOthers() throws {
    let library = Library()
    library.add(
      SourceFile(
        name: "x.yaml",
        text: "intent: one\nsteps: [stop]\n---\nintent: [\n---\nintent: two\nsteps: [stop]\n"),
      to: .project)
    #expect(library.problems.map(\.id) == ["yaml-syntax"])
    #expect(try library.action("one") != nil)
    #expect(try library.action("two") != nil)
  }

  @Test func documentsWithoutANameAtTheMarginAreFoundToo() throws {
    let library = Library()
    library.add(
      SourceFile(name: "x.yaml", text: "{\"intent\": \"one\", \"steps\": [\"stop\"]}\n"),
      to: .project)
    #expect(try library.action("one") != nil)
  }
}
