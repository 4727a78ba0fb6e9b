import Source
import Testing

@testable import Catalog

@Suite struct LibraryTests {
  @Test func everyBuiltInDefinitionParses() throws {
    let catalog = DefinitionCatalog()
    for name in catalog.entityNames {
      _ = try #require(try catalog.entity(name), "\(name)")
    }
    for name in catalog.actionNames {
      _ = try #require(try catalog.action(name), "\(name)")
    }
    #expect(catalog.problems.isEmpty)
    #expect(
      catalog.entityNames == [
        "Counter", "Event", "File", "Link", "Note", "Place", "Shared", "Task",
      ])
    #expect(Set(["save", "share", "search", "recent", "open"]).isSubset(of: catalog.actionNames))
  }

  @Test func userLayerMayOverrideABuiltIn() throws {
    let catalog = DefinitionCatalog()
    catalog.add(
      SourceFile(name: "mine.yaml", text: "intent: save\nsteps: [stop]\n"), to: .user)
    #expect(catalog.problems.isEmpty)
    #expect(try catalog.action("save")?.parameters.isEmpty == true)
  }

  @Test(arguments: [
    ("intent: save\nsteps: [stop]\n", DefinitionCatalog.Layer.project),
    ("entity: Link\nproperties: {a: string}\n", .project),
    ("intent: save\nsteps: [stop]\n", .file),
    ("shortcut: save\nsteps: [stop]\n", .file),
    ("shortcut: quick-share\nsteps: [stop]\n", .project),
  ])
  func laterLayersReplaceNothing(text: String, layer: DefinitionCatalog.Layer) throws {
    let catalog = DefinitionCatalog()
    catalog.add(SourceFile(name: "x.yaml", text: text), to: layer)
    #expect(catalog.problems.map(\.id) == ["name-taken"])
    #expect(try catalog.action("save")?.parameters.count == 6)
  }

  @Test func aFileMayRedefineABuiltInShortcut() throws {
    let catalog = DefinitionCatalog()
    catalog.add(
      SourceFile(name: "x.yaml", text: "shortcut: quick-share\nsteps: [stop]\n"), to: .file)
    #expect(catalog.problems.isEmpty)
    #expect(try catalog.action("quick-share")?.steps.count == 1)
  }

  @Test func duplicateNameInALayerIsAnError() {
    let catalog = DefinitionCatalog()
    catalog.add(
      SourceFile(name: "x.yaml", text: "intent: a\nsteps: [stop]\n---\nintent: a\nsteps: [stop]\n"),
      to: .project)
    #expect(catalog.problems.map(\.id) == ["name-taken"])
  }

  @Test func oneBadDocumentDoesNotHideTheOthers() throws {
    let catalog = DefinitionCatalog()
    catalog.add(
      SourceFile(
        name: "x.yaml",
        text: "intent: one\nsteps: [stop]\n---\nintent: [\n---\nintent: two\nsteps: [stop]\n"),
      to: .project)
    #expect(catalog.problems.map(\.id) == ["yaml-syntax"])
    #expect(try catalog.action("one") != nil)
    #expect(try catalog.action("two") != nil)
  }

  @Test func documentsInFlowStyleAreFound() throws {
    let catalog = DefinitionCatalog()
    catalog.add(
      SourceFile(name: "x.yaml", text: "{\"intent\": \"one\", \"steps\": [\"stop\"]}\n"),
      to: .project)
    #expect(try catalog.action("one") != nil)
  }
}
