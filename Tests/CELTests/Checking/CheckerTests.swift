import Testing

@testable import CEL

@Suite struct CheckerTests {
  static let link = ObjectType(
    "Link",
    fields: [
      ("url", .string), ("title", .nullable(.string)), ("tags", .list(.string)),
      ("createdAt", .timestamp), ("score", .int),
    ])

  private func check(_ text: String) throws -> CheckedExpression {
    var environment = Environment()
    environment.add(Self.link)
    return environment.check(
      try Expression.parse(text),
      variables: [
        "self": .object("Link"), "links": .list(.object("Link")), "n": .int, "any": .dyn,
        "names": .map(.string, .int), "title": .nullable(.string),
      ])
  }

  @Test(arguments: [
    ("self", "Link"), ("self.title", "string?"), ("self.tags[0]", "string"),
    ("links.map(l, l.tags)", "list<list<string>>"),
    ("links.filter(l, l.score > n)", "list<Link>"),
    ("links.sortBy(l, l.createdAt)[0].title", "string?"),
    ("links.exists(l, l.title == null)", "bool"),
    ("links.transformMap(i, l, l.url)", "map<int, string>"),
    ("names.map(k, names[k])", "list<int>"),
    ("names.transformList(k, v, k + string(v))", "list<string>"),
    ("coalesce(self.title, self.url)", "string"), ("coalesce(self.title, null)", "string?"),
    ("n > 3 ? self.title : self.url", "string?"), ("n > 3 ? n : null", "int?"),
    ("[1, 2.0]", "list<any>"), ("[]", "list<any>"), ("[[], [1]]", "list<list<int>>"),
    ("{'a': 1}", "map<string, int>"), ("{}", "map<any, any>"),
    ("optional.of(1)", "optional<int>"), ("names.?a", "optional<int>"),
    ("names[?'a'].orValue(0)", "int"), ("self.?title", "optional<string>"),
    ("self.createdAt - self.createdAt", "duration"),
    ("self.createdAt + duration('1h')", "timestamp"),
    ("any.x.y", "any"), ("any + 1", "int"), ("any == 'a'", "bool"), ("size(any)", "int"),
    ("type(n)", "type"), ("type(n) == int", "bool"), ("1 < 2.5", "bool"),
    ("'a'.split(',')", "list<string>"), ("math.greatest(1, 2)", "int"),
    ("math.greatest(1, 2.0)", "any"), ("cel.bind(x, 1, x + n)", "int"),
    ("optional.of(1).optMap(x, string(x))", "optional<string>"),
    ("ip('1.2.3.4')", "net.IP"), ("Link{url: 'x'}", "Link"),
    ("[1].flatten()", "list<any>"), ("lists.range(3)", "list<int>"),
  ])
  func infersTypes(_ text: String, _ type: String) throws {
    let checked = try check(text)
    #expect(checked.problems.map(\.message) == [])
    #expect(checked.type.description == type)
  }

