import CEL
import FoundationEssentials
import LanguageServer
import Testing

@Suite struct NameTests {
  private static let greet = """
    intent: greet
    parameters:
      person: string
      loudly: bool?
    steps:
      - value: 'Hello, {{ person }}'
        as: greeting
      - say: '{{ greeting }}'
        when: loudly != true
      - return: '{{ greeting + person }}'
    tests:
      - parameters: {person: Ada}
        expect: {output: 'Hello, AdaAda'}
    """
  private static let caller = """
    shortcut: caller
    steps:
      - greet: {person: Ada}
        as: first
      - set: {person: 1}
      - set: {person: '{{ person + 1 }}'}
      - run: {name: greet, with: {person: '{{ first }}'}}
      - value: '{{ string(vars.person) + [1].map(first, string(first)).join("") }}'
    """

  private func session() throws -> Session {
    let session = try Session([
      ".config/errand/greet.yaml": Self.greet, ".config/errand/caller.yaml": Self.caller,
    ])
    session.open(".config/errand/greet.yaml", Self.greet)
    session.open(".config/errand/caller.yaml", Self.caller)
    return session
  }

  /// The position of the n-th occurrence of a word.
  private func place(_ word: String, _ number: Int, in text: String) -> TextPosition {
    let range = text.ranges(of: word)[number]
    let offset = text.utf8.distance(from: text.utf8.startIndex, to: range.lowerBound)
    return TextDocument(text).position(of: offset + 1, .utf16)
  }

  private func renamed(
    _ session: Session, _ file: String, at place: TextPosition, to name: String
  ) throws -> [String: String] {
    let edit = try session.request(
      "textDocument/rename",
      session.parameters(file, at: place, ("newName", .string(name))))
    var texts: [String: String] = [:]
    for (name, text) in ["greet": Self.greet, "caller": Self.caller] {
      let edits = edit["changes"]?[session.uri(".config/errand/\(name).yaml")]?.list ?? []
      texts[name] = TextDocument(text).applying(edits)
    }
    return texts
  }

