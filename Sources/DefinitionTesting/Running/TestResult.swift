package import Catalog
import Program

/// How a test went.
package struct TestResult: Sendable {
  package let action: String
  package let test: TestDefinition
  /// What was not as expected; nothing when it passed.
  package internal(set) var failures: [TestFailure] = []
  /// The steps that it came by.
  package internal(set) var steps: [TestStep] = []
  /// How often each step was reached.
  package internal(set) var counts = StepCounts()
  /// Answers that nothing asked for.
  package internal(set) var unusedAnswers: [String] = []
  /// How long it took, in nanoseconds.
  package internal(set) var nanoseconds: Int64 = 0

  /// Whether everything was as expected.
  package var hasPassed: Bool { failures.isEmpty }

  /// What it is called in reports.
  package var name: String { "\(action) › \(test.name)" }

  /// Takes the texts of secrets out of what is shown of it.
  mutating func mask(_ secrets: KnownSecrets) {
    failures = failures.map { $0.masked(secrets) }
    for index in steps.indices { steps[index].note = secrets.masked(steps[index].note) }
  }

  init(_ test: TestDefinition, of action: String) {
    self.test = test
    self.action = action
  }
}
