import Catalog
import DefinitionTesting
import Engine
import POSIX

/// The tests of some intents and shortcuts, and how they went.
struct TestSuite {
  /// The intents and shortcuts, in the order in which they were named.
  private let actions: [String]
  /// The results of each that has tests which were run.
  private(set) var groups: [(action: String, results: [TestResult])] = []
  /// Those that have no tests at all.
  private(set) var untested: [String] = []
  /// What the tests came by; nil where that was not asked.
  private(set) var coverage: [Coverage]?

  init(actions: [String]) {
    var seen: Set<String> = []
    self.actions = actions.filter { seen.insert($0).inserted }
  }

  /// All results.
  var results: [TestResult] { groups.flatMap(\.results) }

  /// How many tests failed.
  var failedCount: Int { results.filter { !$0.hasPassed }.count }

  /// Runs the tests whose name has the filter in it, in capitals or not.
  ///
  /// - Throws: `UsageError` when there is nothing to run.
  mutating func run(in library: Library, filter: String?) throws {
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
    guard groups.isEmpty else { return }
    throw UsageError(
      filter.map { "no test has “\($0)” in its name" }
        ?? (untested.count == 1 ? "`\(untested[0])` has no tests" : "there are no tests"),
      help: filter == nil
        ? "write them below `tests:` in \(untested.count == 1 ? "it" : "an intent or a shortcut")"
        : nil)
  }

  /// Finds what the tests came by of everything that was named.
  mutating func cover(in workspace: Workspace) throws {
    var counts = StepCounts()
    for result in results { counts.add(result.counts) }
    coverage = try actions.map { try Coverage(of: $0, counts, in: workspace) }
  }
}

extension [Coverage.Part] {
  /// How many of them a test came by.
  var coveredCount: Int { filter { $0.count > 0 }.count }
}
