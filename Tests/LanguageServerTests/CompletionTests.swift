import CEL
import LanguageServer
import Testing

/// A text with a cursor, written `¦`.
struct Cursor {
  let text: String
  let place: TextPosition

  init(_ marked: String) {
    let offset = marked.firstRange(of: "¦").map {
      marked.utf8.distance(from: marked.utf8.startIndex, to: $0.lowerBound)
    }
    text = marked.replacing("¦", with: "")
    place = TextDocument(text).position(of: offset ?? 0, .utf16)
  }
}

@Suite struct CompletionTests {
  struct Row: Sendable, CustomTestStringConvertible {
    let text: String
    let wanted: [String]
    var unwanted: [String] = []

    var testDescription: String { text }
  }

  private static let head = "shortcut: a\nparameters:\n  title: string\n  count: int?\nsteps:\n"

  static let rows: [Row] = [
    // Keys and words of documents.
    Row(text: "shor¦", wanted: ["shortcut", "intent", "entity", "automation"]),
    Row(
      text: "shortcut: a\n¦\nsteps: [stop]\n", wanted: ["parameters", "title", "tests"],
      unwanted: ["steps"]),
    Row(
      text: "automation: a\non:\n  - ¦\nsteps: [stop]\n",
      wanted: ["every", "at", "cron", "created", "changed", "file", "share"]),
    Row(text: "automation: a\non: [{created: ¦}]\nsteps: [stop]\n", wanted: ["Link", "Task"]),
    Row(text: "automation: a\non: [{at: '8:00', days: [m¦]}]\nsteps: [stop]\n", wanted: ["mon"]),
    Row(
      text:
        "shortcut: a\nsteps:\n  - try: [stop]\n    catch:\n      - on: [n¦]\n        do: [stop]\n",
      wanted: ["not-found", "timeout"]),
    Row(text: "shortcut: a\nsteps:\n  - update:\n      s¦\n", wanted: ["set", "item"]),
    Row(text: "shortcut: a\nparameters:\n  x: {t¦}\nsteps: [stop]\n", wanted: ["type", "title"]),
    Row(
      text: "shortcut: a\nparameters:\n  x: ¦\nsteps: [stop]\n",
      wanted: ["string", "list<>", "Link", "enum"]),
    Row(
      text: "shortcut: a\nparameters:\n  x: list<¦\nsteps: [stop]\n", wanted: ["string", "Link"]),
    Row(text: "shortcut: a\nmode: ¦\nsteps: [stop]\n", wanted: ["single", "queued", "parallel"]),
    Row(
      text: "entity: Book\nproperties:\n  name: {type: string, ¦}\n",
      wanted: ["search", "default"], unwanted: ["type"]),
    // Steps.
    Row(text: head + "  - s¦", wanted: ["say", "save", "set", "for"]),
    Row(text: head + "  - say: x\n    ¦", wanted: ["as", "when"], unwanted: ["say", "find"]),
    Row(
      text: head + "  - for: x\n    ¦", wanted: ["in", "do", "parallel"], unwanted: ["for", "say"]),
    Row(
      text: head + "  - find: {entity: Link, ¦}", wanted: ["where", "limit", "sort"],
      unwanted: ["entity"]),
    Row(text: head + "  - find: {entity: ¦}", wanted: ["Link", "Task"]),
    Row(text: head + "  - find: {entity: Link, sort: [¦]}", wanted: ["title", "createdAt"]),
    Row(text: head + "  - save: {¦}", wanted: ["url", "tags"]),
    Row(text: head + "  - run: {name: ¦}", wanted: ["save", "search"]),
    Row(text: head + "  - run: {name: save, with: {¦}}", wanted: ["url", "tags"]),
    Row(text: head + "  - create: {entity: Link, set: {¦}}", wanted: ["url", "title"]),
    Row(text: head + "  - show: {value: 1, as: ¦}", wanted: ["card", "table", "text"]),
    Row(
      text: head + "  - http:\n      url: https://a.example\n      ¦",
      wanted: ["method", "headers"], unwanted: ["url"]),
    // Expressions.
    Row(text: head + "  - say: '{{ ¦ }}'", wanted: ["title", "count", "now", "it"]),
    Row(text: head + "  - say: '{{ ti¦", wanted: ["title"]),
    Row(text: head + "  - say: \"{{ ti¦\n  - say: x\n", wanted: ["title"]),
    Row(
      text: head + "  - say: '{{ title.¦ }}'", wanted: ["trim", "truncate", "size"],
      unwanted: ["filter", "now"]),
    Row(text: head + "  - say: '{{ title.trim().¦ }}'", wanted: ["truncate"]),
    Row(text: head + "  - say: '{{ string(size(title.¦", wanted: ["truncate"]),
    Row(
      text: head + "  - find: {entity: Link}\n    as: links\n  - say: '{{ links.¦ }}'",
      wanted: ["filter", "map", "size", "sortBy"], unwanted: ["truncate"]),
    Row(
      text: head
        + "  - find: {entity: Link}\n    as: links\n  - say: '{{ links.map(l, l.¦).join(\", \") }}'",
      wanted: ["title", "url", "createdAt"]),
    Row(
      text: head
        + "  - find: {entity: Link, first: true}\n    as: link\n  - say: hello\n    when: link.¦",
      wanted: ["title", "url"]),
    Row(text: head + "  - find: {entity: Link, where: '¦'}", wanted: ["title", "self", "tags"]),
    Row(text: head + "  - find: {entity: Link, where: 'self.¦'}", wanted: ["title", "tags"]),
    Row(
      text: head + "  - find: {entity: Link, where: 'status == \"¦\"'}",
      wanted: ["ready", "failed"], unwanted: ["title"]),
    Row(text: head + "  - say: '{{ math.¦ }}'", wanted: ["abs"]),
    Row(text: head + "  - set: {n: 1}\n  - say: '{{ vars.¦ }}'", wanted: ["n", "title"]),
    Row(
      text: "entity: Book\nproperties: {name: string}\ndisplay: {title: '{{ self.¦ }}'}\n",
      wanted: ["name", "createdAt"]),
    // The surrounding text is invalid.
    Row(text: head + "  - sya: x\n  - say: '{{ ti¦ }}'\n  - [[\n", wanted: ["title"]),
  ]

