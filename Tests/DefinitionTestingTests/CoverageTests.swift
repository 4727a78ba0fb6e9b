import Catalog
import Engine
import Program
import Store
import Testing

@testable import DefinitionTesting

/// Coverage of steps and branches.
@Suite struct CoverageTests {
  private static let text = """
    shortcut: ways
    input: {type: int, default: 0}
    steps:
      - say: always
      - if: input > 0
        then: [{say: above}]
        elif:
          - if: input < 0
            then: [{say: below}]
      - say: guarded
        when: input > 1
      - for: n
        in: '{{ lists.range(input > 0 ? input : 0) }}'
        do: [{say: '{{ n }}'}]
      - try: [{fail: {message: x, code: odd}, when: input == 3}]
        catch: [{on: odd, do: [{say: caught}]}]
    tests:
      - {name: zero, expect: {error: null}}
      - {name: two, input: 2, expect: {error: null}}
    """

  private func coverage(_ names: [String]) throws -> Coverage {
    let bed = TestBed(Self.text)
    var counts = StepCounts()
    for name in names {
      let result = try bed.result(of: "ways", name)
      #expect(result.problems == [])
      counts.add(result.counts)
    }
    let workspace = Workspace(catalog: bed.catalog, host: try TestWorld(TestFakes()).host) {
      try Database(at: StoreLocation(path: ":memory:"), context: $0)
    }
    return try Coverage(of: "ways", counts, in: workspace)
  }

  @Test func coverageCountsEachBranch() throws {
    let covered = try coverage(["zero"])
    #expect(covered.steps.count == 10)
    #expect(
      covered.branches.map { "\($0.name): \($0.count)" } == [
        "steps.1, then: 0", "steps.1, elif 1: 0", "steps.1, no branch taken: 1",
        "steps.2, when it holds: 0", "steps.2, when it does not: 1", "steps.3, a pass: 0",
        "steps.4, catch 1: 0", "steps.4.try.0, when it holds: 0",
        "steps.4.try.0, when it does not: 1",
      ])
  }

  @Test func coverageOfTestsAddsUp() throws {
    let covered = try coverage(["zero", "two"])
    let missed = covered.branches.filter { $0.count == 0 }.map(\.name)
    #expect(missed == ["steps.1, elif 1", "steps.4, catch 1", "steps.4.try.0, when it holds"])
  }
}
