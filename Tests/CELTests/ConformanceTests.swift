import CELConformance
import FoundationEssentials
import Testing

/// Runs the public conformance suite, which is next to the package.
@Suite struct ConformanceTests {
  static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../../shared/data/cel/conformance.json")

  @Test(
    .enabled(
      if: FileManager.default.fileExists(atPath: file.path()),
      "the conformance suite is not here"))
  func everyCasePasses() throws {
    let cases = try ConformanceCase.read([UInt8](Data(contentsOf: Self.file)))
    #expect(cases.count > 1_000)
    for one in cases {
      if let failure = ConformanceRunner.failure(of: one) {
        Issue.record("\(one.name): \(one.expression)\n    \(failure)")
      }
    }
  }
}
