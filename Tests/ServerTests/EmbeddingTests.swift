import ErrandKit
import Server
import TestSupport
import Testing

/// Widgets in pages of other origins.
@Suite struct EmbeddingTests {
  @Test func widgetsMayBeEmbeddedByOriginsOfSettings() throws {
    let api = try API()
    _ = try api.request("POST", "/actions/add-task", #"{"title":"first"}"#)
    var browser = Browser(api)
    try browser.signIn()
    func ancestors(_ path: String) throws -> String {
      let response =
        try path.hasPrefix("api/")
        ? api.request("GET", String(path.dropFirst("api/".count))) : browser.load("/" + path)
      let policy = try #require(response["Content-Security-Policy"])
      let start = try #require(policy.firstRange(of: "frame-ancestors ")).upperBound
      return String(policy[start...])
    }
    #expect(try ancestors("widgets/tasks") == "'none'")
    #expect(try ancestors("api//widgets/tasks?as=html") == "'none'")
    try api.sandbox.write(
      "embedOrigins: https://home.example http://localhost:8123\n",
      to: ".config/errand/settings.yaml")
    try api.restart()
    var again = Browser(api)
    try again.signIn()
    browser = again
    #expect(try ancestors("widgets/tasks") == "https://home.example http://localhost:8123")
    #expect(
      try ancestors("api//widgets/tasks?as=html") == "https://home.example http://localhost:8123")
    for path in ["widgets", "settings", "item/Task/1", "widgets/none"] {
      #expect(try ancestors(path) == "'none'", "\(path)")
    }
  }
}
