import Catalog
import Source

@testable import DefinitionTesting

/// Definitions in memory, whose tests are run.
struct TestBed {
  let library = Library()

  /// Definitions as a file of a person's would hold them.
  init(_ text: String) {
    library.readsBuiltInTests = true
    library.add(SourceFile(name: "t.yaml", text: text), to: .file)
  }

  /// How the only test of an action went, or the one of a name.
  func result(of action: String, _ name: String? = nil) throws -> TestResult {
    let tests = try library.action(action)?.tests ?? []
    guard let test = tests.first(where: { name == nil || $0.name == name }) else {
      throw Missing(tests: tests.map(\.name))
    }
    return TestRunner(library, clock: { 0 }).run(test, of: action)
  }

  /// There is no such test.
  struct Missing: Error {
    let tests: [String]
  }

  /// The result of the test of a shortcut `t`, given its steps and its test.
  static func run(_ steps: String, _ test: String, more: String = "") throws -> TestResult {
    let bed = TestBed("shortcut: t\n\(more)steps: \(steps)\ntests:\n  - \(test)\n")
    if let problem = bed.library.problems.first { throw Diagnostics([problem]) }
    return try bed.result(of: "t")
  }
}

extension TestResult {
  /// What went wrong, each with what was expected and what was there.
  var problems: [String] {
    failures.map { failure in
      [failure.message, failure.expected, failure.actual].compactMap { $0 }
        .joined(separator: " | ")
    }
  }
}
