import ErrandKit
import Server
import TestSupport
import Testing

/// Lists, tags and items on the page, as forms without scripts.
@Suite struct ListPageTests {
  /// Twelve links, a note and a task; the links 1 to 5 have the tag `haskell`, 6 to 8 `maps`.
  private func signedIn() throws -> Browser {
    let api = try API()
    let titles = [
      "Alpha", "Beta", "Gamma", "Delta", "Epsilon", "Zeta", "Eta", "Theta", "Iota", "Kappa",
      "Lambda", "Mu",
    ]
    for (index, title) in titles.enumerated() {
      let tags = index < 5 ? #"["haskell","lang/two"]"# : index < 8 ? #"["maps"]"# : "[]"
      let link =
        #"{"url":"https://\#(title.lowercased()).example/","title":"\#(title) granite","tags":\#(tags)}"#
      #expect(try api.request("POST", "/items/Link", link).status == 201)
    }
    #expect(
      try api.request("POST", "/items/Note", ##"{"text":"# Granite\n\n- **one**"}"##).status == 201)
    #expect(try api.request("POST", "/items/Task", #"{"title":"Water"}"#).status == 201)
    var browser = Browser(api)
    try browser.signIn()
    return browser
  }

  private func count(_ browser: Browser, _ condition: String) throws -> Int {
    let encoded = condition.utf8.map { "%" + String($0, radix: 16) }.joined()
    let path = "/items/Link?limit=100&where=" + encoded
    return try browser.api.request("GET", path).json["items"]?.array?.count ?? -1
  }

  // MARK: Searches and filters

  @Test func aSearchSaysHowManyAndWhatElseThereIs() throws {
    let browser = try signedIn()
    let text = try browser.load("/list/links?q=granite").text
    #expect(text.contains(#"id="total">12</span>"#))
    #expect(text.contains(#"<a href="/list/Note?q=granite"><span dir="auto">Notes</span>"#))
    #expect(!text.contains(#"<a href="/list/Task?q=granite">"#))
  }

  @Test func aSearchThatFindsNothingGuesses() throws {
    let browser = try signedIn()
    let text = try browser.load("/list/links?q=granire+alpha").text
    #expect(text.contains("Nothing has “granire”."))
    #expect(text.contains(#"<a href="/list/links?q=granite%20alpha" dir="auto">granite</a>"#))
    #expect(text.contains("Close matches") && text.contains("Alpha granite"))
    #expect(try browser.load("/?q=alpha").text.contains(#"<a href="/list/links?q=alpha">"#))
  }

  @Test(arguments: [
    ("size(self.tags)%20%3D%3D%200", "Without tags"), ("self.id%20%3C%203", "self.id &lt; 3"),
  ])
  func aFilterInForceCanBeTakenOff(filter: String, name: String) throws {
    let text = try signedIn().load("/list/links?q=granite&where=\(filter)").text
    #expect(
      text.contains(
        #"<a class="chip on" href="/list/links?q=granite" aria-label="Remove the filter \#(name)">"#
      ))
  }

  @Test func theLookOfAListIsRemembered() throws {
    let browser = try signedIn()
    let fields = "form=\(browser.form)&title=/tag/maps&look=cards&back=/tag/maps"
    #expect(try browser.send("/lists/look", fields)["Location"] == "/tag/maps")
    #expect(try browser.load("/tag/maps").text.contains(#"<ol class="rows cards">"#))
    #expect(try browser.load("/list/links").text.contains(#"<ol class="rows rows">"#))
  }

