package import Catalog
package import DefinitionTesting
package import Engine
import POSIX

/// The tests of some intents and shortcuts, and how they went.
package struct TestSuite {
  /// The intents and shortcuts, in the order in which they were named.
  private let actions: [String]
  /// The results of each that has tests which were run.
  package private(set) var groups: [(action: String, results: [TestResult])] = []
  /// Those that have no tests at all.
  package private(set) var untested: [String] = []
  /// What the tests came by; nil where that was not asked.
  package private(set) var coverage: [Coverage]?

  package init(actions: [String]) {
    var seen: Set<String> = []
    self.actions = actions.filter { seen.insert($0).inserted }
  }

  /// All results.
  package var results: [TestResult] { groups.flatMap(\.results) }

  /// How many tests failed.
  package var failedCount: Int { results.filter { !$0.hasPassed }.count }

  /// Runs the tests whose name has the filter in it, in capitals or not; there may be none.
  package mutating func run(in library: Library, filter: String?) throws {
    let runner = TestRunner(library) { MonotonicClock.nanoseconds }
    let filter = filter?.lowercased()
    for name in actions {
      guard let definition = try library.action(name) else { continue }
      if definition.tests.isEmpty { untested.append(name) }
      var results: [TestResult] = []
      for test in definition.tests {
        let isWanted = filter.map { "\(name) › \(test.name)".lowercased().contains($0) } ?? true
        if isWanted { results.append(runner.run(test, of: name)) }
      }
      if !results.isEmpty { groups.append((name, results)) }
    }
  }

  /// Finds what the tests came by of everything that was named.
  package mutating func cover(in workspace: Workspace) throws {
    var counts = StepCounts()
    for result in results { counts.add(result.counts) }
    coverage = try actions.map { try Coverage(of: $0, counts, in: workspace) }
  }
}

extension [Coverage.Part] {
  /// How many of them a test came by.
  package var coveredCount: Int { filter { $0.count > 0 }.count }
}
