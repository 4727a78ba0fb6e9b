import FoundationEssentials
import Testing

@testable import CEL

/// Runs the examples of docs/cel.md: an expression, and after `//` what it comes to.
@Suite struct DocumentationTests {
  static let examples: [(expression: String, value: String)] = {
    let file = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../docs/cel.md")
    guard let text = try? String(contentsOf: file, encoding: .utf8) else { return [] }
    var isExample = false
    return text.split(separator: "\n").compactMap { line in
      if line.hasPrefix("```") {
        isExample = line == "```cel"
        return nil
      }
      guard isExample, let mark = line.ranges(of: "// ").last else { return nil }
      return (String(line[..<mark.lowerBound]), String(line[mark.upperBound...]))
    }
  }()

  @Test func thereAreExamples() {
    #expect(Self.examples.count > 50)
  }

  @Test(arguments: examples)
  func theExampleHolds(_ text: String, _ value: String) throws {
    let environment = Environment()
    let expression = try Expression.parse(text)
    let errors = environment.check(expression).problems.filter { $0.severity == .error }
    #expect(errors.map(\.message) == [])
    #expect(try environment.compile(expression).evaluate().description == value)
  }
}
