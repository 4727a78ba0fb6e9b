import CELFuzz

// cel-fuzz [COUNT [SEED]]: runs random texts through parser, printer, checker and evaluator.

let arguments = CommandLine.arguments.dropFirst().map { UInt64($0) ?? 0 }
let count = arguments.first ?? 1_000_000
let seed = arguments.dropFirst().first ?? 1
var writer = ExpressionWriter(seed: seed)
var probe = ExpressionProbe()
var faults = 0
var slowest = (time: Duration.zero, text: "")
let clock = ContinuousClock()
for _ in 0..<count {
  let bytes = writer.next()
  let begin = clock.now
  let fault = probe.fault(in: bytes)
  let time = begin.duration(to: clock.now)
  if time > slowest.time { slowest = (time, String(decoding: bytes.prefix(200), as: UTF8.self)) }
  if let fault {
    faults += 1
    print("\(String(decoding: bytes, as: UTF8.self))\n  \(fault)")
  }
}
print("\(count) texts, \(probe.parsed) expressions, \(probe.evaluated) with a value")
print("slowest: \(slowest.time): \(slowest.text)")
print("\(Int(count) - faults) passed, \(faults) failed")
