package import Catalog
package import DefinitionTesting
package import Engine
import POSIX

/// The tests of intents and shortcuts, and their results.
package struct TestSuite {
  /// The intents and shortcuts, in the given order.
  private let actions: [String]
  /// The results of those whose tests were run.
  package private(set) var groups: [(action: String, results: [TestResult])] = []
  /// The intents and shortcuts without any tests.
  package private(set) var untested: [String] = []
  /// The coverage; nil if it was not requested.
  package private(set) var coverage: [Coverage]?

  package init(actions: [String]) {
    var seen: Set<String> = []
    self.actions = actions.filter { seen.insert($0).inserted }
  }

  /// All results.
  package var results: [TestResult] { groups.flatMap(\.results) }

  /// The number of failed tests.
  package var failedCount: Int { results.filter { !$0.hasPassed }.count }

  /// Runs the tests whose name contains `filter`, ignoring case.
  package mutating func run(in catalog: DefinitionCatalog, filter: String?) throws {
    let runner = TestRunner(catalog) { MonotonicClock.nanoseconds }
    let filter = filter?.lowercased()
    for name in actions {
      guard let definition = try catalog.action(name) else { continue }
      if definition.tests.isEmpty { untested.append(name) }
      var results: [TestResult] = []
      for test in definition.tests {
        let isWanted = filter.map { "\(name) › \(test.name)".lowercased().contains($0) } ?? true
        if isWanted { results.append(runner.run(test, of: name)) }
      }
      if !results.isEmpty { groups.append((name, results)) }
    }
  }

  /// Computes the coverage of all given intents and shortcuts.
  package mutating func cover(in workspace: Workspace) throws {
    var counts = StepCounts()
    for result in results { counts.add(result.counts) }
    coverage = try actions.map { try Coverage(of: $0, counts, in: workspace) }
  }
}

extension [Coverage.Part] {
  /// The number of covered parts.
  package var coveredCount: Int { filter { $0.count > 0 }.count }
}
