import ErrandKit
import Glibc
import Synchronization

// A front in a separate process, which uses only the public API.
//
//   kit-child hold NAME…          starts intents, prints `ID STATE` of each once it asks or its
//                                 first step has started, and waits to be killed
//   kit-child threads PROGRAM N   reads on four threads, writes on two and starts runs on one,
//                                 in N rounds each

/// Counts and prints failures.
let failures = Atomic<Int>(0)

func fail(_ message: String) {
  failures.add(1, ordering: .relaxed)
  print("failed: \(message)")
}

/// Runs each body on its own thread, and waits for all of them.
func onThreads(_ bodies: [@Sendable () throws -> Void]) {
  final class Box {
    let body: @Sendable () throws -> Void
    init(_ body: @escaping @Sendable () throws -> Void) { self.body = body }
  }
  let threads = bodies.map { body in
    var thread = pthread_t()
    pthread_create(
      &thread, nil,
      { box in
        guard let box else { return nil }
        do { try Unmanaged<Box>.fromOpaque(box).takeRetainedValue().body() } catch {
          fail("\(error)")
        }
        return nil
      }, Unmanaged.passRetained(Box(body)).toOpaque())
    return thread
  }
  for thread in threads { pthread_join(thread, nil) }
}

func hold(_ names: ArraySlice<String>) throws {
  let errand = try Errand.open()
  let runs = try names.map { try errand.start($0) }
  for run in runs {
    // Until it asks, or its long-running step has started.
    var steps = 0
    while run.state != .waiting, steps == 0, let event = try run.next() {
      if event.name == "step", event["path"] != ["ask"] { steps += 1 }
    }
    print(run.process, run.state)
  }
  fflush(nil)
  // A run that is released ends.
  withExtendedLifetime(runs) { while true { pause() } }
}

func threads(_ program: String, _ rounds: Int) throws {
  var options = Errand.Options()
  options.program = program
  let first = try Errand.open(options).writer(as: "kit-child")
  for number in 0..<20 {
    _ = try first.create(
      "Link", ["url": .string("https://example.com/\(number)"), "tags": ["seen"]])
  }
  let reading: @Sendable () throws -> Void = { [options] in
    let reader = try Errand.open(options).reader()
    var last = 0
    for round in 0..<rounds {
      let count = try reader.count("Link")
      if count < last { fail("a reader saw \(last) links, and \(count) later") }
      last = count
      let found = try reader.find("Link", where: "'seen' in self.tags", limit: 5)
      if found.count != 5 { fail("a condition found \(found.count) of 5 links") }
      _ = try reader.find("Link", matching: "example", limit: 3)
      if let link = found.first, try reader.item(link.reference).title != link.title {
        fail("an item is another than was found")
      }
      if round % 10 == 0 { _ = try (reader.runs(), reader.jobs()) }
    }
  }
  let writing: @Sendable (String) throws -> Void = { [options] name in
    let writer = try Errand.open(options).writer(as: name)
    for round in 0..<rounds {
      let url = "https://\(name).example/\(round)"
      let made = try writer.create("Link", ["url": .string(url)])
      guard let link = made.items.first else { return fail("nothing was created") }
      _ = try writer.update([link.reference], set: ["title": .string("Title \(round)")])
    }
  }
  let running: @Sendable () throws -> Void = { [options] in
    let errand = try Errand.open(options)
    for round in 0..<(rounds / 10 + 1) {
      let run = try errand.start("hold")
      while run.state != .waiting, try run.next() != nil {}
      // Another thread answers, like a request thread of a web server.
      onThreads([{ if round % 3 == 0 { run.cancel() } else { try run.answer("yes") } }])
      do { _ = try run.result() } catch let error as ErrandError where error.code == "cancelled" {}
    }
  }
  onThreads([
    reading, reading, reading, reading, { try writing("one") }, { try writing("two") }, running,
  ])
  let count = try Errand.open(options).reader().count("Link")
  if count != 20 + 2 * rounds { fail("\(count) links are there, and not \(20 + 2 * rounds)") }
  print("readers, writers and runs: \(failures.load(ordering: .relaxed)) failures")
}

let words = CommandLine.arguments
do {
  switch words.dropFirst().first {
  case "hold": try hold(words[2...])
  case "threads" where words.count == 4: try threads(words[2], Int(words[3]) ?? 0)
  default: fail("choose hold NAME… or threads PROGRAM N")
  }
} catch { fail("\(error)") }
exit(failures.load(ordering: .relaxed) == 0 ? 0 : 1)
