import Testing

@testable import CEL

/// Null errors, and the tests that avoid them.
@Suite struct NullTests {
  static let link = ObjectType(
    "Link",
    fields: [
      ("url", .string), ("title", .nullable(.string)), ("rating", .nullable(.int)),
      ("done", .nullable(.bool)), ("next", .nullable(.object("Link"))),
      ("tags", .list(.string)), ("savedAt", .nullable(.timestamp)),
    ], presumed: ["savedAt"])

  static let environment: Environment = {
    var environment = Environment()
    environment.add(link)
    environment.add(
      Function("first", .method, [.list(.parameter("T"))], returns: .nullable(.parameter("T"))) {
        (items: [Value]) in items.first ?? .null
      }.nullOnlyWhenEmpty())
    environment.variables = [
      "self": .object("Link"), "links": .list(.object("Link")), "n": .int, "any": .dyn,
      "title": .nullable(.string), "link": .nullable(.object("Link")), "more": .list(.string),
      "list": .nullable(.list(.int)), "map": .map(.string, .nullable(.int)),
    ]
    return environment
  }()

  private func check(
    _ text: String, _ options: CheckOptions = CheckOptions()
  ) throws -> CheckedExpression {
    Self.environment.check(try Expression.parse(text), options: options)
  }

  @Test(arguments: [
    "\"• \" + «self.title»", "\"• \" + «title»", "links.map(l, \"• \" + «l.title»)",
    "«self.title».size() > 3", "size(«self.title») > 3", "«self.rating» + 1", "-«self.rating»",
    "«self.rating» > 3", "3 < «self.rating»", "«self.done» && n > 1", "!«self.done»",
    "«self.done» ? 1 : 2", "links.exists(l, «l.done»)", "«link».title", "«self.next».title",
    "«self.next».tags[0]", "has(«link».title)", "«list»[0]", "more[«self.rating»]", "n in «list»",
    "«list».map(x, x)", "links.sortBy(l, «l.title»)", "«links.map(l, l.title)».join()",
    "string(«title»)", "math.greatest(«self.rating», 1)", "«map.a» + 1", "«map['a']» + 1",
    "any.x + «title»", "cel.bind(t, self.title, «t» + \"x\")", "Link{url: «title»}",
    "«coalesce(title, null)» + \"x\"", "(«n > 1 ? title : \"x\"») + \"y\"", "«links.first()».url",
    // A test that does not apply there.
    "title == null && «title».size() > 1", "title != null || «title».size() > 1",
    "title != null ? \"\" : «title» + \"x\"", "(title != null || n > 1) ? «title» + \"x\" : \"\"",
    "self.title != null && «title».size() > 1", "!(title != null) && «title».size() > 1",
    "title != null && links.exists(title, «title.title».size() > 1)",
    "links.filter(l, l.title != null || n > 1).map(l, «l.title» + \"x\")",
    "links.filter(l, l.title != null).map(l, «l.rating» + 1)",
    "has(map.a) ? «map.a» + 1 : 0", "int(«null»)",
    "size(links) < n ? \"\" : «links.first()».url", "size(links) < 2 ? «links.first()».url : \"\"",
    "size(links) > 0 ? «links.filter(l, n > 1).first()».url : \"\"",
    "links.filter(l, l.title != null)[0].url + «links[0].title»",
    "links.filter(l, l.title != null)[0].next == null ? \"\" : «links.filter(l, n > 1)[0].title» + \"x\"",
  ])
  func reportsNullWhereAValueIsNeeded(_ marked: String) throws {
    let start = marked.utf8.prefix { $0 != "«".utf8.first }.count
    let text = marked.replacing("«", with: "").replacing("»", with: "")
    let inner = marked.split(separator: "«")[marked.hasPrefix("«") ? 0 : 1].split(separator: "»")[0]
    let problems = try check(text).problems
    #expect(problems.map(\.code) == [.maybeNull])
    #expect(problems.first?.severity == .error)
    #expect(problems.first?.range == start..<start + inner.utf8.count)
    // A search condition absorbs null.
    let absorbed = try check(text, CheckOptions(absorbsNull: true))
    #expect(absorbed.problems.filter { $0.severity == .error } == [])
  }

