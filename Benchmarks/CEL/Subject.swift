import CEL

/// An expression to measure, with its variables.
struct Subject {
  /// Its label in the table.
  let name: String
  /// The expression.
  let text: String
  /// Its variables.
  let values: [String: Value]

  /// Returns an environment that declares its variables.
  var environment: Environment {
    var environment = Environment()
    for name in values.keys { environment.variables[name] = .dyn }
    return environment
  }

  /// All subjects, from plain arithmetic to nested macros.
  static let all: [Subject] = [
    one("arithmetic", "1 + 2 * 3 - n / 4"),
    one("guard", "n + 3*2 > 10 && s.startsWith('a')"),
    one("conditional", "n > 100 ? 'many' : n > 10 ? 'some' : 'few'"),
    one("text", "s + ': ' + string(n) + ' of ' + string(n * 2)"),
    one("membership", "s in ['alpha', 'beta', 'gamma', 'delta']"),
    one("field of a map", "record.title != '' && record.score > 10"),
    one("regular expression", "s.matches('^a[a-z]+a$')"),
    one("timestamp", "t + duration('24h') > timestamp('2026-01-01T00:00:00Z')"),
    many("filter + exists + map", 100, Self.pipeline),
    many("filter + exists + map", 10_000, Self.pipeline),
    many("all", 10_000, "records.all(r, r.score >= 0)"),
    many(
      "nested", 100,
      "records.filter(r, records.exists(q, q.score == r.score + 1 && q.id != r.id)).size()"),
  ]

  private static let pipeline =
    "records.filter(r, r.score > 20 && r.tags.exists(t, t == 'b')).map(r, r.title)"

  private static func one(_ name: String, _ text: String) -> Subject {
    Subject(
      name: name, text: text,
      values: [
        "n": 42, "s": "alpha", "record": record(7),
        "t": .timestamp(Timestamp(seconds: 1_790_000_000)),
      ])
  }

  private static func many(_ name: String, _ count: Int, _ text: String) -> Subject {
    Subject(
      name: "\(name), \(count) records", text: text,
      values: ["records": .list((0..<count).map(record))])
  }

  private static func record(_ number: Int) -> Value {
    .map(
      MapValue([
        ("id", .int(Int64(number))), ("title", .string("Item number \(number)")),
        ("score", .int(Int64(number * 7 % 50))),
        ("tags", .list(number % 3 == 0 ? ["a", "b", "c"] : ["a", "c"])),
      ]))
  }
}
