import Glibc
import PhraseConformance

// phrase-conformance FILE…: runs the sentences of files; prints a line for each difference and a
// summary. phrase-conformance --time FILE…: prints the time of a sentence instead.

/// Prints a line to standard error.
func warn(_ message: String) {
  var line = "phrase-conformance: \(message)\n"
  line.withUTF8 { _ = write(2, $0.baseAddress, $0.count) }
}

/// Reads a file; nil if it cannot be read.
func bytes(of path: String) -> [UInt8]? {
  guard let file = fopen(path, "rb") else { return nil }
  defer { fclose(file) }
  var bytes: [UInt8] = []
  var buffer = [UInt8](repeating: 0, count: 1 << 16)
  while case let count = fread(&buffer, 1, buffer.count, file), count > 0 {
    bytes += buffer[..<count]
  }
  return bytes
}

/// The time of a sentence of a language object, once its templates are compiled.
func printTimes(_ cases: PhraseCases) {
  var times: [Double] = []
  for isWarm in [false, true] {
    for one in cases.cases {
      let start = ContinuousClock.now
      _ = cases.failure(of: one)
      let time = ContinuousClock.now - start
      if isWarm { times.append(Double(time.components.attoseconds) / 1e15) }
    }
  }
  times.sort()
  guard !times.isEmpty else { return }
  let mean = times.reduce(0, +) / Double(times.count)
  func text(_ time: Double) -> String { "\((time * 10_000).rounded() / 10_000) ms" }
  print(
    "errand: \(text(times[times.count / 2])) a sentence (median), \(text(mean)) (mean), "
      + "\(text(times[times.count * 99 / 100])) (p99)")
}

let isTimed = CommandLine.arguments.dropFirst().first == "--time"
let paths = CommandLine.arguments.dropFirst(isTimed ? 2 : 1)
if paths.isEmpty {
  warn("usage: phrase-conformance FILE…")
  exit(2)
}
var passed = 0
var failed = 0
for path in paths {
  guard let bytes = bytes(of: path) else {
    warn("cannot read \(path)")
    exit(2)
  }
  do {
    for line in try PhraseCases.lines(of: bytes) {
      let cases = try PhraseCases(line)
      if isTimed {
        printTimes(cases)
        continue
      }
      for one in cases.cases {
        if let failure = cases.failure(of: one) {
          failed += 1
          print("\(one.name): \(one.sentence)\n  \(failure)")
        } else {
          passed += 1
        }
      }
    }
  } catch {
    warn("\(path): \(error)")
    exit(2)
  }
}
if isTimed { exit(0) }
print("\(passed) passed, \(failed) failed")
exit(failed == 0 ? 0 : 1)
