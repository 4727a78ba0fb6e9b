import Glibc
import Items
import Store

// bench-store STORE: runs the commands on its standard input against a store that stays open, with
// tab-separated fields:
//
// find TIMES MATCH WHERE SORT SKIP    ten links, from the one after SKIP on
// save TIMES                          new links, each durable
// step TIMES                          lines of a run's journal, each durable unless they are grouped
// group 0|1                           begins to group lines, or commits them
// top MATCH                           the ids of the ten best matches
//
// Prints one line for each: the nanoseconds of each time, or the result.

guard CommandLine.arguments.count == 2 else {
  print("usage: bench-store STORE")
  throw UsageError()
}
let subject = try Subject(store: CommandLine.arguments[1])
while let line = readLine() {
  let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
  let times = fields.count > 1 ? Int(fields[1]) ?? 1 : 1
  switch (fields[0], fields.count) {
  case ("find", 6):
    let query = try subject.query(
      match: fields[2], condition: fields[3], sort: fields[4], skip: Int(fields[5]) ?? 0)
    print(try nanoseconds(times) { _ = try subject.store.items.find(query) })
  case ("save", 2): print(try nanoseconds(times) { try subject.save() })
  case ("step", 2): print(try nanoseconds(times) { try subject.noteStep() })
  case ("group", 2): print(try nanoseconds(1) { try subject.group(times == 1) })
  case ("top", 2):
    let query = try subject.query(
      match: fields[1], condition: Subject.isShown, sort: "", skip: 0)
    print(
      try subject.store.items.find(query).compactMap(\.id).map(String.init).joined(separator: " "))
  default:
    print("bench-store: cannot read “\(line)”")
    throw UsageError()
  }
  // The caller waits for the answer.
  fflush(nil)
}

/// The nanoseconds of each of several calls.
func nanoseconds(_ times: Int, _ body: () throws -> Void) rethrows -> String {
  let clock = ContinuousClock()
  var spent: [String] = []
  for _ in 0..<times {
    let begin = clock.now
    try body()
    let duration = begin.duration(to: clock.now).components
    spent.append(String(duration.seconds * 1_000_000_000 + duration.attoseconds / 1_000_000_000))
  }
  return spent.joined(separator: " ")
}

/// An invalid command line or request; the message has been printed.
struct UsageError: Error {}
