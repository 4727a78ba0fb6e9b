import Catalog
import DefinitionTesting
import ErrandKit
import Source

/// Writes test results for a person.
struct TestText {
  private let suite: TestSuite
  private let console: Console
  /// Whether only failures are written.
  private let isQuiet: Bool
  private var style: Style { console.style }

  init(_ suite: TestSuite, _ console: Console, isQuiet: Bool) {
    self.suite = suite
    self.console = console
    self.isQuiet = isQuiet
  }

  func write() {
    for (action, results) in suite.groups {
      let failed = results.filter { !$0.hasPassed }
      if failed.isEmpty {
        if isQuiet { continue }
        console.out("ok    \(action)  \(results.count.counted("test"))\n")
        for result in results where !result.unusedFakes.isEmpty || !result.unusedAnswers.isEmpty {
          console.out("  \(result.test.name)\n")
          writeUnused(result)
        }
        continue
      }
      console.out(
        style.error("FAIL") + "  \(action)  \(failed.count) of \(results.count.counted("test"))\n")
      for result in failed { write(result) }
    }
    if let coverage = suite.coverage { write(coverage) }
    if !isQuiet { console.out(summary + "\n") }
  }

  private func write(_ result: TestResult) {
    console.out("  \(result.test.name)  " + style.dim("\(result.test.span.location)") + "\n")
    for failure in result.failures {
      console.out("    \(failure.message)\n")
      if let expected = failure.expected { line("expected", expected) }
      if let actual = failure.actual { line("actual", actual) }
      if let span = failure.span { line("at", span.location) }
      if let help = failure.help { line("help", help) }
    }
    writeUnused(result)
    guard !result.steps.isEmpty else { return }
    console.out("    steps\n")
    for step in result.steps { write(step) }
  }

  private func writeUnused(_ result: TestResult) {
    for key in result.unusedAnswers { console.out("    nothing asked for “\(key)”\n") }
    for fake in result.unusedFakes { console.out("    nothing used the fake “\(fake)”\n") }
  }

  private func line(_ name: String, _ text: String) {
    console.out("      " + style.dim("\(name.padded(to: 8))") + "  \(text)\n")
  }

  private func write(_ step: TestStep) {
    let end = step.end.rawValue.padded(to: 9)
    let indentation = String(repeating: "  ", count: step.depth)
    var line: TerminalText = "      "
    line += step.end == .failed ? style.error("\(end)") : style.dim("\(end)")
    line += "  \(indentation)\(step.id) (\(step.name))"
    if !step.note.isEmpty { line += "  " + style.dim("\(step.note)") }
    console.out(line + "\n")
  }

  // MARK: Coverage

  private func write(_ coverage: [Coverage]) {
    for covered in coverage {
      let steps = "\(covered.steps.coveredCount) of \(covered.steps.count.counted("step"))"
      let branches = "\(covered.branches.coveredCount) of \(covered.branches.count.counted("way"))"
      console.out("\(covered.action): \(steps), \(branches)\n")
      for part in covered.steps + covered.branches where part.count == 0 {
        console.out("  not reached  \(part.name)  " + style.dim("\(part.span.location)") + "\n")
      }
    }
    let steps = coverage.flatMap(\.steps)
    let branches = coverage.flatMap(\.branches)
    console.out(
      "coverage: \(steps.coveredCount) of \(steps.count.counted("step")), "
        + "\(branches.coveredCount) of \(branches.count.counted("way"))\n")
  }

  private var summary: TerminalText {
    let tests = suite.results.count.counted("test")
    let untested =
      suite.untested.isEmpty ? "" : " Without tests: \(suite.untested.joined(separator: ", "))."
    guard suite.failedCount > 0 else { return "\(tests) passed.\(untested)" }
    return "\(suite.failedCount) of \(tests) failed.\(untested)"
  }
}
