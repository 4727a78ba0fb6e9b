import ErrandKit
import Server
import TestSupport
import Testing

/// The hub in the settings of the page, and in a Swift program.
@Suite struct SyncTests {
  @Test func aLibraryWithoutAHubSaysSo() throws {
    let api = try API()
    #expect(try api.request("POST", "/items/Task", #"{"title":"One"}"#).status == 201)
    var browser = Browser(api)
    try browser.signIn()
    #expect(try browser.load("/settings").text.contains("This library has no hub."))
    let sync = try browser.send("/settings/sync", "form=\(browser.form)")
    #expect(sync.status == 200)
    #expect(sync.text.contains("The sync did not end"))
    #expect(sync.text.contains("errand hub join"))
    let errand = try Errand.open(api.options.errand)
    #expect(try errand.reader().hub() == nil)
    #expect { try errand.sync().result() } throws: { ($0 as? ErrandError)?.code == "not-found" }
  }

  @Test(.enabled(if: PostgreSQLServer.programs != nil, "PostgreSQL is not installed"))
  func thePageSyncsAndSettlesConflicts() throws {
    let server = try PostgreSQLServer()
    #expect(try server.machine("owner").run("hub", "init").status == 0)
    for name in ["one", "two"] {
      #expect(try server.query("CREATE ROLE \(name) LOGIN IN ROLE errand_member").status == 0)
    }
    let api = try API()
    let (one, two) = (api.sandbox, try server.machine("two"))
    let errand = try Errand.open(api.options.errand)
    try errand.setSecret("hub", to: "host=\(server.socket) dbname=hub user=one")
    #expect(try one.run("add-task", "Read").status == 0)
    #expect(try one.run("hub", "join", "one", "--yes").status == 0)
    #expect(try two.run("hub", "join", "two", "--yes").status == 0)
    #expect(try two.run("update", "task:1", "title=Second").status == 0)
    #expect(try one.run("update", "task:1", "title=First").status == 0)
    #expect(try two.run("hub", "sync").status == 0)

    // Another program watches the sync as it does a run.
    #expect(try errand.reader().hub()?["unsent"] == 1)
    var progress: [Int64] = []
    let sync = try errand.sync()
    let counts = try sync.result { event in
      if event.name == "progress" { progress.append(event["done"]?.int ?? 0) }
    }
    #expect(counts["sent"] == 1 && counts["conflicts"] == 1, "\(counts)")
    #expect(progress.last == 2, "\(progress)")
    #expect(sync.state == .done)

    var browser = Browser(api)
    try browser.signIn()
    #expect(try two.run("add-task", "Write").status == 0)
    #expect(try two.run("hub", "sync").status == 0)
    let page = try browser.send("/settings/sync", "form=\(browser.form)").text
    #expect(page.contains("The library is synced"))
    #expect(page.contains("<p>0 sent, 1 changed here.</p>"))
    #expect(page.contains("Joined as <bdi>one</bdi>"))
    #expect(page.contains("title was set twice") && page.contains("Lost: Second"))
    let form = "form=\(browser.form)&number=1&restore=1"
    let settled = try browser.send("/settings/conflict", form).text
    #expect(settled.contains("task:1 has the lost value of title again."))
    #expect(!settled.contains("was set twice"))
    #expect(try errand.reader().item("task:1").title == "Second")
  }
}
