import ErrandKit
import Glibc
import POSIX
import Server
import TestSupport
import Testing

/// A browser at the page of an API.
struct Browser {
  let api: API
  var cookies: [String] = []
  var origin: String?
  var form = ""

  init(_ api: API) {
    self.api = api
    host = "\(api.service.site.host):7717"
    origin = "http://" + host
  }

  var host: String

  func load(_ path: String, headers: [(name: String, value: String)] = []) throws -> Response {
    try api.request(
      "GET", "/" + path, token: "",
      headers: [("Host", host)] + cookies.map { ("Cookie", $0) } + headers)
  }

  func send(
    _ path: String, _ fields: String, type: String = "application/x-www-form-urlencoded",
    headers: [(name: String, value: String)] = []
  ) throws -> Response {
    let origins = origin.map { [(name: "Origin", value: $0)] } ?? []
    return try api.request(
      "POST", "/" + path, fields, token: "",
      headers: [("Host", host), ("Content-Type", type)] + origins
        + cookies.map { ("Cookie", $0) } + headers)
  }

  /// Signs in, and reads the token of the page's forms.
  mutating func signIn() throws {
    let response = try send("/sign-in", "code=" + api.options.signInCodes.create())
    #expect(response.status == 303)
    #expect(response["Location"] == "/")
    let set = response.headers.filter { $0.name == "Set-Cookie" }.map(\.value)
    #expect(set.map { $0.hasSuffix("HttpOnly; SameSite=Lax") } == [true, false])
    #expect(set.map { $0.hasSuffix("HttpOnly; SameSite=Strict") } == [false, true])
    cookies = [set.map { String($0.prefix { $0 != ";" }) }.joined(separator: "; ")]
    let page = try load("/item/Task/1").text
    let start = try #require(page.firstRange(of: "name=\"form\" value=\"")).upperBound
    form = String(page[start...].prefix { $0 != "\"" })
  }
}

@Suite struct BrowserTests {
  /// An API with a task, and a browser that is signed in.
  private func signedIn() throws -> Browser {
    let api = try API()
    #expect(try api.request("POST", "/items/Task", #"{"title":"<b>One</b>"}"#).status == 201)
    var browser = Browser(api)
    try browser.signIn()
    return browser
  }

