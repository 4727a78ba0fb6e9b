package import CEL
import Catalog
import DefinitionTesting
import POSIX
import Source

extension TestSuite {
  /// The results for machine-readable output.
  package var value: Value {
    let failed = failedCount
    return .record(
      [
        "ok": failed == 0, "passed": results.count - failed, "failed": failed,
        "tests": results.map(value), "untested": untested,
      ], coverage.map { ["coverage": $0.map(value)] } ?? [:])
  }

  private func value(of result: TestResult) -> Value {
    .record(
      [
        "definition": result.action, "name": result.test.name, "ok": result.hasPassed,
        "seconds": Double(result.took.nanoseconds) / 1e9,
      ], place(result.test.span),
      [
        "failures": result.failures.map(value),
        "steps": result.hasPassed ? [] : result.steps.map(value),
      ])
  }

  private func value(of failure: TestFailure) -> Value {
    .record(
      [
        "message": failure.message, "expected": failure.whole?.expected ?? failure.expected,
        "actual": failure.whole?.actual ?? failure.actual,
        "help": failure.help,
      ], failure.span.map(place) ?? [:])
  }

  private func value(of step: TestStep) -> Value {
    .record([
      "definition": step.action, "step": step.id, "name": step.name, "depth": step.depth,
      "end": step.end.rawValue, "note": step.note,
    ])
  }

  private func value(of coverage: Coverage) -> Value {
    func parts(_ parts: [Coverage.Part]) -> [Value] {
      parts.map { .record(["name": $0.name, "count": $0.count], place($0.span)) }
    }
    return .record([
      "definition": coverage.action, "steps": parts(coverage.steps),
      "ways": parts(coverage.branches),
    ])
  }

  private func place(_ span: Span) -> Record {
    ["file": span.file.name, "line": span.position.line, "column": span.position.column]
  }
}
