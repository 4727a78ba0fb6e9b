import ErrandKit
import Server
import TestSupport
import Testing

@Suite struct ItemTests {
  private func save(_ api: API, _ url: String) throws -> Response {
    try api.request("POST", "/items/Link", #"{"url":"\#(url)"}"#)
  }

  @Test func createsReadsChangesAndDeletes() throws {
    let api = try API()
    let created = try save(api, "https://swift.org")
    #expect(created.status == 201)
    #expect(created["Location"] == "/api/v1/items/Link/1")
    let read = try api.request("GET", "/items/Link/1")
    #expect(read.json == created.json)
    #expect(read["ETag"] == created["ETag"])
    let tag = try #require(read["ETag"])
    #expect(
      try api.request("GET", "/items/Link/1", headers: [("If-None-Match", tag)]).status == 304)
    let changed = try api.request(
      "PATCH", "/items/Link/1", #"{"title":"Swift"}"#, headers: [("If-Match", tag)])
    #expect(changed.json["title"] == "Swift")
    let late = try api.request(
      "PATCH", "/items/Link/1", #"{"title":"Late"}"#, headers: [("If-Match", tag)])
    #expect(late.status == 412)
    #expect(late.json["code"] == "conflict")
    #expect(try api.request("DELETE", "/items/Link/1", headers: [("If-Match", tag)]).status == 412)
    #expect(try api.request("DELETE", "/items/Link/1").status == 204)
    #expect(try api.request("GET", "/items/Link/1").status == 404)
    #expect(try api.sandbox.run("changes", "--json").out.contains("api all"))
  }

  @Test func pagesAreStableUnderWrites() throws {
    let api = try API()
    for number in 1...7 { _ = try save(api, "https://swift.org/\(number)") }
    var seen: [Int64] = []
    var cursor = ""
    while true {
      let page = try api.request("GET", "/items/Link?limit=2\(cursor)").json
      seen += page["items"]?.array?.compactMap { $0["id"]?.int } ?? []
      guard let next = page["next"]?.string else { break }
      // Deleting the last item of a page, and adding one, leaves nothing out.
      _ = try api.request("DELETE", "/items/Link/\(seen.last ?? 0)")
      _ = try save(api, "https://swift.org/new/\(seen.count)")
      cursor = "&cursor=\(next)"
    }
    #expect(seen == [7, 6, 5, 4, 3, 2, 1])
  }

  @Test(arguments: ["", "&sort=title", "&sort=-url,id", "&sort=summary", "&q=swift"])
  func pagesGoOnAfterAllTheirItemsAreDeleted(_ query: String) throws {
    let api = try API()
    for number in 1...9 { _ = try save(api, "https://swift.org/\(number)") }
    var (seen, cursor, pages): (Set<Int64>, String, Int) = ([], "", 0)
    while true {
      let page = try api.request("GET", "/items/Link?limit=2\(query)\(cursor)").json
      let ids = page["items"]?.array?.compactMap { $0["id"]?.int } ?? []
      #expect(seen.isDisjoint(with: ids))
      seen.formUnion(ids)
      pages += 1
      guard let next = page["next"]?.string, pages < 9 else { break }
      // The first page stays.
      if pages > 1 { for id in ids { _ = try api.request("DELETE", "/items/Link/\(id)") } }
      cursor = "&cursor=\(next)"
    }
    #expect(seen == Set(1...9))
  }

  @Test func refusesForeignCursors() throws {
    let api = try API()
    for number in 1...3 { _ = try save(api, "https://swift.org/\(number)") }
    let next = try #require(try api.request("GET", "/items/Link?limit=1").json["next"]?.string)
    for query in ["limit=1&sort=title", "where=true"] {
      #expect(try api.request("GET", "/items/Link?\(query)&cursor=\(next)").status == 422)
    }
    #expect(try api.request("GET", "/items/Link?cursor=\(next)x").status == 422)
    #expect(try api.request("GET", "/items/Link?limit=1&cursor=\(next)").status == 200)
  }

  @Test func findsByConditionAndWords() throws {
    let api = try API()
    _ = try save(api, "https://swift.org")
    _ = try save(api, "https://example.org")
    func count(_ query: String) throws -> Int? {
      try api.request("GET", "/items/Link?" + query).json["items"]?.array?.count
    }
    #expect(try count("where=self.id%20%3E%201") == 1)
    #expect(try count("q=swift") == 1)
    #expect(try count("sort=-url&limit=1") == 1)
  }

  @Test(arguments: [
    ("where=secret('x')%3D%3D''", 403), ("where=env('HOME')!%3D''", 403), ("where=online()", 403),
    ("where=asSecret('x')%3D%3D''", 403), ("where=self.tags.exists(t,env(t)!%3D'')", 403),
    ("where=nonsense", 422), ("where=%5B", 422), ("sort=nonsense", 422), ("limit=0", 422),
    ("limit=x", 422), ("limit=501", 422), ("unknown=1", 422), ("limit=1&limit=2", 422),
  ])
  func refusesQueries(_ query: String, _ status: Int) throws {
    let api = try API()
    _ = try save(api, "https://swift.org")
    #expect(try api.request("GET", "/items/Link?" + query).status == status)
  }

  @Test func limitsTheStepsOfConditions() throws {
    let api = try API()
    _ = try save(api, "https://swift.org")
    let loop = "range(3000).all(x,range(3000).all(y,string(x)!%3Dstring(y)%20%7C%7C%20x%3D%3Dy))"
    #expect(try api.request("GET", "/items/Link?where=" + loop).status == 422)
  }

  @Test(arguments: [
    ("{", 400), ("[]", 422), (#"{"url":1}"#, 422), (#"{"url":null}"#, 422), ("{}", 422),
    (#"{"url":"https://a.org","id":7}"#, 422), (#"{"url":"https://a.org","nothing":1}"#, 422),
    (#"{"url":"https://a.org","url":"https://b.org"}"#, 400),
  ])
  func refusesBodies(_ body: String, _ status: Int) throws {
    let api = try API()
    #expect(try api.request("POST", "/items/Link", body).status == status)
    #expect(
      try api.request("POST", "/items/Link", body, headers: [("Content-Type", "text/xml")]).status
        == 415)
  }

  @Test func servesOwnDefinitionsAsTheyAreNow() throws {
    let api = try API()
    #expect(try api.request("GET", "/items/Book").status == 404)
    try api.sandbox.write(
      "entity: Book\nproperties: {title: string}\ndisplay: {title: '{{ self.title }}'}\n",
      to: ".config/errand/book.yaml")
    #expect(try api.request("POST", "/items/Book", #"{"title":"Emma"}"#).status == 201)
  }
}
