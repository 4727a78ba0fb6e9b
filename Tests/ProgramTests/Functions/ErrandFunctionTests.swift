import CEL
import Testing

@testable import Program

/// The functions as expressions see them, at 14:30 on Friday, 20 November 2026, in Berlin.
@Suite struct ErrandFunctionTests {
  private func evaluate(_ text: String) throws -> Value {
    var environment = Environment(allowsUndeclaredNames: true)
    environment.addErrandFunctions(
      FunctionContext(
        now: { moment("2026-11-20T13:30:00Z") }, clock: .berlin,
        randomBytes: { count in [UInt8](repeating: 0xFF, count: count) },
        environment: { name in name == "HOME" || name == "TOKEN" ? "/home/" + name : nil }))
    let expression = try Expression.parse(text)
    return try environment.compile(
      expression, overloads: environment.check(expression).overloads
    ).evaluate()
  }

  @Test(arguments: [
    // General
    ("coalesce(null, 'b')", #""b""#), ("coalesce(null)", "null"), ("coalesce(1, 2)", "1"),
    ("coalesce({}.?a, {'b': 2}.?b, 3)", "2"), ("coalesce(optional.of(null), false)", "false"),
    ("uuid()", #""ffffffff-ffff-4fff-bfff-ffffffffffff""#),
    ("env('HOME')", #""/home/HOME""#), ("env('LANG')", "null"),
    // Time
    ("now()", #"timestamp("2026-11-20T13:30:00Z")"#),
    ("today()", #"timestamp("2026-11-19T23:00:00Z")"#),
    ("today() + days(2) == timestamp('2026-11-21T23:00:00Z')", "true"),
    ("weeks(1) + hours(2) + minutes(3) - seconds(4) == duration('612176s')", "true"),
    ("now().startOf('month')", #"timestamp("2026-10-31T23:00:00Z")"#),
    ("(now() - hours(3)).relative()", #""3 hours ago""#),
    ("now().format('d MMM yyyy, HH:mm')", #""20 Nov 2026, 14:30""#),
    // Lists
    ("[1, 2, 3].sum()", "6"), ("[1, 2.5].sum()", "3.5"), ("[].sum()", "0"),
    ("[1u, 2u].sum()", "3u"),
    // The sum of no elements is the zero of their type.
    ("[1].filter(x, x > 1).map(x, 2.5).sum()", "0.0"),
    ("[1].filter(x, x > 1).map(x, 2u).sum()", "0u"),
    ("[1].filter(x, x > 1).map(x, hours(x)).sum() == hours(0)", "true"),
    ("[1].filter(x, x > 1).sum()", "0"),
    ("[1].filter(x, x > 1).map(x, dyn(2.5)).sum()", "0"),
    ("[1].map(x, 2.5).sum()", "2.5"), ("[1].map(x, hours(x)).sum() == hours(1)", "true"),
    ("[duration('1s'), duration('2s')].sum() == duration('3s')", "true"),
    ("[1, 2].avg()", "1.5"), ("[].avg()", "null"),
    ("[duration('1s'), duration('2s')].avg() == duration('1.5s')", "true"),
    ("['b', 'a', 'c'].min()", #""a""#), ("[1, 3.5, 2u].max()", "3.5"), ("[].max()", "null"),
    ("[7, 8].first()", "7"), ("[7, 8].last()", "8"), ("[].first()", "null"),
    ("[3, 1, 3].distinct()", "[3, 1]"), ("['bb', 'a'].sortBy(x, size(x))", #"["a", "bb"]"#),
    ("['bb', 'a', 'cc'].groupBy(x, size(x))", #"{2: ["bb", "cc"], 1: ["a"]}"#),
    // URLs
    ("'https://A.org:8/b?c=d&e=f%20g#h'.host()", #""a.org""#),
    ("'https://a.org/b/c?d'.path()", #""/b/c""#),
    ("'https://a.org/?c=d&e=f%20g'.query('e')", #""f g""#),
    ("'https://a.org/'.query('e')", "null"), ("'https://a.org/#h'.fragment()", #""h""#),
    ("'https://a.org/'.fragment()", "null"),
    ("'HTTPS://A.org?utm_source=x'.canonical()", #""https://a.org/""#),
    ("'../x'.resolve('https://a.org/b/c/')", #""https://a.org/b/x""#),
    ("'a b/é'.urlEncode()", #""a%20b%2F%C3%A9""#),
    // Texts
    ("'foobar'.base64()", #""Zm9vYmFy""#), (#"b'\xfb\xff'.base64()"#, #""+/8=""#),
    ("'abc'.sha256().startsWith('ba7816bf')", "true"),
    ("b'abc'.sha256() == 'abc'.sha256()", "true"),
    ("'Crème brûlée: “Straße” & don’t!'.slug()", #""creme-brulee-strasse-dont""#),
    (#"'a\nb\r\n\nc\n'.lines()"#, #"["a", "b", "", "c"]"#), ("''.lines()", "[]"),
    ("'Hi, (you) c++ – x-y!'.words()", #"["Hi", "you", "c++", "x-y"]"#),
  ])
  func values(expression: String, expected: String) throws {
    #expect(try evaluate(expression).description == expected)
  }

  /// Functions are made on demand by name, so one missing from a table would be unknown.
  @Test func everyFunctionIsFoundByItsName() {
    let context = FunctionContext(
      now: { moment("2026-11-20T13:30:00Z") }, clock: .berlin, randomBytes: { _ in [] },
      environment: { _ in nil })
    for row in FunctionRow.tables.joined() {
      let overloads = FunctionRow.overloads(of: row.name, context)
      #expect(Set(overloads.map(\.name)) == [row.name])
    }
  }

  @Test(arguments: [
    ("env('TOKEN')", "is not readable"), ("now().startOf('eon')", "one of second, minute"),
    ("now().format('bad')", "is not a field"), ("days(9223372036854775807)", "292 years"),
    ("[9223372036854775807, 1].sum()", "out of range"),
    ("['a', 'b'].sum()", "cannot add up string"),
    ("[1, null].avg()", "cannot add up null"), ("[1, 'a'].max()", "cannot compare string with int"),
    ("[null].groupBy(x, x)", "coalesce"), ("'ftp://x'.host()", "it must begin with http"),
    ("'x y'.resolve('https://a.org')", "contains a space"),
    ("'x'.resolve('y')", "“y” is not a URL"),
  ])
  func errors(expression: String, expected: String) throws {
    let error = try #require(throws: EvaluationError.self) { try evaluate(expression) }
    #expect(error.message.contains(expected), "\(error.message)")
  }

  @Test(arguments: [
    ("Hello World", "hello-world"), ("--A__b--", "a-b"), ("日本語 テスト", "日本語-テスト"),
    ("e\u{301}te\u{301}", "ete"), ("…", ""), ("C++ & C#", "c-c"), ("v1.2", "v1-2"),
  ])
  func slugs(text: String, expected: String) {
    #expect(TextForms.slug(text) == expected)
  }
}
