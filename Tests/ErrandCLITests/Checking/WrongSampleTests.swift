import FoundationEssentials
import TestSupport
import Testing

/// Files with one error each, and the complete output of `errand check`.
@Suite struct WrongSampleTests {
  /// Folder of the samples, beside the test targets.
  private static let folder: String = {
    let file = #filePath
    let end = file.firstRange(of: "/Tests/ErrandCLITests/")?.lowerBound ?? file.startIndex
    return String(file[..<end]) + "/Tests/Samples/wrong"
  }()

  private static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [])
    .filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()

  private static func read(_ name: String) throws -> String {
    String(decoding: try Data(contentsOf: URL(filePath: folder + "/" + name)), as: UTF8.self)
  }

  @Test func thereAreSamples() {
    #expect(Self.names.count >= 390)
  }

  @Test(arguments: names)
  func itSaysWhatItSaid(_ name: String) throws {
    let sandbox = try Sandbox(["\(name).yaml": try Self.read(name + ".yaml")])
    let run = try sandbox.run("check", "\(name).yaml", "--quiet")
    #expect(run.err == "")
    let warnings = run.out.ranges(of: ": warning: ").count
    let errors = run.out.ranges(of: ": error: ").count
    #expect(run.status == (errors > 0 ? 2 : 0))
    // Each error is reported once.
    let isOne = name != "ignored-without-reason"
    #expect(errors + warnings == (isOne ? 1 : 2))
    // Each finding has a line and a column in the file.
    #expect(run.out.ranges(of: "\(name).yaml:").count >= errors + warnings)
    let golden = Self.folder + "/" + name + ".txt"
    guard ProcessInfo.processInfo.environment["RECORD"] == nil else {
      try Data(run.out.utf8).write(to: URL(filePath: golden))
      Issue.record("recorded anew")
      return
    }
    #expect(run.out == (try Self.read(name + ".txt")))
  }
}