  @Test(arguments: rows) func whatFitsIsOffered(_ row: Row) throws {
    let cursor = Cursor(row.text)
    let session = try Session()
    session.open("a.yaml", cursor.text, language: "errand")
    let list = try session.request(
      "textDocument/completion", session.parameters("a.yaml", at: cursor.place))
    let labels = Set((list["items"]?.list ?? []).compactMap { $0["label"]?.string })
    #expect(row.wanted.filter { !labels.contains($0) } == [])
    #expect(row.unwanted.filter(labels.contains) == [])
  }

  @Test func whatIsChosenIsWrittenInThePlaceOfTheWord() throws {
    let session = try Session()
    let cursor = Cursor("shortcut: a\nsteps:\n  - record-u¦\n")
    session.open("a.yaml", cursor.text)
    let list = try session.request(
      "textDocument/completion", session.parameters("a.yaml", at: cursor.place))
    let item = try #require(list["items"]?.list?.first { $0["label"] == "record-use" })
    let edit = try #require(item["textEdit"])
    #expect(
      TextDocument(cursor.text).applying([edit]) == "shortcut: a\nsteps:\n  - record-use: \n")
    let whole = try session.request("completionItem/resolve", item)
    #expect(whole["documentation"]?["value"]?.string?.contains("**record-use** (verb)") == true)
  }

  @Test func everyVerbAndFunctionHasHelp() throws {
    let session = try Session()
    for (text, kinds) in [
      ("shortcut: a\nsteps:\n  - ¦\n", ["verb"]),
      ("shortcut: a\nparameters: {x: any}\nsteps:\n  - say: '{{ ¦ }}'\n", ["function"]),
    ] {
      let cursor = Cursor(text)
      session.open("a.yaml", cursor.text)
      let list = try session.request(
        "textDocument/completion", session.parameters("a.yaml", at: cursor.place))
      let items = (list["items"]?.list ?? []).filter {
        kinds.contains($0["data"]?["kind"]?.string ?? "")
      }
      #expect(items.count > 25)
      for item in items {
        let whole = try session.request("completionItem/resolve", item)
        let help = whole["documentation"]?["value"]?.string ?? ""
        #expect(help.count > 20, "\(item["label"]?.string ?? "")")
        if kinds == ["verb"] { #expect(help.contains("Value:"), "\(help)") }
      }
    }
  }

  struct HelpRow: Sendable, CustomTestStringConvertible {
    let text: String
    let wanted: String
    var testDescription: String { text }
  }

  @Test(arguments: [
    HelpRow(text: "shortcut: a\nst¦eps: [stop]\n", wanted: "`steps`: steps, required"),
    HelpRow(text: head + "  - sa¦y: x\n", wanted: "says the text to the person"),
    HelpRow(
      text: head + "  - sav¦e: {url: 'https://a.example'}\n",
      wanted: "**Save Link** (intent `save`)"),
    HelpRow(text: head + "  - save: {ur¦l: 'https://a.example'}\n", wanted: "`url`"),
    HelpRow(text: head + "  - find: {entity: Li¦nk}\n", wanted: "**Link** (entity)"),
    HelpRow(
      text: head + "  - find: {entity: Link, whe¦re: 'true'}\n", wanted: "an expression over `self`"
    ),
    HelpRow(
      text: head + "  - say: '{{ tit¦le }}'\n", wanted: "`title`: `string` (parameter, line 3)"),
    HelpRow(text: head + "  - say: '{{ title.trunc¦ate(2) }}'\n", wanted: "string.truncate(int)"),
    HelpRow(
      text: head + "  - find: {entity: Link, where: 'ta¦gs == []'}\n",
      wanted: "`tags`: `list<string>"),
    HelpRow(
      text: head + "  - find: {entity: Link}\n    as: li¦nks\n  - say: '{{ links.size() }}'\n",
      wanted: "`links`: `list<Link>`"),
    HelpRow(text: head + "  - say: '{{ [1].map(x, x¦ + 1).size() }}'\n", wanted: "`x`: `int`"),
    HelpRow(text: head + "  - say: x\n    whe¦n: title != ''\n", wanted: "skipped unless"),
  ]) func aWordIsExplained(_ row: HelpRow) throws {
    let cursor = Cursor(row.text)
    let session = try Session()
    session.open("a.yaml", cursor.text)
    let hover = try session.request(
      "textDocument/hover", session.parameters("a.yaml", at: cursor.place))
    let text = hover["contents"]?["value"]?.string ?? ""
    #expect(text.contains(row.wanted), "\(text)")
  }

  @Test(arguments: [
    ("  - say: '{{ title.replace(¦) }}'", "replace", 0),
    ("  - say: '{{ title.replace(\"a\", ¦", "replace", 1),
    ("  - say: '{{ math.greatest(1, 2, ¦) }}'", "math.greatest", 2),
    ("  - say: '{{ [1].map(x, ¦) }}'", "map", 1),
  ]) func theArgumentsOfACallAreShown(_ text: String, _ name: String, _ argument: Int) throws {
    let cursor = Cursor(Self.head + text)
    let session = try Session()
    session.open("a.yaml", cursor.text)
    let help = try session.request(
      "textDocument/signatureHelp", session.parameters("a.yaml", at: cursor.place))
    #expect(help["signatures"]?[0]?["label"]?.string?.contains(name) == true)
    #expect(help["activeParameter"]?.int == argument)
  }
}
