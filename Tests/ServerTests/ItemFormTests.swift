import ErrandKit
import Server
import TestSupport
import Testing

/// Items changed on the page, while others change them, too.
@Suite struct ItemFormTests {
  private func signedIn() throws -> Browser {
    let api = try API(
      """
      entity: Book
      properties:
        title: string
        stars: int?
        notes: string?
        loved: {type: bool, default: false}
        tags: {type: list<string>, default: []}
      display: {title: '{{ self.title }}'}

      """)
    #expect(try api.request("POST", "/items/Book", #"{"title":"Dune","tags":["a"]}"#).status == 201)
    #expect(
      try api.request(
        "POST", "/items/Task", #"{"title":"Water","repeat":"every 2 days","due":"2026-01-01"}"#
      ).status == 201)
    var browser = Browser(api)
    try browser.signIn()
    return browser
  }

  /// The values of the form when it was opened, sent as `was.` fields beside the changed values.
  private static let opened =
    "was.title=Dune&was.stars=&was.notes=One%0D%0Atwo&was.loved=false&was.tags=a"

  @Test(arguments: [
    // Untouched fields keep the concurrent change.
    ("title=Dune+2&stars=&notes=One%0D%0Atwo&tags=a", #"["Dune 2",4,"Theirs",true,["a","b"]]"#),
    (
      "title=Dune&stars=4&notes=Theirs&tags=a,+b&loved=true", #"["Dune",4,"Theirs",true,["a","b"]]"#
    ),
    // A conflict asks for a decision; nothing is saved before.
    ("title=Dune+2&stars=5&notes=One%0D%0Atwo&tags=a", nil),
    // A decision about the conflict shown.
    (
      "asked.=stars&was.stars=4&stars=5&keep.stars=mine&title=Dune",
      #"["Dune",5,"Theirs",true,["a","b"]]"#
    ),
    (
      "asked.=stars&was.stars=4&stars=5&keep.stars=theirs&title=Dune",
      #"["Dune",4,"Theirs",true,["a","b"]]"#
    ),
    (
      "asked.=notes&was.notes=Theirs&notes=Mine&keep.notes=both&title=Dune",
      #"["Dune",4,"Mine\n\nTheirs",true,["a","b"]]"#
    ),
    (
      "asked.=tags&was.tags=a,+b&tags=c&keep.tags=both&title=Dune",
      #"["Dune",4,"Theirs",true,["a","b","c"]]"#
    ),
    // It changed again since it was shown, or nothing was decided.
    ("asked.=stars&was.stars=3&stars=5&keep.stars=mine&title=Dune", nil),
    ("asked.=stars&was.stars=4&stars=5&title=Dune", nil),
  ])
  func savesMineBesideTheirs(fields: String, saved: String?) throws {
    let browser = try signedIn()
    let api = browser.api
    let theirs = #"{"stars":4,"notes":"Theirs","loved":true,"tags":["a","b"]}"#
    #expect(try api.request("PATCH", "/items/Book/1", theirs).status == 200)
    let rest = fields.contains("asked.") ? "" : "&" + Self.opened
    let reply = try browser.send("/item/Book/1/edit", "form=\(browser.form)&" + fields + rest)
    #expect((reply.status == 303) == (saved != nil), "\(reply.text)")
    let item = try api.request("GET", "/items/Book/1").json
    let values = ["title", "stars", "notes", "loved", "tags"].map { item[$0] ?? .null }
    let expected = saved ?? #"["Dune",4,"Theirs",true,["a","b"]]"#
    #expect(JSONValue.array(values) == (try JSONValue(parsing: expected)))
    guard saved == nil else { return }
    #expect(reply.text.contains("Keep theirs") && !reply.text.contains("keep.title"))
  }

  @Test(arguments: [
    ("/item/Task/1/toggle", ""), ("/item/Task/1/toggle", "&back=/list/Task"),
    ("/bulk", "&do=done&item=task:1"), ("/bulk", "&do=done&all=1&entity=Task"),
    ("/widgets/tasks/press", "&press=task:1&action="),
  ])
  func aRepeatingTaskComesBack(path: String, fields: String) throws {
    let browser = try signedIn()
    #expect(try browser.send(path, "form=\(browser.form)" + fields).status == 303)
    let items = try browser.api.request("GET", "/items/Task?sort=createdAt").json["items"]?.array
    #expect(items?.map { $0["done"] } == [true, false])
    #expect(items?.map { $0["repeat"] } == [.null, "every 2 days"])
  }

  @Test func anOpenItemKeepsItsList() throws {
    let browser = try signedIn()
    let list = "?list=%2Flist%2FBook%3Fq%3Ddune"
    let reply = try browser.send("/item/Book/1/tag" + list, "form=\(browser.form)&tag=x")
    #expect(reply["Location"]?.hasPrefix("/item/Book/1" + list + "&done=") == true)
    let page = try browser.load("/item/Book/1" + list).text
    #expect(page.contains(#"action="/item/Book/1/untag\#(list)""#))
    #expect(page.contains(#"name="back" value="/item/Book/1\#(list)""#))
    #expect(page.contains(#"id="rows" data-list="/list/Book?q=dune""#))
  }

  @Test func mistakesEndWithOneSign() throws {
    let browser = try signedIn()
    let text = try browser.load("/list/Book?where=self.tagz+%3D%3D+1").text
    #expect(text.contains("Did you mean `tags`?") && !text.contains("?.<"), "\(text)")
  }
}
