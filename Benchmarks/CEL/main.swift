import CEL

// cel-bench [FILTER]: what it costs to parse, check, compile and evaluate expressions, on one
// thread. Prints nanoseconds, the best of several rounds.

let filter = CommandLine.arguments.dropFirst().first
print(
  "expression".padded(to: 44), "parse".padded(left: 9), "check".padded(left: 9),
  "compile".padded(left: 9), "evaluate".padded(left: 12))
for subject in Subject.all where filter.map({ subject.name.contains($0) }) ?? true {
  let expression = try Expression.parse(subject.text)
  let environment = subject.environment
  let program = try environment.compile(expression)
  let values = program.variables.map { subject.values[$0] }
  let outcome = try program.evaluate { values[$0] }
  let parse = try best { _ = try Expression.parse(subject.text) }
  let check = best { _ = environment.check(expression) }
  let compile = try best { _ = try environment.compile(expression) }
  let evaluate = try best { _ = try program.evaluate { values[$0] } }
  print(
    subject.name.padded(to: 44), "\(parse)".padded(left: 9), "\(check)".padded(left: 9),
    "\(compile)".padded(left: 9), "\(evaluate)".padded(left: 12), " \(outcome.kindName)")
}

/// The least nanoseconds that one call took, of several rounds of many calls.
func best(_ body: () throws -> Void) rethrows -> Int {
  let clock = ContinuousClock()
  var calls = 1
  var least = Int.max
  var rounds = 0
  while rounds < 7 {
    let begin = clock.now
    for _ in 0..<calls { try body() }
    let spent = begin.duration(to: clock.now)
    let nanoseconds = Int(spent.components.attoseconds / 1_000_000_000)
      + Int(spent.components.seconds) * 1_000_000_000
    // A round must be long enough for the clock to matter little.
    if nanoseconds < 20_000_000 {
      calls *= 2
      continue
    }
    least = min(least, nanoseconds / calls)
    rounds += 1
  }
  return least
}

extension String {
  func padded(to width: Int) -> String {
    self + String(repeating: " ", count: max(0, width - count))
  }

  func padded(left width: Int) -> String {
    String(repeating: " ", count: max(0, width - count)) + self
  }
}