  @Test(arguments: [
    "title != null && title.size() > 1", "null != title && title.size() > 1",
    "title.size() > 1 && title != null", "title == null || title.size() > 1",
    "title == null ? \"\" : title + \"x\"", "!(title == null) ? title + \"x\" : \"\"",
    "title == \"x\" ? title + \"y\" : \"\"", "title in [\"x\"] && title.size() > 1",
    "has(self.title) && self.title.size() > 1", "self.?title.hasValue() && self.title.size() > 1",
    "(title != null && n > 1) ? title + \"x\" : \"\"",
    "(n > 1 ? title != null : false) ? title + \"x\" : \"\"",
    "n > 1 && (title == null || n > 2 || title.size() > 1)",
    "links.filter(l, l.title != null).map(l, l.title + \"x\")",
    "links.filter(l, has(l.title)).sortBy(m, m.title).map(k, k.title + \"x\")",
    "links.map(l, l.title).filter(t, t != null).join(\", \")",
    "links.map(l, l.title != null, l.title + \"x\")",
    "cel.bind(t, self.title, t == null ? \"\" : t + \"x\")",
    "coalesce(title, \"\") + \"x\"", "self.?title.orValue(\"\") + \"x\"",
    "link.?title.orValue(\"\") + \"x\"", "link != null ? link.url : \"\"",
    "self.?next.next.url.orValue(\"\")", "self.done == true && n > 1",
    "size(links) > 0 ? links.first().url : \"\"", "links.size() == 0 || links.first().url == \"x\"",
    "any + 1", "any.title.size() > 1", "title == null", "[title]", "{\"a\": title}",
    "self.savedAt > timestamp(\"2026-11-20T00:00:00Z\")", "self.savedAt == null",
    "map.a != null ? map.a + 1 : 0", "[1, 2].first() + 1",
    // Sizes below which a list has no element, or not the wanted number.
    "size(links) < 2 ? \"\" : links.first().url", "size(links) <= 1 ? \"\" : links.first().url",
    "size(links) != 2 ? \"\" : links.first().url", "links == [] ? \"\" : links.first().url",
    "[] != links ? links.first().url : \"\"", "0 == size(links) ? \"\" : links.first().url",
    "size(links) < 2 || links.first().url == \"x\"",
    "size(links) > 0 ? links.map(l, l.url).first() + \"x\" : \"\"",
    "size(links) > 0 ? links.reverse().sortBy(l, l.url).first().url : \"\"",
    // An element of a list with facts about all of them.
    "links.filter(l, l.title != null)[0].title + \"x\"",
    "links.filter(l, l.title != null).reverse().slice(0, 1)[0].title + \"x\"",
    "links.filter(l, l.title != null).sortBy(m, m.title).first().?title.orValue(\"\") + \"x\"",
    "size(links) > 0 && links.first().title != null ? links.first().title + \"x\" : \"\"",
  ])
  func nullTestsNarrowTypes(_ text: String) throws {
    #expect(try check(text).problems.map(\.message) == [])
  }

  @Test(arguments: [
    (
      "\"• \" + self.title", "`self.title` may be null, and `+` does not accept null",
      "write `coalesce(self.title, \"\")`, or test it first: `self.title != null ? … : …`, "
        + "or use `self.?title.orValue(\"\")`"
    ),
    (
      "title.size()", "`title` may be null, and `size` does not accept null",
      "write `coalesce(title, \"\")`, or test it first: `title != null ? … : …`"
    ),
    (
      "link.title", "`link` may be null, and null has no field `title`",
      "write `link.?title.orValue(\"\")`, or test it first: `link != null ? link.title : …`, "
        + "or give a default with `coalesce(link, …)`"
    ),
    (
      "!self.done", "`self.done` may be null, and `!` takes true or false",
      "write `self.done == true`, or `coalesce(self.done, false)`, "
        + "or test it first: `self.done != null && …`"
    ),
    (
      "links.map(l, l.title).join()",
      "`links.map(l, l.title)` may contain null, and `join` does not accept null",
      "leave null out with `links.map(l, l.title).filter(x, x != null)`, "
        + "or give a default with `coalesce`"
    ),
  ])
  func suggestsHowToHandleNull(_ text: String, _ message: String, _ help: String) throws {
    let problem = try check(text).problems.first
    #expect(problem?.message == message)
    #expect(problem?.help == help)
  }

  @Test(
    arguments: [
      ("title != null", ["title"], []), ("title == null", [], ["title"]),
      ("title != null && has(self.title)", ["title", "self.title"], []),
      ("title == null || link == null", [], ["title", "link"]),
      ("!(title == null)", ["title"], []), ("n > 1", [], []),
      ("title == \"x\" || title == \"y\"", ["title"], []),
      ("cel.bind(t, title, t != null)", [], []),
    ] as [(String, Set<String>, Set<String>)])
  func conditionsImplyNullFacts(
    _ text: String, _ whenTrue: Set<String>, _ whenFalse: Set<String>
  ) throws {
    let checked = try check(text)
    #expect(checked.whenTrue == whenTrue)
    #expect(checked.whenFalse == whenFalse)
  }

  @Test func knownFactsOfTheHostAreUsed() throws {
    let options = CheckOptions(known: ["title", "link"])
    #expect(try check("title + link.url", options).problems == [])
    #expect(try check("title + link.title", options).problems.count == 1)
    #expect(try check("self.done", CheckOptions(need: "it is asked")).problems.count == 1)
  }
}
