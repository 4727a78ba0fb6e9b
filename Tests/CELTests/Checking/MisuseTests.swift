import Testing

@testable import CEL

/// Errors whose message shows the corrected expression, which must work.
@Suite struct MisuseTests {
  static let environment: Environment = {
    var environment = Environment()
    environment.add(
      ObjectType(
        "Link",
        fields: [
          ("url", .string), ("createdAt", .timestamp), ("score", .int),
          ("status", .enumeration(["queued", "ready", "archived"])),
          ("state", .nullable(.enumeration(["on", "off"]))),
        ]))
    environment.add(
      Function("changeCase", .method) { (text: String, form: String) in text + form })
    environment.add(Function("now") { () in Timestamp(seconds: 1_800_000_000) })
    environment.add(Function("today") { () in Timestamp(seconds: 1_800_000_000) })
    environment.add(Function("days") { (count: Int64) in DurationValue(seconds: count * 86_400) })
    environment.variables = [
      "self": .object("Link"), "it": .list(.object("Link")), "tags": .list(.string), "n": .int,
      "a": .int, "b": .int, "c": .int, "flag": .bool, "length": .duration, "any": .dyn,
      "names": .map(.string, .int),
    ]
    return environment
  }()

  private static func problems(_ text: String) -> [Problem] {
    do throws(ExpressionError) {
      return environment.check(try Expression.parse(text)).problems
    } catch {
      return error.problems
    }
  }

  @Test(arguments: [
    ("1 if flag else 2", "flag ? 1 : 2"), ("if flag then 1 else 2", "flag ? 1 : 2"),
    ("self.url | upper", "self.url.changeCase(\"upper\")"),
    ("self.url | default('x')", "coalesce(self.url, 'x')"),
    ("self.url =~ 'x'", "self.url.matches('x')"), ("self.url =~ /x+/", "self.url.matches(\"x+\")"),
    ("{{ self.url }}", "self.url"),
    ("self.url == {{ self.url + 'x' }}", "self.url == self.url + 'x'"),
    ("flag and n > 1", "flag && n > 1"), ("flag or not flag", "flag || !flag"),
    ("n is 1", "n == 1"), ("n is not 1", "n != 1"), ("n <> 1", "n != 1"),
    ("'Don't panic'", "\"Don't panic\""), ("any ?? 'x'", "coalesce(any, 'x')"),
    ("self?.url", "self.?url"), ("[t for t in tags]", "tags.map(t, t)"),
    ("[t for t in tags if t == 'x']", "tags.map(t, t == 'x', t)"),
    ("tags[0:2]", "tags.slice(0, 2)"),
    ("a < b < c", "a < b && b < c"), ("1 <= n <= 5", "1 <= n && n <= 5"),
    ("len(tags)", "size(tags)"), ("tags.length()", "size(tags)"), ("tags.count()", "size(tags)"),
    ("tags.length", "size(tags)"), ("tags.contains('x')", "\"x\" in tags"),
    ("tags.includes('x')", "\"x\" in tags"), ("'x' in self.url", "self.url.contains(\"x\")"),
    ("tags == 'x'", "\"x\" in tags"), ("tags.any(t, t == 'x')", "tags.exists(t, t == \"x\")"),
    ("tags.isEmpty()", "size(tags) == 0"), ("self.url.upper()", "self.url.changeCase(\"upper\")"),
    ("upper(self.url)", "self.url.changeCase(\"upper\")"), ("n.toString()", "string(n)"),
    ("n.string()", "string(n)"), ("float(n)", "double(n)"), ("isNull(any)", "any == null"),
    ("now", "now()"), ("any == None", "null"), ("now > self.createdAt", "now()"),
    ("today() + 1", "today() + days(1)"), ("today() - n", "today() - days(n)"),
    ("self.createdAt > '2026-01-31'", "self.createdAt > timestamp(\"2026-01-31T00:00:00Z\")"),
    ("'2026-01' <= self.createdAt", "timestamp(\"2026-01-01T00:00:00Z\") <= self.createdAt"),
    (
      "self.createdAt == '2026-01-31 08:30'",
      "self.createdAt == timestamp(\"2026-01-31T08:30:00Z\")"
    ),
    ("self.createdAt < 'today'", "self.createdAt < today()"),
    ("self.createdAt < 'tomorrow'", "self.createdAt < (today() + days(1))"),
    ("timestamp('2026-01-31')", "timestamp(\"2026-01-31T00:00:00Z\")"),
    ("length > '90m'", "length > duration(\"90m\")"), ("length > 3", "length > days(3)"),
    ("tags[-1]", "tags[size(tags) - 1]"), ("tags + 'x'", "tags + [\"x\"]"),
    ("it.url", "it[0].url"), ("n ? 1 : 2", "n != 0"), ("tags ? 1 : 2", "size(tags) > 0"),
  ])
  func suggestsTheCorrectedExpression(_ text: String, _ line: String) throws {
    let problems = Self.problems(text)
    #expect(problems.count == 1)
    #expect(problems.first?.help?.contains("`\(line)`") == true, "\(problems.first?.help ?? "")")
    #expect(Self.problems(line).filter { $0.severity == .error } == [])
  }

