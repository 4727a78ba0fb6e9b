import Catalog
import Engine
import Source

@testable import DefinitionTesting

/// In-memory definitions with tests to run.
struct TestBed {
  let catalog = DefinitionCatalog()

  /// Definitions as in a file of the user.
  init(_ text: String) {
    catalog.readsBuiltInTests = true
    catalog.add(SourceFile(name: "t.yaml", text: text), to: .file)
  }

  /// The result of a named test of an action, or of its only one.
  func result(of action: String, _ name: String? = nil) throws -> TestResult {
    let tests = try catalog.action(action)?.tests ?? []
    guard let test = tests.first(where: { name == nil || $0.name == name }) else {
      throw Missing(tests: tests.map(\.name))
    }
    return TestRunner(catalog, clock: { 0 }).run(test, of: action)
  }

  /// The test does not exist.
  struct Missing: Error {
    let tests: [String]
  }

  /// The result of a test of a shortcut `t`.
  static func run(_ steps: String, _ test: String, more: String = "") throws -> TestResult {
    let bed = TestBed("shortcut: t\n\(more)steps: \(steps)\ntests:\n  - \(test)\n")
    if let problem = bed.catalog.problems.first { throw Diagnostics([problem]) }
    return try bed.result(of: "t")
  }
}

extension TestResult {
  /// The failures, with expected and actual values.
  var problems: [String] {
    failures.map { failure in
      [failure.message, failure.expected, failure.actual].compactMap { $0 }
        .joined(separator: " | ")
    }
  }
}
