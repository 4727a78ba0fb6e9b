import CEL
import FoundationEssentials
import Glibc
import Items
import Store
import StoreFixtures
import TestSupport

// A process that works on a store for the tests: `store-child COMMAND STORE [ARGUMENT…]`. It prints
// each safely stored change, and exits with 1 and a message on an error.

/// Prints a line at once, so that it is read even if the process is killed.
func report(_ line: String, to descriptor: Int32 = STDOUT_FILENO) {
  let bytes = Array((line + "\n").utf8)
  _ = write(descriptor, bytes, bytes.count)
}

/// Saves links with a prefix; prints the URL of each once it is stored.
func save(in store: Database, prefix: String, count: Int) throws {
  for number in 0..<count {
    let url = "https://example.org/\(prefix)/\(number)"
    let item = try store.items.create(
      "Link",
      set: [
        ("url", .string(url)), ("title", .string("Page \(number) of \(prefix)")),
        ("tags", .list([.string(prefix), .string("number\(number % 7)")])),
      ], onConflict: .merge)
    report("\(item.id ?? 0) \(url)")
  }
}

/// Imports a file of links; prints the numbers of created, merged and bad ones.
func importFile(into store: Database, path: String) throws {
  let bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
  let start = ContinuousClock.now
  let importer = Importer(into: store) { line, error in report("line \(line): \(error)") }
  try LinkLines.forEach(in: bytes) { line, draft in try importer.add(draft, line: line) }
  let counts = try importer.finish()
  report("created \(counts.created) merged \(counts.merged) bad \(counts.bad)")
  report("\(ContinuousClock.now - start)", to: STDERR_FILENO)
}

/// Performs random operations forever; prints each before and after it is done.
func doRandomThings(at path: String, seed: UInt64) throws {
  var random = SeededGenerator(seed: seed)
  var store = try StoreFixture(at: .file(path), ModelOperation.schema(hasNote: false)).store
  while true {
    let operation = ModelOperation.random(using: &random)
    report("do \(operation.text)")
    try operation.perform(on: &store, at: path)
    report("did \(operation.text)")
  }
}

var arguments = CommandLine.arguments
if arguments.count > 1, arguments[1] == "--unprivileged" {
  // Drop root privileges, which would bypass file permissions.
  if geteuid() == 0, setgid(65_534) != 0 || setuid(65_534) != 0 { exit(3) }
  arguments.remove(at: 1)
}
if arguments.count > 2, arguments[1] == "--file-size" {
  var limit = rlimit(rlim_cur: rlim_t(arguments[2]) ?? 0, rlim_max: rlim_t(arguments[2]) ?? 0)
  signal(SIGXFSZ, SIG_IGN)
  setrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit)
  arguments.removeSubrange(1...2)
}
guard arguments.count >= 3 else {
  report("usage: store-child COMMAND STORE [ARGUMENT…]", to: STDERR_FILENO)
  exit(2)
}
do {
  if arguments[1] == "random" {
    try doRandomThings(at: arguments[2], seed: UInt64(arguments[3]) ?? 0)
  }
  if arguments[1] == "find-other" {
    let note = EntitySchema(name: "Note", properties: [PropertySchema(name: "text", type: .string)])
    let store = try StoreFixture(at: .file(arguments[2]), note).store
    report("\(try store.items.find(Query("Note", match: "x")).count) items")
    exit(0)
  }
  if arguments[1] == "find-changed" {
    _ = try StoreFixture(at: .file(arguments[2]), ModelOperation.schema(hasNote: true))
  }
  let store = try StoreFixture(at: .file(arguments[2]), StoreFixture.link).store
  switch arguments[1] {
  case "save": try save(in: store, prefix: arguments[3], count: Int(arguments[4]) ?? 0)
  case "import": try importFile(into: store, path: arguments[3])
  case "find":
    let words = arguments.count > 3 ? arguments[3] : nil
    for item in try store.items.find(Query("Link", match: words, limit: 10)) {
      if case .string(let url)? = item.field("url") { report("\(item.id ?? 0) \(url)") }
    }
  default:
    report("unknown command", to: STDERR_FILENO)
    exit(2)
  }
} catch {
  report("\(error)", to: STDERR_FILENO)
  exit(1)
}
