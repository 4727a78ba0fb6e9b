package import CEL
import Catalog
import DefinitionTesting
import Source

/// How tests went, for other programs.
extension TestSuite {
  /// One object.
  package var value: Value {
    let failed = failedCount
    var members: [(String, Value)] = [
      ("ok", .bool(failed == 0)), ("passed", .int(Int64(results.count - failed))),
      ("failed", .int(Int64(failed))), ("tests", .list(results.map(value))),
      ("untested", .list(untested.map(Value.string))),
    ]
    if let coverage = coverage { members.append(("coverage", .list(coverage.map(value)))) }
    return .map(MapValue(members))
  }

  private func value(of result: TestResult) -> Value {
    .map(
      MapValue(
        [
          ("definition", .string(result.action)), ("name", .string(result.test.name)),
          ("ok", .bool(result.hasPassed)),
          ("seconds", .double(Double(result.nanoseconds) / 1e9)),
        ] + place(result.test.span) + [
          ("failures", .list(result.failures.map(value))),
          ("steps", .list(result.hasPassed ? [] : result.steps.map(value))),
        ]))
  }

  private func value(of failure: TestFailure) -> Value {
    func text(_ text: String?) -> Value { text.map(Value.string) ?? .null }
    return .map(
      MapValue(
        [
          ("message", .string(failure.message)), ("expected", text(failure.expected)),
          ("actual", text(failure.actual)), ("help", text(failure.help)),
        ] + (failure.span.map(place) ?? [])))
  }

  private func value(of step: TestStep) -> Value {
    .map(
      MapValue([
        ("definition", .string(step.action)), ("step", .string(step.id)),
        ("name", .string(step.name)), ("depth", .int(Int64(step.depth))),
        ("end", .string(step.end.rawValue)), ("note", .string(step.note)),
      ]))
  }

  private func value(of coverage: Coverage) -> Value {
    func parts(_ parts: [Coverage.Part]) -> Value {
      .list(
        parts.map { part in
          .map(
            MapValue(
              [("name", .string(part.name)), ("count", .int(Int64(part.count)))]
                + place(part.span)))
        })
    }
    return .map(
      MapValue([
        ("definition", .string(coverage.action)), ("steps", parts(coverage.steps)),
        ("ways", parts(coverage.branches)),
      ]))
  }

  private func place(_ span: Span) -> [(String, Value)] {
    [
      ("file", .string(span.file.name)), ("line", .int(Int64(span.position.line))),
      ("column", .int(Int64(span.position.column))),
    ]
  }
}
