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
    let sentences = SentenceTest(catalog, runner)
    for name in actions {
      guard let definition = try catalog.action(name) else { continue }
      if definition.tests.isEmpty { untested.append(name) }
      var results: [TestResult] = []
      func isWanted(_ test: TestDefinition) -> Bool {
        filter.map { "\(name) › \(test.name)".lowercased().contains($0) } ?? true
      }
      for test in definition.tests where isWanted(test) {
        results.append(
          test.say == nil
            ? runner.run(test, of: name)
            : sentences.run(test, of: name, in: definition.language ?? "en"))
      }
      for (language, tests) in try catalog.translatedTests(of: name) {
        for test in tests where test.say != nil && isWanted(test) {
          results.append(sentences.run(test, of: name, in: language))
        }
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
