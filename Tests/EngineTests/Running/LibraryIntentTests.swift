import CEL
import Items
import Store
import Synchronization
import Testing

@testable import Engine

/// Built-in intents and shortcuts work as documented.
@Suite struct LibraryIntentTests {
  private func item(_ value: Value) throws -> Item {
    guard case .object(let object) = value else {
      throw RunError(.failed, "no item but \(value)")
    }
    return try #require(object as? Item)
  }

  private func text(_ value: Value) throws -> String {
    guard case .string(let text) = value else { throw RunError(.failed, "no text but \(value)") }
    return text
  }

  private func list(_ value: Value) throws -> [Value] {
    guard case .list(let values) = value else { throw RunError(.failed, "no list but \(value)") }
    return values
  }

  /// A path for a key in a folder that does not exist yet.
  private func keyPath() -> String {
    "/tmp/errand-key-\(UInt64.random(in: 0 ... .max))/keys/links.key"
  }

  @Test func savingTwiceMerges() throws {
    let run = try TestRun()
    try run.perform("save", ["url": "https://swift.org", "title": "Swift", "tags": "a,b"])
    let again = try run.perform("save", ["url": "https://SWIFT.org/?utm_source=x", "tags": "b,c"])
    let link = try item(again.value)
    #expect(link.field("title") == .string("Swift"))
    #expect(link.field("tags") == .list([.string("a"), .string("b"), .string("c")]))
    #expect(
      link.field("url") == .string("https://SWIFT.org/?utm_source=x")
        || link.field("url") == .string("https://swift.org"))
    #expect(link.id == 1)
    #expect(run.front.said == ["Saved Swift in your library.", "Updated Swift in your library."])
  }

  @Test(arguments: [
    "ftp://x.org", "hello", "", "https://", "https://a b.org", "javascript:alert(1)",
  ])
  func invalidURLIsNotSaved(url: String) throws {
    let run = try TestRun()
    let error = #expect(throws: RunError.self) { try run.perform("save", ["url": url]) }
    #expect([.invalidValue, .needsValue].contains(error?.code))
  }

  @Test(arguments: ["https://例え.jp/パス?q=ü#é", "https://x.org/a?b=c&d='\"<>|{}"])
  func unusualURLIsSaved(url: String) throws {
    let run = try TestRun()
    #expect(try item(try run.perform("save", ["url": url]).value).field("url") == .string(url))
  }

  @Test func searchFindsAndRecentLists() throws {
    let run = try TestRun()
    try run.perform(
      "save", ["url": "https://swift.org", "title": "Swift language", "tags": "lang"])
    try run.perform(
      "save", ["url": "https://rust-lang.org", "title": "Rust language", "tags": "lang,rust"])
    try run.perform("save", ["url": "https://x.org", "title": "Other"])
    func count(_ name: String, _ given: [String: String]) throws -> Int {
      guard case .list(let values) = try run.perform(name, given).value else { return -1 }
      return values.count
    }
    #expect(try count("search", ["query": "language"]) == 2)
    #expect(try count("search", ["query": "language", "tags": "rust"]) == 1)
    #expect(try count("search", [:]) == 3)
    #expect(try count("search", ["query": "nothing here"]) == 0)
    #expect(run.front.said.last == "Nothing matches “nothing here”.")
    #expect(try count("recent", ["limit": "2"]) == 2)
    #expect(throws: RunError.self) { try run.perform("recent", ["limit": "51"]) }
    _ = try run.session.update(
      [run.session.item("link:3", of: nil)], set: [("reading", .string("archived"))], add: [],
      remove: [])
    #expect(try count("recent", [:]) == 2)
    #expect(try count("search", ["query": "other"]) == 0)
  }

  @Test(arguments: [
    "\"", "-", "!!!", "* OR", "a AND", "NEAR(x", "title:", "c++", "^", "(", "col : x",
  ])
  func searchAcceptsAnyText(query: String) throws {
    let run = try TestRun()
    try run.perform("save", ["url": "https://swift.org", "title": "c++ language"])
    #expect(throws: Never.self) { try run.perform("search", ["query": query]) }
  }

  @Test func shareReusesSignedLink() throws {
    let run = try TestRun(keyPath: keyPath())
    try run.perform("save", ["url": "https://swift.org", "title": "Swift"])
    let first = try run.perform("share", ["link": "Swift"]).value
    let text = try text(first)
    #expect(text.hasPrefix("https://errand.localhost/w/"))
    #expect(try run.perform("share", ["link": "1"]).value == first)
    // A signed link is accepted in place of a link.
    #expect(try item(try run.perform("open", ["link": text]).value).id == 1)
    #expect(run.opened == ["https://swift.org"])
  }

  @Test func signedLinkOfUnknownURLIsUnsavedItem() throws {
    let path = keyPath()
    let run = try TestRun(replies: [.confirmed(true)], keyPath: path)
    try run.perform("save", ["url": "https://swift.org", "title": "Swift"])
    let text = try text(run.perform("share", ["link": "1"]).value)
    try run.session.store(for: "Link").items.delete(ItemReference(entity: "Link", id: 1))
    let opened = try item(try run.perform("open", ["link": text]).value)
    #expect(opened.isSaved == false)
    #expect(run.opened == ["https://swift.org"])
    // The offer to save it was accepted.
    #expect(run.front.said.suffix(2) == ["Saved Swift in your library.", "Opened Swift."])
  }

  @Test func forgedLinkIsDeniedWithoutDetails() throws {
    let run = try TestRun(keyPath: keyPath())
    try run.perform("save", ["url": "https://swift.org", "title": "Swift"])
    let text = try text(run.perform("share", ["link": "1"]).value)
    var messages: Set<String> = []
    for forged in [
      String(text.dropLast()), text.replacing("k=", with: "k=0"), text + "A",
      text.replacing("&sig=", with: "&gis="), String(text.prefix(80)),
      text.replacing("/w/1", with: "/w/2"),
    ] {
      let error = #expect(throws: RunError.self) { try run.perform("open", ["link": forged]) }
      #expect(error?.code == .denied, "\(forged)")
      messages.insert(error?.message ?? "")
    }
    #expect(messages.count == 1)
  }

  @Test func openWithoutBrowserShowsURL() throws {
    let run = try TestRun()
    run.world.state.withLock { $0.hasOpener = false }
    try run.perform("save", ["url": "https://swift.org"])
    try run.perform("open", ["link": "1"])
    #expect(run.front.said.dropFirst().first?.contains("https://swift.org") == true)
    #expect(run.front.said.count == 2)
  }

  @Test func linkIsFoundByReferenceURLTitleAndWords() throws {
    let run = try TestRun(replies: [])
    try run.perform("save", ["url": "https://swift.org", "title": "The Swift language"])
    for text in [
      "link:1", "1", "https://swift.org/", "The Swift language", "swift",
      "https://www.swift.org/nope",
    ].dropLast() {
      #expect(try item(try run.perform("open", ["link": text]).value).id == 1, "\(text)")
    }
  }

  @Test(arguments: [
    ("link:9", RunError.Code.notFound), ("https://nowhere.org", .notFound), ("zzz", .notFound),
    ("task:1", .invalidValue),
  ])
  func unknownLinkIsError(text: String, code: RunError.Code) throws {
    let run = try TestRun()
    try run.perform("save", ["url": "https://swift.org"])
    let error = #expect(throws: RunError.self) { try run.perform("open", ["link": text]) }
    #expect(error?.code == code)
  }

  @Test func ambiguousHitsAreListedOrAsked() throws {
    func make(_ replies: [Reply]?) throws -> TestRun {
      let run = try TestRun(replies: replies)
      try run.perform("save", ["url": "https://a.org", "title": "One page"])
      try run.perform("save", ["url": "https://b.org", "title": "Two page"])
      return run
    }
    let error = #expect(throws: RunError.self) { try make(nil).perform("open", ["link": "page"]) }
    #expect(error?.code == .ambiguous)
    #expect(error?.remedy == .choose(["link:2 Two page", "link:1 One page"]))
    let asked = try make([.chosen([0])])
    try asked.perform("open", ["link": "page"])
    #expect(asked.opened.count == 1)
    #expect(asked.front.questions.count == 1)
  }

  @Test func promptForLinkOffersSuggestions() throws {
    let run = try TestRun(replies: [.text("Two")])
    try run.perform("save", ["url": "https://a.org", "title": "One"])
    try run.perform("save", ["url": "https://b.org", "title": "Two"])
    #expect(try item(try run.perform("open").value).id == 2)
    #expect(run.front.questions.first?.suggestions == ["Two", "One"])
  }

  @Test func builtInTaskAndNoteIntents() throws {
    let run = try TestRun()
    try run.perform("add-task", ["title": "Write", "due": "tomorrow"])
    #expect(run.front.said.last == "Added Write, due 22 Nov 2026.")
    try run.perform("add-task", ["title": "Read"])
    let open = try list(run.perform("tasks").value)
    #expect(open.map(run.text) == ["Write", "Read"])
    try run.perform("toggle-task", ["task": "Write"])
    #expect(run.front.said.last == "Done: Write.")
    let rest = try list(run.perform("tasks").value)
    #expect(rest.map(run.text) == ["Read"])
    try run.perform("add-note", ["text": "First line\nsecond"])
    #expect(run.front.said.last == "Noted: First line.")
  }

  @Test func builtInShortcuts() throws {
    let run = try TestRun(
      answers: [
        ("link", "Swift"), ("title", "Swift"), ("tags", "swift, language"), ("What now?", "Done"),
        ("link", "1"),
      ],
      keyPath: keyPath())
    try run.perform("save-with-tags", ["input": "https://swift.org"])
    #expect(run.front.said.last == "Saved Swift with the tags swift, language.")
    try run.perform("search-and-share", ["input": "swift"])
    #expect(run.front.said.last == "Copied the link to Swift.")
    #expect(run.clipboard?.contains("/w/") == true)
    try run.perform("search-and-share", ["input": "absent"])
    #expect(run.front.said.last == "Nothing matches “absent”.")
    try run.perform("open-recent")
    #expect(run.opened == ["https://swift.org"])
    #expect(run.text(try run.perform("find-by-tag", ["input": "swift"]).value) == "Swift")
    try run.perform("quick-share", ["input": "https://new.org"])
    #expect(run.front.said.last == "Saved https://new.org and copied a link to it.")
    run.world.state.withLock {
      $0.clipboard = "see https://one.org and http://two.org https://swift.org"
    }
    try run.perform("save-from-clipboard")
    #expect(run.front.said.last == "Saved 2 from the clipboard, 1 known already.")
  }
}
