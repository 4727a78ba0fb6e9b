import FoundationEssentials
import Testing

@testable import CEL

/// Runs the public conformance suite, which stands beside the package.
@Suite struct ConformanceTests {
  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/cel/conformance.json")
  static let cases: [ConformanceCase] =
    (try? JSONDecoder().decode([ConformanceCase].self, from: Data(contentsOf: file))) ?? []

  @Test(.enabled(if: !cases.isEmpty, "the conformance suite is not here"))
  func everyCasePasses() {
    var failures: [String] = []
    for one in Self.cases {
      if let failure = ConformanceRunner.failure(of: one) {
        failures.append("\(one.testDescription)\n    \(failure)")
      }
    }
    for failure in failures { Issue.record("\(failure)") }
    #expect(failures.isEmpty)
  }
}