  @Test func smartListsAreRenamedMovedAndDeleted() throws {
    let browser = try signedIn()
    let form = "form=\(browser.form)"
    for title in ["One", "Two"] {
      _ = try browser.send("/lists", form + "&title=\(title)&path=/list/links?q=\(title)")
    }
    #expect(
      try browser.send("/lists/rename", form + "&title=One&to=Three")["Location"]
        == "/list/links?q=One")
    #expect(try browser.load("/list/links?q=One").text.contains(#"<h1 dir="auto">Three</h1>"#))
    _ = try browser.send("/lists/move", form + "&title=Three&by=1")
    let text = try browser.load("/").text
    let (two, three) = (text.firstRange(of: ">Two<"), text.firstRange(of: ">Three<"))
    #expect(try #require(two).lowerBound < (try #require(three).lowerBound))
    let gone = try browser.send("/lists/remove", form + "&title=Three")
    #expect(gone["Location"] == "/list/links?q=One&was=Three")
    #expect(!(try browser.load("/").text.contains(">Three<")))
  }

  // MARK: Several at once

  @Test(arguments: [
    ("do=untag&tag=haskell&item=link:1&item=link:2", "'haskell' in tags", 3),
    ("do=tag&tag=a,b&all=1&entity=Link", "'b' in tags", 12),
    ("do=unread&all=1&entity=Link&words=alpha", "reading == 'unread'", 1),
    ("do=pin&all=1&entity=Link&condition='maps'+in+tags", "pinned", 3),
    ("do=delete&all=1&entity=Link&condition='maps'+in+tags", "self.id > 0", 9),
  ])
  func manyAreChangedInOneChange(fields: String, condition: String, wanted: Int) throws {
    let browser = try signedIn()
    let before = try count(browser, condition)
    let reply = try browser.send("/bulk", "form=\(browser.form)&back=/list/links&" + fields)
    #expect(try count(browser, condition) == wanted)
    let number = try #require(
      reply["Location"]?.split(separator: "done=").last?.prefix { $0.isNumber })
    #expect(try browser.send("/undo/\(number)", "form=\(browser.form)").status == 303)
    #expect(try count(browser, condition) == before)
  }

  @Test func aConditionOfAFormHasTheLimitsOfAPage() throws {
    let browser = try signedIn()
    let fields = "form=\(browser.form)&do=delete&all=1&entity=Link&condition=secret('x')+!=+null"
    #expect(try browser.send("/bulk", fields).status == 422)
    #expect(try count(browser, "self.id > 0") == 12)
  }

  @Test func aDeletedItemGivesWayToTheNext() throws {
    let browser = try signedIn()
    let fields = "form=\(browser.form)&back=/tag/maps&list=/tag/maps"
    let first = try browser.send("/item/Link/8/delete", fields)
    #expect(first["Location"]?.hasPrefix("/item/Link/7?list=%2Ftag%2Fmaps&done=") == true)
    let last = try browser.send("/item/Link/6/delete", fields)
    #expect(last["Location"]?.hasPrefix("/tag/maps?done=") == true)
  }

  // MARK: Tags

  @Test func tagsAreRenamedMergedAndDeleted() throws {
    let browser = try signedIn()
    let form = "form=\(browser.form)"
    let renamed = try browser.send("/tags/rename", form + "&tag=maps&to=charts")
    #expect(renamed["Location"]?.hasPrefix("/tag/charts?done=") == true)
    #expect(try count(browser, "'charts' in tags") == 3)
    let asked = try browser.send("/tags/rename", form + "&tag=charts&to=haskell")
    #expect(asked["Location"] == "/tag/charts?merge=haskell")
    #expect(
      try browser.load("/tag/charts?merge=haskell").text.contains("Merge charts into haskell"))
    #expect(try count(browser, "'charts' in tags") == 3)
    _ = try browser.send("/tags/merge", form + "&tag=charts&to=haskell")
    #expect(try count(browser, "'haskell' in tags") == 8)
    _ = try browser.send("/tags/delete", form + "&tag=lang")
    #expect(try count(browser, "'lang/two' in tags") == 0)
    #expect(try browser.send("/tags/delete", form + "&tag=lang").status == 404)
  }

  @Test func aColourGoesWithItsTag() throws {
    let browser = try signedIn()
    let form = "form=\(browser.form)"
    _ = try browser.send("/tags/colour", form + "&tag=lang&colour=violet")
    #expect(try browser.load("/tags").text.contains(#"<a class="tag k3" data-tag="lang/two""#))
    _ = try browser.send("/tags/rename", form + "&tag=lang&to=tongues")
    #expect(try browser.load("/tags").text.contains(#"<a class="tag k3" data-tag="tongues/two""#))
    _ = try browser.send("/tags/colour", form + "&tag=tongues&colour=none")
    #expect(try browser.load("/tags").text.contains(#"<a class="tag" data-tag="tongues/two""#))
  }

  @Test func tagsAreSearched() throws {
    let text = try signedIn().load("/tags?q=ap").text
    let main = try #require(text.split(separator: #"<div id="rows">"#).last)
    #expect(main.contains(#"data-tag="maps""#) && !main.contains(#"data-tag="haskell""#))
  }

  @Test func tagsThatSuitAnItemAreSuggested() throws {
    let browser = try signedIn()
    let link = #"{"url":"https://alpha.example/2","title":"Old maps of cities"}"#
    #expect(try browser.api.request("POST", "/items/Link", link).status == 201)
    let found = try browser.load("/tag-names?q=&of=link:13").json.array?.map { $0["tag"] }
    #expect(found == ["maps", "haskell", "lang/two"])
    #expect(
      try browser.load("/tag-names?q=two&of=link:13").json.array?.map { $0["tag"] } == ["lang/two"])
  }

  // MARK: Items

  @Test func changesAreToldInWords() throws {
    let browser = try signedIn()
    let form = "form=\(browser.form)"
    _ = try browser.send("/item/Link/9/tag", form + "&tag=papers,+swift")
    _ = try browser.send("/item/Link/9/archive", form)
    let text = try browser.load("/item/Link/9").text
    #expect(text.contains("Tags papers and swift added") && text.contains(">Archived</span>"))
    #expect(text.contains("<dt>Reading</dt><dd dir=\"auto\">Archived</dd>"))
    #expect(text.contains(#"data-copy-text="[Iota granite](https://iota.example/)""#))
  }

  @Test func aNoteIsMarkdownThatIsWrittenInPlace() throws {
    let browser = try signedIn()
    let text = try browser.load("/item/Note/1").text
    #expect(text.contains(#"<h1 class="big" dir="auto">Granite</h1>"#))
    #expect(text.contains("<strong>one</strong>"))
    let was = "was.text=%23+Granite%0D%0A%0D%0A-+**one**"
    let reply = try browser.send(
      "/item/Note/1/edit?list=/list/Note", "form=\(browser.form)&\(was)&text=Two")
    #expect(reply["Location"]?.hasPrefix("/item/Note/1?list=%2Flist%2FNote&done=") == true)
    #expect(try browser.api.request("GET", "/items/Note/1").json["text"] == "Two")
  }

  @Test func aTaskIsChangedWhereItStands() throws {
    let browser = try signedIn()
    let fields = "form=\(browser.form)&back=/list/Task&was.due=&was.repeat="
    let reply = try browser.send(
      "/item/Task/1/edit", fields + "&due=2090-05-01&due=&repeat=every+monday")
    #expect(reply["Location"]?.hasPrefix("/list/Task?done=") == true)
    let task = try browser.api.request("GET", "/items/Task/1").json
    #expect(task["due"] == "2090-05-01" && task["repeat"] == "every monday")
    _ = try browser.send("/tasks", "form=\(browser.form)&text=Fill+the+can&parent=task:1")
    let text = try browser.load("/item/Task/1").text
    #expect(text.contains("0 of 1") && text.contains("Fill the can"))
    // The list beside it is that of /list/Task.
    #expect(text.contains(#"<div id="rows" class="stack loose" data-list="/list/Task">"#))
  }

  @Test(arguments: [
    ("water the plants every monday", "water the plants", ["every monday"]),
    ("call Ada tomorrow 9:00 #home", "call Ada", ["Tomorrow 09:00", "#home"]),
    ("renew the passport 3 May 2090", "renew the passport", ["3 May 2090"]),
    ("paint the fence with high priority", "paint the fence", ["high priority"]),
    ("read 1984", "read 1984", []),
  ])
  func aLineIsUnderstoodAsTheCommandDoes(line: String, title: String, parts: [String]) throws {
    let browser = try signedIn()
    let query = line.replacing(" ", with: "%20").replacing("#", with: "%23")
    let said = try browser.load("/understood?q=\(query)").json
    #expect(said["title"]?.string == title)
    #expect(said["parts"]?.array?.compactMap(\.string) == parts)
  }
}
