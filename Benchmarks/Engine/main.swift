// bench-engine FLOOR: costs of steps in a warm process, on one thread. FLOOR is the time of one
// pass of a shell loop over the builtin `:` in nanoseconds, measured just before.

guard CommandLine.arguments.count == 2, let floor = Double(CommandLine.arguments[1]), floor > 0
else {
  print("usage: bench-engine FLOOR, in nanoseconds")
  throw UsageError()
}
let one = try Subject(body: "value: 1").nanosecondsPerPass()
let eleven = try Subject(
  body: Array(repeating: "value: 1", count: 11).joined(separator: "\n      - ")
).nanosecondsPerPass()
let step = (eleven - one) / 10
let pass = one - step
let rows = [
  ("a no-op step", step), ("a loop pass", pass),
  ("an intent call", try Subject(body: "echo: hello").nanosecondsPerPass() - pass),
  (
    "an expression",
    try Subject(body: "value: '{{ it == null ? 1 : 2 }}'").nanosecondsPerPass() - pass
  ),
  ("text from a template", try Subject(body: "value: 'n{{ 1 }}'").nanosecondsPerPass() - pass),
  ("an assignment", try Subject(body: "set: {n: 1}").nanosecondsPerPass() - pass),
  (
    "a condition",
    try Subject(body: "if: true\n        then: [value: 1]").nanosecondsPerPass() - pass
  ),
]
for (name, nanoseconds) in rows {
  let ratio = (nanoseconds / floor * 100).rounded() / 100
  print("  \(name): \(Int(nanoseconds.rounded())) ns, \(ratio) x a pass of the shell")
}

/// An invalid command line; the message has been printed.
struct UsageError: Error {}