  @Test(arguments: [
    ("self.status == «\"redy\"»", "`self.status` is never \"redy\"", "did you mean \"ready\"?"),
    (
      "«'x'» != self.status", "`self.status` is never \"x\"",
      "it is one of \"queued\", \"ready\", \"archived\""
    ),
    (
      "self.status in ['ready', «'arhived'»]", "`self.status` is never \"arhived\"",
      "did you mean \"archived\"?"
    ),
    ("self.state == «'offf'»", "`self.state` is never \"offf\"", "did you mean \"off\"?"),
    (
      "it.exists(l, l.status == «'redy'»)", "`l.status` is never \"redy\"",
      "did you mean \"ready\"?"
    ),
    (
      "self.status == (flag ? 'ready' : «'x'»)", "`self.status` is never \"x\"",
      "it is one of \"queued\", \"ready\", \"archived\""
    ),
    (
      "«self.status == self.state»", "`self.status` and `self.state` have no value in common",
      "it is one of \"queued\", \"ready\", \"archived\""
    ),
  ])
  func reportsUnknownEnumValues(_ marked: String, _ message: String, _ help: String) throws {
    let text = marked.replacing("«", with: "").replacing("»", with: "")
    let problem = Self.problems(text).first
    #expect(problem?.message == message)
    #expect(problem?.help == help)
    #expect(problem?.range.lowerBound == marked.utf8.prefix { $0 != "«".utf8.first }.count)
    #expect(problem?.severity == .error)
  }

  @Test(arguments: [
    ("self.url == null", "`self.url` is never null here, so this is always false"),
    ("self.url != null && flag", "`self.url` is never null here, so this is always true"),
    ("has(self.url)", "`self.url` is always there, so this is always true"),
    (
      "self.state != null && self.state != null",
      "`self.state` is never null here, so this is always true"
    ),
    ("1 == 1 && flag", "this is always true"), ("flag || false", "this is always false"),
    ("true ? 1 : 2", "this is always true"), ("it.filter(l, 1 > 2)", "this is always false"),
    ("n == n", "both sides are `n`, so this is always true"),
    ("size(tags) >= 0", "a size is never negative, so this is always true"),
    ("tags.size() < 0", "a size is never negative, so this is always false"),
    ("n == 1 && n == 2", "`n` cannot be 1 and 2, so this is always false"),
    (
      "self.status != 'ready' || self.status != 'queued'",
      "`self.status` always differs from \"ready\" or from \"queued\", so this is always true"
    ),
    ("n in []", "nothing is in an empty list, so this is always false"),
    ("names['a'] == null", "`names[\"a\"]` is never null here, so this is always false"),
  ])
  func warnsAboutConstantConditions(_ text: String, _ message: String) throws {
    let problems = Self.problems(text)
    #expect(problems.map(\.message) == [message])
    #expect(problems.map(\.severity) == [.warning])
    #expect(problems.map(\.code) == [.constantCondition])
  }

  @Test(
    arguments: [
      "self.status == 'ready'", "self.status in ['ready', 'queued']",
      "self.status + 'x' == 'readyx'",
      "self.status.startsWith('r')", "[self.status, 'other']", "self.status == self.url",
      "any == null", "any == 'x' && any == 'y' || flag", "n == 1 || n == 2", "n != 1 && n != 2",
      "size(tags) > 0", "size(tags) == 0", "(a < b) == flag", "tags.exists(t, t == 'x')",
      "self.state == null || self.state == 'on'", "flag ? 'ready' == self.status : flag",
    ])
  func acceptsVariableConditions(_ text: String) throws {
    let wanted = text.hasPrefix("any == 'x'") ? 1 : 0
    #expect(Self.problems(text).count == wanted)
  }

  @Test func warnsAboutTemplatesInStrings() {
    let problems = Self.problems("self.url == '{{ n }}'")
    #expect(problems.map(\.code) == [.templateInText])
    #expect(problems.first?.severity == .warning)
    #expect(problems.first?.help == "write `n`, without quotes and braces")
    #expect(Self.problems("self.url == '{{ a b }}' || self.url == '}}{{'") == [])
  }

  @Test func foldsConstantConditions() throws {
    func constant(_ text: String) throws -> Bool? {
      Self.environment.check(try Expression.parse(text)).constant
    }
    #expect(try constant("true") == true)
    #expect(try constant("1 > 2") == false)
    #expect(try constant("flag || true") == true)
    #expect(try constant("flag && self.url == null") == false)
    #expect(try constant("flag") == nil)
  }
}
