import ErrandKit
import Server
import TestSupport
import Testing

/// Sentences at the API and in the field of the page.
@Suite struct SentenceAPITests {
  @Test(
    arguments: [
      (
        #"{"text":"save swift.org as a favourite"}"#, "save",
        ["url": "https://swift.org", "favourite": true]
      ),
      (#"{"text":"montre-moi les trois derniers liens","language":"fr"}"#, "recent", ["limit": 3]),
      (#"{"text":"what's on my list","run":false}"#, "tasks", [:]),
    ] as [(String, String, [String: JSONValue])])
  func understandsWithoutRunning(
    _ body: String, _ intent: String, _ parameters: [String: JSONValue]
  ) throws {
    let api = try API()
    let reply = try api.request("POST", "/do", body)
    #expect(reply.status == 200 && reply.json["intent"] == .string(intent), "\(reply.text)")
    for (name, value) in parameters {
      #expect(reply.json["parameters"]?[name] == value, "\(reply.text)")
    }
    #expect(try api.request("GET", "/items/Link").json["items"]?.array?.isEmpty == true)
  }

  @Test func runsOnRequestAndAsksForWhatIsMissing() throws {
    let api = try API()
    let reply = try api.request("POST", "/do", #"{"text":"save swift.org","run":true}"#)
    #expect(reply.status == 200 && reply.json["result"]?["ref"] == "link:1", "\(reply.text)")
    let asked = try api.request("POST", "/do", #"{"text":"add a task","run":true}"#)
    #expect(asked.status == 202, "\(asked.text)")
    let run = try #require(asked.json["run"]?.string)
    let answer = #"{"number":1,"answer":"call Ada"}"#
    #expect(try api.request("POST", "/runs/\(run)/answers", answer).status == 200)
    #expect(try api.request("GET", "/items/Task").json["items"]?.array?.count == 1)
  }

  @Test func doesNotRunWhatHasNoPlace() throws {
    let api = try API()
    let told = try api.request("POST", "/do", #"{"text":"what is due tomorrow at 5pm"}"#)
    #expect(told.json["leftOut"] == ["at 5pm"], "\(told.text)")
    let run = try api.request("POST", "/do", #"{"text":"what is due tomorrow at 5pm","run":true}"#)
    #expect(run.status == 409 && run.text.contains("at 5pm"), "\(run.text)")
    let timed = try api.request("POST", "/do", #"{"text":"add task x at 5pm","run":true}"#)
    #expect(timed.json["result"]?["due"]?.string?.count == 20, "\(timed.text)")
  }

  @Test(arguments: [
    (#"{"text":"turn on the light"}"#, 422), (#"{"text":""}"#, 422), (#"{}"#, 422),
    (#"{"text":7}"#, 422), (#"{"text":"save x.org","language":7}"#, 422),
    (#"{"text":"save x.org","run":"yes"}"#, 422), (#"{"text":"save x.org","more":1}"#, 422),
    (#"["save x.org"]"#, 422), ("save", 400),
  ])
  func refusesOtherBodies(_ body: String, _ status: Int) throws {
    let api = try API()
    let reply = try api.request("POST", "/do", body)
    #expect(reply.status == status && reply["Content-Type"] == "application/problem+json")
  }

  /// A sentence that fits nothing gets the nearest phrases, and a reader may understand but not run.
  @Test func helpsAndKeepsScopes() throws {
    let api = try API()
    let near = try api.request("POST", "/do", #"{"text":"show my tusks"}"#)
    #expect(near.json["intent"]?.string == "tasks", "\(near.text)")
    let long = #"{"text":"\#(String(repeating: "a", count: 2_001))"}"#
    #expect(try api.request("POST", "/do", long).status == 422)
    let reader = try api.token(.read)
    let body = #"{"text":"save swift.org","run":true}"#
    #expect(try api.request("POST", "/do", body, token: reader).status == 403)
    #expect(try api.request("POST", "/do", body, token: "").status == 401)
  }

  /// The page's field leads to the form of the understood call; nothing runs before.
  @Test func fieldOfThePageLeadsToTheForm() throws {
    let api = try API()
    _ = try api.request("POST", "/actions/add-task", #"{"title":"first"}"#)
    var browser = Browser(api)
    try browser.signIn()
    #expect(try browser.load("/gallery").text.contains("<form class=\"search\" action=\"/do\">"))
    let understood = try browser.load("/do?q=remind+me+to+call+%22Ada+%26+Bob%22")
    #expect(understood.status == 303)
    let place = try #require(understood["Location"])
    #expect(place.hasPrefix("/run/add-task?title="), "\(place)")
    let form = try browser.load(place).text
    #expect(form.contains("Ada &amp; Bob"))
    let nothing = try browser.load("/do?q=%3Cb%3E+tusks")
    #expect(nothing.status == 200 && !nothing.text.contains("<b>"))
    #expect(nothing.text.contains("/run/"))
    #expect(try api.request("GET", "/items/Task").json["items"]?.array?.count == 1)
  }
}
