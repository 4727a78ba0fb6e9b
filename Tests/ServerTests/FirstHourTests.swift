import ErrandKit
import Glibc
import POSIX
import Server
import TestSupport
import Testing

/// The first hour with the page: import, export, and a worker.
@Suite struct FirstHourTests {
  private func signedIn() throws -> Browser {
    let api = try API()
    #expect(try api.request("POST", "/items/Task", #"{"title":"One"}"#).status == 201)
    var browser = Browser(api)
    try browser.signIn()
    return browser
  }

  private func upload(_ browser: Browser, _ name: String, _ content: String) throws -> Response {
    let parts = [
      "--B\r\nContent-Disposition: form-data; name=\"form\"\r\n\r\n\(browser.form)\r\n",
      "--B\r\nContent-Disposition: form-data; name=\"file\"; filename=\"\(name)\"\r\n\r\n",
      "\(content)\r\n--B--\r\n",
    ]
    return try browser.send("/import", parts.joined(), type: "multipart/form-data; boundary=B")
  }

  /// The report of an import, once it has ended.
  private func report(_ browser: Browser, _ sent: Response) throws -> String {
    let path = try #require(sent["Location"])
    #expect(path.hasPrefix("/import/"))
    let end = MonotonicClock.nanoseconds + 60_000_000_000
    while MonotonicClock.nanoseconds < end {
      let page = try browser.load(path).text
      if !page.contains("<h2>Importing</h2>") { return page }
      usleep(20_000)
    }
    throw API.NoReply()
  }

  @Test func anEmptyLibraryBeginsWithImport() throws {
    let api = try API()
    #expect(try api.request("POST", "/items/Task", #"{"title":"One"}"#).status == 201)
    var browser = Browser(api)
    try browser.signIn()
    #expect(try !browser.load("/").text.contains("Bring what you have"))
    #expect(try browser.send("/item/Task/1/delete", "form=\(browser.form)").status == 303)
    let page = try browser.load("/").text
    #expect(page.contains("Bring what you have") && page.contains("action=\"/import\""))
  }

  @Test func aFileIsImportedReportedAndUndone() throws {
    let browser = try signedIn()
    let lines = """
      {"entity": "Link", "url": "https://a.example", "title": "First"}
      {"entity": "Link", "url": "https://b.example", "title": "Second"}
      {"entity": "Link", "url": "nonsense"}
      """
    let page = try report(browser, try upload(browser, "mine.jsonl", lines))
    #expect(page.contains("The import is done"))
    #expect(page.contains("<dt>New</dt><dd>2</dd>"))
    #expect(page.contains("<td class=\"num\">3</td>") && page.contains("must begin with http"))
    #expect(try browser.load("/list/links").text.contains("Second"))
    let start = try #require(page.firstRange(of: "action=\"/undo/")).upperBound
    let number = page[start...].prefix { $0 != "\"" }
    #expect(try browser.send("/undo/\(number)", "form=\(browser.form)").status == 303)
    #expect(try !browser.load("/list/links").text.contains("Second"))
    #expect(try browser.load("/import").text.contains("mine.jsonl"))
    // What was sent is not kept.
    let folder = browser.api.options.places.state + "/imports"
    #expect(Folder.names(in: folder)?.allSatisfy { $0.hasSuffix(".json") } == true)
  }

  @Test func aFileThatCannotBeReadSaysWhy() throws {
    let browser = try signedIn()
    let page = try report(browser, try upload(browser, "a.zip", "PK\u{3}\u{4}rest"))
    #expect(page.contains("The import failed") && page.contains("is not a whole zip"))
    // The path of a file that was not sent could be any of the person.
    let typed = try browser.send("/import", "form=\(browser.form)&file=/etc/hostname")
    #expect(typed.status == 422 && typed.text.contains("Choose a file first"))
    #expect(try browser.load("/import/none").status == 404)
    #expect(try browser.load("/import/..%2Fports").status >= 400)
  }

  @Test func theLibraryIsExportedAsAFile() throws {
    let browser = try signedIn()
    _ = try upload(browser, "l.jsonl", #"{"entity": "Link", "url": "https://a.example"}"#)
    _ = try report(browser, try upload(browser, "m.jsonl", #"{"url": "https://b.example"}"#))
    let response = try browser.load("/export?to=netscape")
    #expect(
      response.status == 200 && response.text.hasPrefix("<!DOCTYPE NETSCAPE-Bookmark-file-1>"))
    #expect(response.text.contains("https://b.example"))
    #expect(response["Content-Disposition"]?.hasPrefix("attachment; filename=\"errand-") == true)
    #expect(response["Content-Disposition"]?.hasSuffix(".html\"") == true)
    #expect(response["Content-Type"] == "application/octet-stream")
    #expect(try browser.load("/export?to=nothing").status == 404)
  }

  @Test func aMissingWorkerIsStartedFromThePage() throws {
    let browser = try signedIn()
    for path in ["/activity", "/inbox", "/list/processing"] {
      let page = try browser.load(path).text
      #expect(page.contains("No worker runs") && page.contains("action=\"/settings/worker\""))
    }
    let sent = try browser.send("/settings/worker", "form=\(browser.form)&back=/activity")
    #expect(sent["Location"] == "/activity")
    #expect(browser.api.sandbox.read(".config/errand/settings.yaml")?.contains("worker: ") == true)
    #expect(try browser.load("/activity").text.contains("The worker is starting"))
    let end = MonotonicClock.nanoseconds + 60_000_000_000
    while try browser.load("/inbox").text.contains("The worker is starting") {
      guard MonotonicClock.nanoseconds < end else { throw API.NoReply() }
      browser.api.service.work()
      usleep(20_000)
    }
    #expect(try browser.load("/activity").text.contains("A worker is there"))
    // It ends with the server.
    browser.api.service.end()
    try browser.api.turn { browser.api.service.isIdle }
  }
}
