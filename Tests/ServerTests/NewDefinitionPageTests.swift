import Server
import TestSupport
import Testing

/// Definitions made and changed by forms on the page.
@Suite struct NewDefinitionPageTests {
  private static let greet = """
    shortcut: greet # mine

    steps:
      # politely
      - say:   Hello.

    """

  private static func browser() throws -> Browser {
    let api = try API(greet)
    _ = try api.request("POST", "/items/Task", #"{"title":"One"}"#)
    var browser = Browser(api)
    try browser.signIn()
    return browser
  }

  private static func encoded(_ text: String) -> String {
    text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// The value of a field of a page.
  private static func value(_ name: String, in page: String) throws -> String {
    let start = try #require(page.firstRange(of: "name=\"\(name)\"")).upperBound
    let rest = page[start...]
    let content: Substring
    if rest.hasPrefix(" value=\"") {
      content = rest.dropFirst(8).prefix { $0 != "\"" }
    } else {
      let inside = rest.drop { $0 != ">" }.dropFirst().drop { $0 == "\n" }
      content = inside[..<(try #require(inside.firstRange(of: "</textarea>")).lowerBound)]
    }
    let marks = [("&#39;", "'"), ("&quot;", "\""), ("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&")]
    return marks.reduce(String(content)) { $0.replacing($1.0, with: $1.1) }
  }

  /// Sends the form of a page, with some fields changed.
  private static func send(
    _ browser: Browser, _ path: String, after page: String, do what: String,
    _ fields: [(String, String)] = []
  ) throws -> Response {
    let kept = try ["text", "old", "before", "shown"].map { ($0, try value($0, in: page)) }
    let changed = kept.filter { name, _ in !fields.contains { $0.0 == name } } + fields
    let body = (changed + [("do", what)]).map { "\($0)=\(encoded($1))" }
    return try browser.send(path, "form=\(browser.form)&" + body.joined(separator: "&"))
  }

  @Test func aShortcutIsMadeFromNothing() throws {
    let browser = try Self.browser()
    let path = "/make/shortcut"
    var page = try browser.load(path).text
    #expect(page.contains("Add a step") && !page.contains("readonly"))
    page = try Self.send(
      browser, path, after: page, do: "question",
      [("f::@title", "My Links"), ("question", "Which tag?"), ("kind", "string")]
    ).text
    page = try Self.send(browser, path, after: page, do: "add steps", [("q", "find items")]).text
    #expect(page.contains("value=\"new steps find\"") && !page.contains("value=\"new steps say\""))
    page = try Self.send(browser, path, after: page, do: "new steps find").text
    page = try Self.send(
      browser, path, after: page, do: "new steps show",
      [
        ("f:steps.0:where:subject", "self.tags"), ("f:steps.0:where:comparison", "contains"),
        ("f:steps.0:where:value", "{{ tag }}"),
      ]
    ).text
    #expect(page.contains("“What” is still to be filled in."))
    // A mistake keeps it from being saved.
    let refused = try Self.send(browser, path, after: page, do: "save")
    #expect(refused.status == 422 && refused.text.contains("It is not saved yet"))
    page = try Self.send(browser, path, after: page, do: "use steps.1 value links").text
    let text = """
      shortcut: my-links
      title: My Links
      parameters:
        tag: {type: string, prompt: Which tag?}
      steps:
        - find: {entity: Link, where: tag in self.tags}
          as: links
        - show: '{{ links }}'

      """
    #expect(try Self.value("text", in: page) == text)
    let saved = try Self.send(browser, path, after: page, do: "save")
    #expect(saved["Location"] == "/source/my-links?saved=1")
    #expect(try Self.value("text", in: browser.load("/source/my-links").text) == text)
    // Another one of that title has another name.
    page = try Self.send(
      browser, path, after: browser.load(path).text, do: "new steps stop",
      [("f::@title", "My Links")]
    ).text
    #expect(try Self.value("text", in: page).hasPrefix("shortcut: my-links-2\n"))
  }

  @Test func onlyTheChangedLineIsWritten() throws {
    let browser = try Self.browser()
    let path = "/source/greet"
    var page = try browser.load(path).text
    page =
      try Self.send(browser, path, after: page, do: "check", [("f:steps.0:text", "Good day.")])
      .text
    let changed = Self.greet.replacing("Hello.", with: "Good day.")
    #expect(try Self.value("text", in: page) == changed)
    // Nothing is saved by that, and it can be undone.
    #expect(try Self.value("text", in: browser.load(path).text) == Self.greet)
    let undone = try Self.send(browser, path, after: page, do: "undo").text
    #expect(try Self.value("text", in: undone) == Self.greet)
    #expect(try Self.send(browser, path, after: page, do: "save").status == 303)
    #expect(try Self.value("text", in: browser.load(path).text) == changed)
    // A form that was opened before is refused.
    let late = try Self.send(browser, path, after: undone, do: "save", [("text", Self.greet + "#")])
    #expect(late.status == 422 && late.text.contains("was changed meanwhile"))
  }

  @Test func aTextChangedByHandCountsMoreThanItsFields() throws {
    let browser = try Self.browser()
    let path = "/source/greet"
    let page = try browser.load(path).text
    let text = Self.greet.replacing("Hello.", with: "Bye.")
    let sent = try Self.send(
      browser, path, after: page, do: "check", [("text", text), ("f:steps.0:text", "Hello.")])
    #expect(try Self.value("text", in: sent.text) == text)
    let broken = try Self.send(browser, path, after: page, do: "check", [("text", "shortcut: [")])
    #expect(broken.status == 200 && broken.text.contains("once the text can be read"))
    #expect(try Self.value("text", in: broken.text) == "shortcut: [")
  }

  @Test func aFixIsAButton() throws {
    let browser = try Self.browser()
    let path = "/source/greet"
    let text = Self.greet.replacing("say:", with: "sya:")
    let page = try Self.send(
      browser, path, after: browser.load(path).text, do: "check", [("text", text)]
    ).text
    #expect(page.contains("name=\"do\" value=\"fix 0.0\">Change to <code>say</code>"))
    let fixed = try Self.send(
      browser, path, after: page, do: "fix 0.0", [("fix:0.0", "Change to `say`")])
    #expect(try Self.value("text", in: fixed.text) == Self.greet)
  }

  @Test func aRunBecomesATest() throws {
    let browser = try Self.browser()
    let run = try browser.send("/run/greet", "form=\(browser.form)")
    let page = try browser.load(try #require(run["Location"])).text
    let test = try Self.value("test", in: page)
    #expect(page.contains("Expect this") && test.contains("Hello."), "\(test)")
    let sent = try browser.send(
      "/source/greet", "form=\(browser.form)&do=test&test=\(Self.encoded(test))")
    let text = try Self.value("text", in: sent.text)
    #expect(text == Self.greet + "tests:\n  - expect: {dialog: [Hello.], output: null}\n")
  }

  @Test func anAutomationRunsAShortcut() throws {
    let browser = try Self.browser()
    let path = "/make/automation"
    var page = try browser.load(path + "?run=greet").text
    page = try Self.send(
      browser, path, after: page, do: "check",
      [("f::@title", "Fridays"), ("f:on.0:@days", "fri"), ("f:on.0:@days", "")]
    ).text
    #expect(try Self.send(browser, path, after: page, do: "save").status == 303)
    let text = try Self.value("text", in: browser.load("/source/fridays").text)
    #expect(text.contains("  - at: '09:00'\n    days: [fri]\n"))
    #expect(try browser.load("/activity").text.contains("Fridays at 09:00"))
    #expect(try browser.load("/make/entity").status == 404)
  }
}
