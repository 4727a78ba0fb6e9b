import Catalog
import Engine
import Source
import Testing

@testable import DefinitionTesting

/// Simulated crashes in tests, and resuming from the journal.
@Suite struct CrashTests {
  private static let text = """
    shortcut: lasting
    durable: true
    steps:
      - create: {entity: Task, set: {title: One}}
        as: one
      - exec: [send]
        as: sent
        onResume: retry
      - create: {entity: Task, set: {title: '{{ sent }}'}}
      - notify: Over
    output: '{{ sent }}'
    tests:
      - name: behind a write
        fake: {exec: {send: [a, b]}}
        crashAfter: one
        expect: {output: a, store: {Task: [One, a]}, exec: {size: 1}, notifications: Over}
      - name: behind what reaches outside
        fake: {exec: {send: [a, b]}}
        crashAfter: exec
        expect: {output: b, store: {Task: [One, b]}, exec: {size: 2}, notifications: Over}
      - name: behind nothing
        fake: {exec: {send: a}}
        crashAfter: http
        expect: {output: a}
    """

  @Test(arguments: ["behind a write", "behind what reaches outside"])
  func crashedRunResumes(_ name: String) throws {
    #expect(try TestBed(Self.text).result(of: "lasting", name).problems == [])
  }

  @Test func unreachedCrashStepFailsTest() throws {
    let problems = try TestBed(Self.text).result(of: "lasting", "behind nothing").problems
    #expect(problems == ["no completed step matches `crashAfter`"])
  }
}