  @Test(
    arguments: [
      (
        "self.title > 3", "cannot compare string? with int: self.title > 3",
        "write `int(self.title) > 3`"
      ),
      ("n + 1.5", "cannot add double to int: n + 1.5", "write `double(n) + 1.5`"),
      ("self.createdat", "`Link` has no field `createdat`", "did you mean `createdAt`?"),
      ("sefl.title", "unknown name `sefl`", "did you mean `self`?"),
      (
        "self.url.length", "string has no fields, so there is no `length`",
        "write `size(self.url)`"
      ),
      (
        "self.url.size > 3", "string has no fields, so there is no `size`", "did you mean `size()`?"
      ),
      (
        "self.url.startWith('a')", "unknown function `.startWith()`",
        "did you mean `startsWith`?"
      ),
      (
        "self.url.startsWith()", "`startsWith` takes 1 argument, not 0",
        "it is `string.startsWith(string)`"
      ),
      (
        "self.url.startsWith(n)", "`startsWith` takes string here, not int",
        "write `self.url.startsWith(string(n))`"
      ),
      (
        "n.startsWith('a')", "`startsWith` is for string, not int",
        "write `string(n).startsWith(\"a\")`"
      ),
      (
        "startsWith('a')", "unknown function `startsWith`",
        "it is written `string.startsWith(string)`"
      ),
      ("sum(n)", "unknown function `sum`", "write `n.sum()`"),
      ("'5' * 2", "cannot multiply string by int: \"5\" * 2", "write `int(\"5\") * 2`"),
      ("n - '1.5'", "cannot subtract string from int: n - \"1.5\"", "write `n - double(\"1.5\")`"),
      ("self.url < n", "cannot compare string with int: self.url < n", "write `int(self.url) < n`"),
      (
        "'x' * n", "cannot multiply string by int: \"x\" * n",
        "write `lists.range(n).map(i, \"x\").join(\"\")`"
      ),
      (
        "'%s' % n", "cannot divide string by int: \"%s\" % n",
        "write `\"%s\".format([n])`"
      ),
      (
        "self.createdAt - '2h'", "cannot subtract string from timestamp: self.createdAt - \"2h\"",
        "write `self.createdAt - duration(\"2h\")`"
      ),
      (
        "self.url.matches('[a-')",
        "`[a-` is not a valid regular expression: a `[` is never closed",
        nil
      ),
      (
        "self.url.matches('*a')",
        "`*a` is not a valid regular expression: `*` has nothing to repeat; write `\\*` for "
          + "the character", nil
      ),
      (
        "self.url.matches('a(?=b)')",
        "`a(?=b)` is not a valid regular expression: `(?=` is not supported; there is no lookahead or "
          + "lookbehind", nil
      ),
      ("n && true", "operands of `&&` must be bool, not int", "write `n != 0`"),
      ("n ? 1 : 2", "a condition must be a bool, not int", "write `n != 0`"),
      ("true ? 1 : 'a'", "the branches differ: int and string", nil),
      ("n.map(x, x)", "cannot iterate over int, only over a list or map", nil),
      (
        "links.filter(l, l.score)", "a condition must be a bool, not int",
        "write `l.score != 0`"
      ),
      ("links.map(l.x, l)", "expected the name of a variable", nil),
      ("has(n)", "`has` takes a field, as in has(self.title)", "compare with null instead"),
      (
        "'a' in self.url", "cannot look for string in string: \"a\" in self.url",
        "write `self.url.contains(\"a\")`"
      ),
      ("n in self.tags", "cannot look for int in list<string>: n in self.tags", nil),
      ("self.tags['a']", "the index of a list must be int, not string", nil),
      ("names[1]", "the keys of this map are string, not int", nil),
      ("-self.url", "cannot negate string: -self.url", nil),
      (
        "self.createdAt > '2026'",
        "cannot compare timestamp with string: self.createdAt > \"2026\"",
        "write `self.createdAt > timestamp(\"2026-01-01T00:00:00Z\")`"
      ),
      (
        "self.url.matches('(')",
        "`(` is not a valid regular expression: a `(` is never closed", nil
      ),
      (
        "self.createdAt > timestamp('yesterday')",
        "\"yesterday\" is not a timestamp such as 2026-11-20T14:00:00Z, from the year 1 to 9999",
        nil
      ),
      ("Link{ulr: 'x'}", "`Link` has no field `ulr`", "did you mean `url`?"),
      ("Link{url: 1}", "`url` must be string, not int", nil),
      ("{1.5: 1}", "double cannot be the key of a map: keys are bool, int, uint or string", nil),
    ] as [(String, String, String?)])
  func wordsProblems(_ text: String, _ message: String, _ help: String?) throws {
    let checked = try check(text)
    #expect(checked.problems.count == 1)
    #expect(checked.problems.first?.message == message)
    #expect(checked.problems.first?.help == help)
  }

  @Test func reportsAnErrorOnce() throws {
    #expect(try check("missing.a.b + missing2 > 3").problems.count == 2)
    #expect(try check("links.fliter(l, l.x > 1)").problems.count == 1)
  }

  @Test func recordsTypesOfAllParts() throws {
    let text = "links.map(l, l.title)"
    let parts = try check(text).parts.map { part in
      "\(String(decoding: Array(text.utf8)[part.range], as: UTF8.self)): \(part.type)"
    }
    #expect(
      parts == ["\(text): list<string?>", "links: list<Link>", "l.title: string?", "l: Link"])
  }

  @Test func undeclaredNamesAreDynamic() throws {
    var environment = Environment(allowsUndeclaredNames: true)
    environment.variables["n"] = .int
    let checked = environment.check(try Expression.parse("x.y + n"))
    #expect(checked.problems.isEmpty)
    #expect(checked.type == .int)
  }
}