  @Test func aPlaceHasAMapOfThePlacesNearIt() throws {
    let browser = try signedIn()
    func add(_ name: String, _ point: String?) throws {
      let rest = point.map { #","point":\#($0)"# } ?? ""
      let body = #"{"source":"\#(name)","name":"\#(name)"\#(rest)}"#
      #expect(try browser.api.request("POST", "/items/Place", body).status == 201)
    }
    try add("Middle", #"{"lat":52.5,"lon":13.4}"#)
    try add("<b>North</b>", #"{"lat":52.509,"lon":13.4}"#)
    try add("East", #"{"lat":52.5,"lon":13.4147}"#)
    try add("Far", #"{"lat":48.2,"lon":16.4}"#)
    try add("Nowhere", nil)
    let page = try browser.load("/item/Place/1").text
    let map = page[try #require(page.firstRange(of: "<figure")).lowerBound...]
    #expect(map.contains("aria-label=\"Map of Middle\""))
    // 0.009° of latitude are a kilometre; at 52.5° north, so are 0.0147° of longitude.
    #expect(map.contains("<title>&lt;b&gt;North&lt;/b&gt;, 1 km north</title>"), "\(map)")
    #expect(map.contains("<title>East, 1 km east</title>"))
    #expect(map.contains("500 m</text>"))
    #expect(!map.contains("<title>Far"))
    #expect(try !browser.load("/item/Place/5").text.contains("<figure"))
  }

  @Test func codesWorkOnceAndForAMinute() throws {
    let api = try API()
    let browser = Browser(api)
    #expect(try browser.load("/").status == 401)
    #expect(try browser.send("/sign-in", "code=x").status == 403)
    let code = try api.options.signInCodes.create()
    #expect(try browser.send("/sign-in", "code=\(code)").status == 303)
    #expect(try browser.send("/sign-in", "code=\(code)").status == 403)
    let old = try api.options.signInCodes.create()
    let folder = api.options.folder + "/codes"
    let names = try #require(Folder.names(in: folder))
    for name in names {
      var times = [timeval(tv_sec: time(nil) - 61, tv_usec: 0), timeval(tv_sec: 0, tv_usec: 0)]
      times[1] = times[0]
      #expect(utimes("\(folder)/\(name)", times) == 0)
    }
    #expect(try browser.send("/sign-in", "code=\(old)").status == 403)
  }

  @Test func showsThePage() throws {
    let browser = try signedIn()
    let response = try browser.load("/list/Task")
    #expect(response.status == 200)
    #expect(response.text.contains("&lt;b&gt;One&lt;/b&gt;"))
    #expect(!response.text.contains("<b>One"))
    let policy = try #require(response["Content-Security-Policy"])
    #expect(policy.hasPrefix("default-src 'none';") && !policy.contains("unsafe"))
    #expect(try browser.load("/list/nothing").status == 404)
    #expect(try browser.load("/assets/style.css")["Content-Type"] == "text/css; charset=utf-8")
    #expect(try browser.load("/assets/../page").status == 404)
    #expect(try browser.load("/api/v1/items/Task").status == 200)
  }

  @Test func actsWithBothCookiesAndTheFormsToken() throws {
    let browser = try signedIn()
    let form = "form=\(browser.form)"
    var lax = browser
    lax.cookies = [String(browser.cookies[0].prefix { $0 != ";" })]
    #expect(try lax.load("/list/Task").status == 200)
    #expect(try lax.send("/item/Task/1/delete", form).status == 403)
    var foreign = browser
    foreign.origin = "http://127.0.0.1:7717"
    #expect(try foreign.send("/item/Task/1/delete", form).status == 403)
    foreign.origin = nil
    #expect(try foreign.send("/item/Task/1/delete", form).status == 403)
    #expect(try browser.send("/item/Task/1/delete", "form=x").status == 403)
    #expect(try browser.send("/item/Task/1/delete", form, type: "text/plain").status == 415)
    #expect(
      try browser.send("/api/v1/items/Task", #"{"title":"Two"}"#, type: "application/json").status
        == 403)
    #expect(
      try browser.send(
        "/api/v1/items/Task", #"{"title":"Two"}"#, type: "application/json",
        headers: [("X-Errand-Form", browser.form)]
      ).status == 201)
    #expect(try browser.load("/item/Task/1").status == 200)
    #expect(try browser.send("/item/Task/1/delete", form).status == 303)
    #expect(try browser.load("/item/Task/1").status == 404)
  }

  @Test func refusesOtherSites() throws {
    let browser = try signedIn()
    let sources = ["cross-site", "same-site"]
    for source in sources {
      #expect(try browser.load("/", headers: [("Sec-Fetch-Site", source)]).status == 403)
    }
    #expect(
      try browser.load(
        "/", headers: [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Mode", "navigate")]
      ).status == 200)
    // The page and its cookies are on a separate host.
    let cookies = browser.cookies.map { (name: "Cookie", value: $0) }
    #expect(
      try browser.api.request("GET", "/items/Task", token: "", headers: cookies).status == 401)
    #expect(
      try browser.api.request("GET", "//list/Task", token: "", headers: cookies).status == 404)
  }

  @Test func browsersStaySignedInAcrossRestarts() throws {
    let browser = try signedIn()
    let file = try #require(browser.api.sandbox.read(".local/state/errand/serve/browsers"))
    for value in browser.cookies[0].split(whereSeparator: { "=; ".contains($0) }) {
      #expect(!file.contains(value))
    }
    try browser.api.restart()
    #expect(try browser.load("/list/Task").status == 200)
  }

  private static let definitions = """
    entity: Book
    properties:
      title: {type: string, minLength: 2}
      pages: int?
      state: {type: enum, values: [wanted, owned], default: wanted}
      bought: date?
      loved: {type: bool, default: false}
      tags: {type: list<string>, default: []}
    display: {title: '{{ self.title }}'}
    ---
    shortcut: greet
    parameters: {greeting: {type: string, default: Hello}}
    steps:
      - {ask: 'Who are you?', as: who}
      - {choose: {from: [red, blue], prompt: 'Which colour?'}, as: colour}
      - confirm: Really?
      - say: '{{ greeting }} {{ who }}, {{ colour }} <b>'

    """

  private func signedIn(_ definitions: String) throws -> Browser {
    let api = try API(definitions)
    #expect(try api.request("POST", "/items/Task", #"{"title":"One"}"#).status == 201)
    var browser = Browser(api)
    try browser.signIn()
    return browser
  }

  @Test func formsOfAnEntityFollowItsDefinition() throws {
    let browser = try signedIn(Self.definitions)
    func send(_ path: String, _ fields: String) throws -> Response {
      try browser.send(path, "form=\(browser.form)&" + fields)
    }
    let form = try browser.load("/new/Book").text
    for part in [
      #"id="title" name="title" type="text""#, #"name="pages" type="number""#,
      "<option selected>wanted</option><option>owned</option>", #"name="bought" type="date""#,
      #"type="checkbox" id="loved""#,
    ] { #expect(form.contains(part), "\(part)") }
    let wrong = try send("/new/Book", "title=D&pages=4")
    #expect(wrong.status == 422)
    #expect(wrong.text.contains("`title` must have at least 2 characters, not 1."))
    #expect(wrong.text.contains(#"value="4""#))
    let made = try send("/new/Book", "title=Dune&pages=412&state=owned&bought=2026-01-02&tags=a,+b")
    #expect(made["Location"] == "/item/Book/1?done=2&did=new")
    let item = try browser.api.request("GET", "/items/Book/1").json
    #expect(item["pages"] == 412 && item["state"] == "owned" && item["tags"] == ["a", "b"])
    #expect(item["loved"] == false && item["bought"] == "2026-01-02")
    #expect(try send("/item/Book/1/edit", "title=Dune&pages=&loved=true&tags=").status == 303)
    let edited = try browser.api.request("GET", "/items/Book/1").json
    #expect(edited["pages"] == .null && edited["loved"] == true && edited["tags"] == [])
    #expect(try send("/undo/3", "back=//evil.example")["Location"] == "/")
    #expect(try browser.api.request("GET", "/items/Book/1").json["pages"] == 412)
    let page = try browser.load("/item/Book/1?list=/list/Book&done=3").text
    #expect(
      page.contains("Dune") && page.contains(#"action="/undo/2""#)
        && page.contains("role=\"status\""))
  }

  @Test func runsAreConversations() throws {
    let browser = try signedIn(Self.definitions)
    func send(_ path: String, _ fields: String) throws -> Response {
      try browser.send(path, "form=\(browser.form)&" + fields)
    }
    #expect(try browser.load("/gallery").text.contains(#"href="/run/greet""#))
    #expect(
      try browser.load("/run/greet").text.contains(#"name="greeting" type="text" value="Hello""#))
    #expect(try browser.send("/run/greet", "form=x").status == 403)
    // Each form leads to the page of the run, which shows the whole dialog.
    let run = try #require(try send("/run/greet", "greeting=Hi")["Location"])
    #expect(run.hasPrefix("/run/greet/"))
    let asked = try browser.load(run).text
    #expect(asked.contains("Who are you?") && asked.contains("action=\"\(run)\""))
    func answer(_ fields: String) throws -> String {
      #expect(try send(run, fields)["Location"] == run)
      return try browser.load(run).text
    }
    #expect(try answer("number=1&kind=ask&answer=Ada").contains("Which colour?"))
    #expect(try answer("number=2&kind=choose&answer=2").contains("Really?"))
    // An answer to an earlier question counts for nothing.
    #expect(
      try answer("number=1&kind=confirm&answer=true").contains("name=\"answer\" value=\"true\""))
    let end = try answer("number=3&kind=confirm&answer=true")
    #expect(end.contains("Hi Ada, blue &lt;b&gt;"))
    for words in ["Who are you?", "Which colour?", "Really?", "class=\"you\""] {
      #expect(end.contains(words))
    }
    #expect(try browser.load("/run/greet/none").status == 404)
    #expect(try send("/run/save", "url=nonsense").text.contains("role=\"alert\""))
    #expect(try send("/run/nothing", "").status == 404)
    _ = try send("/run/add-note", "text=Kept")
    #expect(try browser.load("/activity").text.contains("add-note"))
  }

  @Test func filesAreUploaded() throws {
    let browser = try signedIn(
      """
      shortcut: both
      input: file
      steps:
        - read-file: '{{ input }}'
          as: one
        - ask: {prompt: Another?, type: file}
          as: path
        - read-file: '{{ path }}'
          as: other
        - say: '{{ one }} and {{ other }}'
      """)
    func send(_ path: String, _ name: String, _ content: String) throws -> Response {
      let fields = [("form", browser.form), ("number", "1"), ("kind", "ask")]
      let parts =
        fields.map { "--B\r\nContent-Disposition: form-data; name=\"\($0)\"\r\n\r\n\($1)\r\n" }
        + [
          "--B\r\nContent-Disposition: form-data; name=\"\(name)\"; filename=\"a.txt\"\r\n",
          "Content-Type: text/plain\r\n\r\n\(content)\r\n--B--\r\n",
        ]
      return try browser.send(path, parts.joined(), type: "multipart/form-data; boundary=B")
    }
    #expect(try browser.load("/run/both").text.contains(#"enctype="multipart/form-data""#))
    let run = try #require(try send("/run/both", "input", "First")["Location"])
    #expect(try browser.load(run).text.contains(#"type="file""#))
    #expect(try send(run, "answer", "second")["Location"] == run)
    #expect(try browser.load(run).text.contains("First and second"))
    // A path alone could name any file of the person.
    let typed = try browser.send("/run/both", "form=\(browser.form)&input=/etc/hostname")
    #expect(typed.status == 422)
  }

  @Test func secretsThatLackAreSavedAtTheFailure() throws {
    let browser = try signedIn(
      """
      shortcut: knock
      durable: true
      steps:
        - exec: {command: [printf, open], env: {DOOR: '{{ secret("door") }}'}}
          as: door
        - say: 'The door is {{ door }}'
      """)
    let failed = try #require(
      try browser.send("/run/knock", "form=\(browser.form)")["Location"])
    let page = try browser.load(failed).text
    #expect(page.contains("action=\"\(failed)/secret\"") && page.contains(#"value="door""#))
    let next = try #require(
      try browser.send(failed + "/secret", "form=\(browser.form)&name=door&value=sesame")[
        "Location"])
    #expect(try browser.load(next).text.contains("The door is open"))
  }

  @Test func wordsAreReadBesideTheirField() throws {
    let browser = try signedIn("")
    let read = try browser.load("/understood?as=duration&q=90%20min")
    #expect(read.json["text"] == "1 h 30 min")
    #expect(try browser.load("/understood?as=date&q=someday").json["text"] == .null)
  }
}
