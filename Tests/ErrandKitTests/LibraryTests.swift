import ErrandKit
import Testing

/// Reading and writing items.
@Suite struct LibraryTests {
  private let home: Home

  init() throws { home = try Home() }

  @Test func changesCanBeUndoneAndRedone() throws {
    let errand = try home.open()
    let writer = try errand.writer(as: "test")
    let reader = try errand.reader()
    let made = try writer.create(
      "Link", ["url": "https://swift.org", "title": "Swift", "tags": ["a,b", "c"]])
    #expect(made.items.first?["tags"] == ["a,b", "c"])
    #expect(made.items.first?["title"] == "Swift")
    let changed = try writer.update(
      ["link:1"], set: ["title": "Swift.org"], add: ["tags": ["d"]], remove: ["tags": ["c"]])
    #expect(changed.items.first?["tags"] == ["a,b", "d"])
    #expect(try #require(changed.number) > #require(made.number))
    #expect(try writer.undo().items.first?.title == "Swift")
    #expect(try writer.redo().items.first?.title == "Swift.org")
    #expect(try reader.item("link:1")["tags"] == ["a,b", "d"])
    let deleted = try writer.delete(["link:1"])
    #expect(deleted.items.first?.title == "Swift.org")
    #expect(try reader.count("Link") == 0)
    try writer.undo(deleted.number)
    #expect(try reader.item("link:1").title == "Swift.org")
    try writer.undo(changed.number)
    #expect(try reader.item("link:1").title == "Swift")
    #expect(try writer.update([], set: ["title": "x"]).number == nil)
  }

  @Test func readersSeeTablesCreatedLater() throws {
    let errand = try home.open()
    let writer = try errand.writer(as: "test")
    _ = try writer.create("Link", ["url": "https://swift.org"])
    let reader = try errand.reader()
    #expect(try reader.find("Note").isEmpty)
    _ = try writer.create("Note", ["text": "owls"])
    #expect(try reader.find("Note").map(\.title) == ["owls"])
    #expect(try reader.count("Note", matching: "owls") == 1)
  }

  @Test func undoRevertsARun() throws {
    let errand = try home.open()
    let run = try errand.start("save", ["url": "https://swift.org"])
    _ = try run.result()
    let writer = try errand.writer(as: "test")
    #expect(try writer.undo(run: #require(run.id)).number != nil)
    #expect(try errand.reader().count("Link") == 0)
  }

  @Test func writerRejectsInvalidInput() throws {
    let writer = try home.open().writer(as: "test")
    func code(_ body: () throws -> Void) -> String? {
      do { try body() } catch let error as ErrandError { return error.code } catch {}
      return nil
    }
    #expect(code { _ = try writer.create("Lnik", [:]) } == "not-found")
    #expect(code { _ = try writer.create("Link", ["titel": "x"]) } == "invalid-value")
    #expect(code { _ = try writer.create("Link", ["title": "x"]) } == "needs-value")
    #expect(code { _ = try writer.create("Link", ["url": "no url"]) } == "invalid-value")
    #expect(
      code { _ = try writer.create("Link", ["url": "https://a.example", "tags": 1]) }
        == "invalid-value")
    _ = try writer.create("Link", ["url": "https://a.example"])
    #expect(code { _ = try writer.create("Link", ["url": "https://a.example"]) } == "conflict")
    #expect(code { _ = try writer.delete(["link:7"]) } == "not-found")
    #expect(code { _ = try writer.undo(4711) } == "not-found")
  }

  @Test func findsPagesAndSnippets() throws {
    let errand = try home.open()
    let writer = try errand.writer(as: "test")
    for number in 1...5 {
      _ = try writer.create(
        "Note", ["text": .string("Number \(number)\na long text about owls")])
    }
    let reader = try errand.reader()
    let first = try reader.find("Note", sort: ["text"], limit: 2)
    #expect(first.map(\.title) == ["Number 1", "Number 2"])
    let second = try reader.find("Note", sort: ["text"], limit: 2, after: first.last?.reference)
    #expect(second.map(\.title) == ["Number 3", "Number 4"])
    let found = try reader.find("Note", matching: "owls", limit: 1)
    #expect(found.first?.snippet.contains { $0.isMatch && $0.text == "owls" } == true)
    #expect(try reader.count("Note", matching: "owls") == 5)
    #expect(try reader.count("Note", matching: "hawks") == 0)
    #expect(throws: ErrandError.self) { try reader.find("Note", where: "self.nothing == 1") }
    #expect(throws: ErrandError.self) { try reader.find("Note", sort: ["nothing"]) }
  }

  @Test func readersFollowDefinitionsThatChange() throws {
    let errand = try home.open(["book.yaml": "entity: Book\nproperties: {title: string}"])
    _ = try errand.writer(as: "test").create("Book", ["title": "Dune"])
    try home.write(
      "entity: Book\nproperties: {title: {type: string, search: 10, index: true}, year: int?}",
      to: ".config/errand/book.yaml")
    try errand.reload()
    #expect(try errand.reader().find("Book").first?["year"] == .null)
    #expect(try errand.reader().count("Book", matching: "dune") == 1)
  }
}