  @Test func aDefinitionIsFoundAndRenamedInAllFiles() throws {
    let session = try session()
    let file = ".config/errand/caller.yaml"
    let found = try session.request(
      "textDocument/definition", session.parameters(file, at: place("greet", 1, in: Self.caller)))
    #expect(found["uri"]?.string == session.uri(".config/errand/greet.yaml"))
    #expect(found["range"]?["start"]?.place == TextPosition(line: 0, character: 8))
    let texts = try renamed(session, file, at: place("greet", 0, in: Self.caller), to: "welcome")
    #expect(texts["greet"] == Self.greet.replacing("intent: greet", with: "intent: welcome"))
    #expect(
      texts["caller"]
        == Self.caller.replacing("- greet:", with: "- welcome:")
        .replacing("name: greet", with: "name: welcome"))
  }

  @Test func aParameterIsRenamedWhereItIsGiven() throws {
    let session = try session()
    let texts = try renamed(
      session, ".config/errand/greet.yaml", at: place("person", 1, in: Self.greet), to: "who")
    #expect(texts["greet"] == Self.greet.replacing("person", with: "who"))
    #expect(
      texts["caller"]
        == Self.caller.replacing("greet: {person", with: "greet: {who")
        .replacing("with: {person", with: "with: {who"))
  }

  @Test func aVariableAndAResultAreRenamedInTheirFile() throws {
    let session = try session()
    let file = ".config/errand/caller.yaml"
    let variable = try renamed(session, file, at: place("person", 2, in: Self.caller), to: "count")
    #expect(variable["greet"] == Self.greet)
    #expect(
      variable["caller"]
        == Self.caller.replacing("set: {person", with: "set: {count")
        .replacing("{{ person", with: "{{ count").replacing("vars.person", with: "vars.count"))
    let result = try renamed(session, file, at: place("first", 0, in: Self.caller), to: "one")
    // The macro's variable is a different one.
    #expect(
      result["caller"]
        == Self.caller.replacing("as: first", with: "as: one")
        .replacing("{{ first }}", with: "{{ one }}"))
  }

  @Test(arguments: [
    ("greet", 0, "Greet"), ("greet", 0, "say"), ("person", 2, "string"), ("first", 0, "person"),
  ]) func aNameThatBreaksSomethingIsRefused(_ word: String, _ number: Int, _ name: String) throws {
    let session = try session()
    #expect(throws: Session.Refusal.self) {
      try renamed(
        session, ".config/errand/caller.yaml", at: place(word, number, in: Self.caller), to: name)
    }
  }

  @Test(arguments: [("save", "intent: save", 2, 5), ("Link", "entity: Link", 3, 19)])
  func whatCameWithTheProgramIsShown(
    _ name: String, _ head: String, _ line: Int, _ character: Int
  ) throws {
    let session = try Session()
    session.open(
      "a.yaml",
      "shortcut: a\nsteps:\n  - save: {url: 'https://a.example'}\n  - find: {entity: Link}\n")
    let found = try session.request(
      "textDocument/definition",
      session.parameters("a.yaml", at: TextPosition(line: line, character: character)))
    let path = try #require(found["uri"]?.string).dropFirst("file://".count)
    #expect(path.hasPrefix(session.path(".local/state/errand/built-in/schemas/")))
    let text = try String(contentsOfFile: String(path), encoding: .utf8)
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    let place = found["range"]?["start"]?.place ?? TextPosition(line: 0, character: 0)
    #expect(lines[place.line] == head)
    #expect(lines[place.line].dropFirst(place.character).hasPrefix(name))
  }

  @Test func whatCameWithTheProgramKeepsItsName() throws {
    let session = try Session()
    session.open("a.yaml", "shortcut: a\nsteps:\n  - save: {url: 'https://a.example'}\n")
    #expect(throws: Session.Refusal.self) {
      try session.request(
        "textDocument/prepareRename",
        session.parameters("a.yaml", at: TextPosition(line: 2, character: 5)))
    }
  }

  /// An entity with its property renamed, and how `formerly` keeps the stored values.
  @Test(arguments: [
    ("author: string?", "writer: {type: string?, formerly: author}"),
    ("author: map<string>", "writer: {type: map<string>, formerly: author}"),
    ("author: {type: string?, search: 2}", "writer: {type: string?, search: 2, formerly: author}"),
    ("author: {type: string?, formerly: by}", "writer: {type: string?, formerly: author}"),
    (
      "author:\n    type: string?\n    index: true",
      "writer:\n    type: string?\n    index: true\n    formerly: author"
    ),
  ])
  func renamedPropertyIsDeclaredWithItsFormerName(_ old: String, _ new: String) throws {
    let isMap = old.contains("map")
    func entity(_ property: String, _ name: String) -> String {
      """
      entity: Book
      properties:
        title: string
        \(property)
      \(isMap ? "" : "identity: [title, \(name)]\nqueries: {all: {sort: -\(name)}}\n")\
      display: {title: '{{ self.title }} {{ toJson(self.\(name)) }}'}
      """
    }
    func shortcut(_ name: String) -> String {
      "shortcut: books\nsteps:\n  - find: {entity: Book, where: '\(name) != null'}\n"
    }
    let session = try Session([
      ".config/errand/book.yaml": entity(old, "author"),
      ".config/errand/books.yaml": shortcut("author"),
    ])
    session.open(".config/errand/book.yaml", entity(old, "author"))
    let edit = try session.request(
      "textDocument/rename",
      session.parameters(
        ".config/errand/book.yaml", at: TextPosition(line: 3, character: 4),
        ("newName", "writer")))
    func renamed(_ name: String, _ text: String) -> String {
      let uri = session.uri(".config/errand/\(name).yaml")
      return TextDocument(text).applying(edit["changes"]?[uri]?.list ?? [])
    }
    #expect(renamed("book", entity(old, "author")) == entity(new, "writer"))
    #expect(renamed("books", shortcut("author")) == shortcut("writer"))
    #expect(throws: Session.Refusal.self) {
      try session.request(
        "textDocument/rename",
        session.parameters(
          ".config/errand/book.yaml", at: TextPosition(line: 3, character: 4),
          ("newName", "title")))
    }
  }

  @Test func referencesAreThoseOfOneThing() throws {
    let session = try session()
    let file = ".config/errand/caller.yaml"
    let places = try session.request(
      "textDocument/references", session.parameters(file, at: place("first", 1, in: Self.caller)))
    #expect(places.list?.compactMap { $0["range"]?["start"]?["line"]?.int }.sorted() == [3, 6])
    let highlights = try session.request(
      "textDocument/documentHighlight",
      session.parameters(file, at: place("person", 2, in: Self.caller)))
    #expect(highlights.list?.count == 4)
  }

  @Test func theOutlineHasStepsAndTests() throws {
    let session = try session()
    let outline = try session.request(
      "textDocument/documentSymbol", session.parameters(".config/errand/greet.yaml"))
    #expect(outline.list?.map { $0["name"]?.string } == ["greet"])
    #expect(
      outline[0]?["children"]?.list?.compactMap { $0["name"]?.string }
        == ["person", "loudly", "value", "say", "return", "test 1"])
    let symbols = try session.request("workspace/symbol", .map(MapValue([("query", "call")])))
    #expect(symbols.list?.map { $0["name"]?.string } == ["caller"])
  }

  @Test func definitionsCanBeFoldedRunAndTested() throws {
    let session = try session()
    let file = session.parameters(".config/errand/greet.yaml")
    let ranges = try session.request("textDocument/foldingRange", file)
    #expect(ranges.list?.compactMap { $0["startLine"]?.int }.sorted() == [0, 1, 4, 5, 7, 10, 11])
    let lenses = try session.request("textDocument/codeLens", file)
    #expect(lenses.list?.map { $0["command"]?["title"]?.string } == ["run", "test"])
    let caller = try session.request(
      "textDocument/codeLens", session.parameters(".config/errand/caller.yaml"))
    #expect(caller.list?.map { $0["command"]?["title"]?.string } == ["run"])
    #expect(caller[0]?["command"]?["arguments"]?[0]?.string == "caller")
  }

  @Test func expressionsHaveTheirWordsToldApart() throws {
    let session = try Session()
    session.open(
      "a.yaml", "shortcut: a\nsteps:\n  - say: 'ä{{ size(\"x\") + 1 }}'\n    when: it != null\n")
    let data = try session.request(
      "textDocument/semanticTokens/full", session.parameters("a.yaml"))["data"]?.list
    #expect(
      data?.compactMap(\.int) == [
        2, 14, 4, 2, 0, 0, 4, 1, 6, 0, 0, 1, 3, 5, 0, 0, 3, 1, 6, 0, 0, 2, 1, 6, 0, 0, 2, 1, 4, 0,
        1, 10, 2, 0, 0, 0, 3, 2, 6, 0, 0, 3, 4, 3, 0,
      ])
  }

  @Test func formats() throws {
    let session = try Session()
    let text = "shortcut: a  \nsteps:\n- say:  'ä'\n"
    session.open("a.yaml", text)
    func edits() throws -> [Value] {
      try session.request("textDocument/formatting", session.parameters("a.yaml")).list ?? []
    }
    #expect(TextDocument(text).applying(try edits()) == "shortcut: a\nsteps:\n  - say: ä\n")
    session.open("a.yaml", "shortcut: a\nsteps: [\n")
    #expect(try edits().isEmpty)
  }
}
