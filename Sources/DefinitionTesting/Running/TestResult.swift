package import Catalog
import Program

/// The result of a test.
package struct TestResult: Sendable {
  package let action: String
  package let test: TestDefinition
  /// The failed expectations; empty for a passed test.
  package internal(set) var failures: [TestFailure] = []
  /// The steps that were run.
  package internal(set) var steps: [TestStep] = []
  /// Execution counts by step.
  package internal(set) var counts = StepCounts()
  /// Preset answers that were not used.
  package internal(set) var unusedAnswers: [String] = []
  /// Fakes that were not used, such as `exec: git`.
  package internal(set) var unusedFakes: [String] = []
  /// The duration.
  package internal(set) var took = Duration.zero

  /// Whether the test passed.
  package var hasPassed: Bool { failures.isEmpty }

  /// The name in reports.
  package var name: String { "\(action) › \(test.name)" }

  /// Masks secrets in failures and notes.
  mutating func mask(_ secrets: KnownSecrets) {
    failures = failures.map { $0.masked(secrets) }
    for index in steps.indices { steps[index].note = secrets.masked(steps[index].note) }
  }

  /// The result of a test that was run elsewhere.
  package init(_ test: TestDefinition, of action: String, failures: [TestFailure]) {
    self.init(test, of: action)
    self.failures = failures
  }

  init(_ test: TestDefinition, of action: String) {
    self.test = test
    self.action = action
  }
}
