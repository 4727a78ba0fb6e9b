import Server
import TestSupport
import Testing

/// The text of definitions on the page.
@Suite struct SourcePageTests {
  @Test func aBuiltInDefinitionIsShownAndCopied() throws {
    let api = try API("shortcut: greet\nsteps:\n  - say: Hello.\n")
    _ = try api.request("POST", "/items/Task", #"{"title":"One"}"#)
    var browser = Browser(api)
    try browser.signIn()
    let shown = try browser.load("/source/check-links")
    #expect(shown.status == 200)
    #expect(shown.text.contains("shortcut: check-links"))
    #expect(shown.text.contains("spellcheck=\"false\" readonly"))
    #expect(shown.text.contains("Copy to change it") && !shown.text.contains(">Save<"))

    // The text of the form does not count: the copy is what is built in.
    let copied = try browser.send(
      "/source/check-links", "form=\(browser.form)&text=shortcut%3A+other")
    #expect(copied.status == 303)
    let own = try browser.load("/source/check-links").text
    #expect(own.contains("shortcut: check-links") && !own.contains("shortcut: other"))
    #expect(own.contains(">Save<") && !own.contains("Copy to change it"))
    #expect(!own.contains("spellcheck=\"false\" readonly"))
  }

  @Test func anUnknownDefinitionIsNotFound() throws {
    let api = try API("shortcut: greet\nsteps:\n  - say: Hello.\n")
    _ = try api.request("POST", "/items/Task", #"{"title":"One"}"#)
    var browser = Browser(api)
    try browser.signIn()
    #expect(try browser.load("/source/no-such-thing").status == 404)
    #expect(
      try browser.send("/source/no-such-thing", "form=\(browser.form)&text=x").status == 404)
  }
}
