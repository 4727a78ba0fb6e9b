import CEL
import JSON

// cel-bench [--json]: measures parsing, checking, compiling and evaluating expressions on one thread. Prints
// nanoseconds, the best of several rounds; first, the cost of the first expression of a process from text to value.

let cold = try ContinuousClock().measure {
  let expression = try Expression.parse("n + 3*2 > 10 && s.startsWith('a')")
  let program = try Environment().compile(expression)
  _ = try program.evaluate { $0 == 0 ? 42 : "alpha" }
}
var rows: [Value] = []
for subject in Subject.all {
  let expression = try Expression.parse(subject.text)
  let environment = subject.environment
  let program = try environment.compile(expression)
  let values = program.variables.map { subject.values[$0] }
  let row: [(String, Value)] = [
    ("name", .string(subject.name)),
    ("text", .string(subject.text)),
    ("parse", .int(try best { _ = try Expression.parse(subject.text) })),
    ("check", .int(best { _ = environment.check(expression) })),
    ("compile", .int(try best { _ = try environment.compile(expression) })),
    ("evaluate", .int(try best { _ = try program.evaluate { values[$0] } })),
    ("values", .map(MapValue(subject.values.map { ($0.key, $0.value) }))),
  ]
  rows.append(.map(MapValue(row)))
}
if CommandLine.arguments.contains("--json") {
  print(try JSONWriter().text(of: .list(rows)))
} else {
  print("the first expression: \(cold)")
  let columns = ["parse", "check", "compile", "evaluate"]
  print("nanoseconds".padded(44) + columns.map { $0.padded(-12) }.joined())
  for case .map(let row) in rows {
    let cells = columns.map { (row[$0]?.text ?? "").padded(-12) }
    print((row["name"]?.text ?? "").padded(44) + cells.joined())
  }
}

/// Returns the minimum time of one call in nanoseconds, over several rounds of many calls.
func best(_ body: () throws -> Void) rethrows -> Int64 {
  let clock = ContinuousClock()
  var calls = 1
  var least = Int64.max
  var rounds = 0
  while rounds < 7 {
    let begin = clock.now
    for _ in 0..<calls { try body() }
    let spent = begin.duration(to: clock.now).components
    let nanoseconds = spent.seconds * 1_000_000_000 + spent.attoseconds / 1_000_000_000
    // A round must be long compared with the clock's resolution.
    if nanoseconds < 20_000_000 {
      calls *= 2
      continue
    }
    least = min(least, nanoseconds / Int64(calls))
    rounds += 1
  }
  return least
}

extension String {
  /// Pads a text with spaces at its end, or at its start if the width is negative.
  func padded(_ width: Int) -> String {
    let spaces = String(repeating: " ", count: max(0, abs(width) - count))
    return width < 0 ? spaces + self : self + spaces
  }
}
