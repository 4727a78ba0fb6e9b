import CEL
import FoundationEssentials
import LanguageServer
import TestSupport
import Testing

/// A session over the files that come with the program, as a person's editor has one.
@Suite struct ShippedTests {
  static let files: [String] = ["schemas/entities", "schemas/intents", "shortcuts", "automations"]
    .flatMap { folder in
      let names =
        (try? FileManager.default.contentsOfDirectory(atPath: Sample.root + "/" + folder)) ?? []
      return names.filter { $0.hasSuffix(".yaml") }.sorted().map { folder + "/" + $0 }
    }

  @Test func thereAreFiles() { #expect(Self.files.count > 30) }

  @Test(arguments: files) func aShippedFileIsUnderstood(_ path: String) throws {
    let text = Sample.text(of: path)
    let name = String(path.split(separator: "/").last ?? "")
    let session = try Session()
    session.open(name, text, language: "errand")
    #expect(session.diagnostics[session.uri(name)] == [])
    let file = session.parameters(name)
    #expect(try session.request("textDocument/documentSymbol", file).list?.count == 1)
    #expect(try session.request("textDocument/foldingRange", file).list?.isEmpty == false)
    let tokens = try session.request("textDocument/semanticTokens/full", file)["data"]?.list ?? []
    #expect(tokens.isEmpty != text.contains("{{") && tokens.count % 5 == 0)
    // Every word below the first line of a key that the tables have is explained.
    let document = TextDocument(text)
    var explained = 0
    for line in 0..<document.lineCount {
      let bytes = document.bytes[document.line(line)]
      let indent = bytes.prefix { $0 == 0x20 || $0 == 0x2D }.count
      guard bytes.dropFirst(indent).first.map({ (0x61...0x7A).contains($0) }) == true else {
        continue
      }
      let place = TextPosition(line: line, character: indent)
      let hover = try session.request("textDocument/hover", session.parameters(name, at: place))
      if hover["contents"] != nil { explained += 1 }
    }
    #expect(explained > 2)
  }

  @Test func whateverIsTypedThereIsAnAnswer() throws {
    let session = try Session()
    for path in Self.files {
      let text = Sample.text(of: path)
      let name = String(path.split(separator: "/").last ?? "")
      session.open(name, text, language: "errand")
      let document = TextDocument(text)
      let step = max(1, document.bytes.count / Amount.of("ERRAND_PLACES", quick: 2, whole: 200))
      for offset in stride(from: 0, through: document.bytes.count, by: step) {
        let place = document.position(of: offset, .utf16)
        let parameters = session.parameters(name, at: place)
        for method in ["completion", "hover", "signatureHelp", "definition", "references"] {
          _ = try session.request("textDocument/" + method, parameters)
        }
      }
    }
  }

  @Test func aNewShortcutIsWrittenWithWhatIsOffered() throws {
    let session = try Session()
    var text = ""
    session.open(".config/errand/mine.yaml", text)
    /// Chooses an item at the end of the text.
    func choose(_ label: String) throws {
      let document = TextDocument(text)
      let place = document.position(of: document.bytes.count, .utf16)
      let list = try session.request(
        "textDocument/completion", session.parameters(".config/errand/mine.yaml", at: place))
      let item = try #require(
        list["items"]?.list?.first { $0["label"]?.string == label }, "\(label)")
      let edit = try #require(item["textEdit"])
      text = document.applying([edit]).replacing("($0)", with: "(").replacing("$0", with: "")
      session.replace(".config/errand/mine.yaml", text)
    }
    /// Types at the end of the text.
    func type(_ more: String) {
      let document = TextDocument(text)
      let place = document.position(of: document.bytes.count, .utf16)
      text += more
      session.edit(".config/errand/mine.yaml", place, place, more)
    }
    type("sh")
    try choose("shortcut")
    type("mine\npar")
    try choose("parameters")
    type("\n  word: ")
    try choose("string")
    type("\nst")
    try choose("steps")
    type("\n  - fi")
    try choose("find")
    type("\n      en")
    try choose("entity")
    try choose("Link")
    type("\n      wh")
    try choose("where")
    type("'ti")
    try choose("title")
    type(".con")
    try choose("contains")
    type("vars.")
    try choose("word")
    type(")'\n    ")
    try choose("as")
    type("links\n  - say: '{{ links.")
    try choose("first")
    type(".?ti")
    try choose("title")
    type(".orValue(\"\") }}'\n")
    #expect(session.diagnostics[session.uri(".config/errand/mine.yaml")] == [])
    #expect(
      text == """
        shortcut: mine
        parameters:
          word: string
        steps:
          - find: 
              entity: Link
              where: 'title.contains(vars.word)'
            as: links
          - say: '{{ links.first().?title.orValue("") }}'

        """)
  }
}
