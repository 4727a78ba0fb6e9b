import FoundationEssentials
import Testing

@testable import CEL

/// Runs the examples of docs/cel.md: an expression, and after `//` its result.
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

  @Test func pageHasExamples() {
    #expect(Self.examples.count > 50)
  }

  /// Returns the first problem that the parser or the checker reports.
  private static func firstProblem(of text: String, in environment: Environment) -> String? {
    do throws(ExpressionError) {
      return environment.check(try Expression.parse(text)).problems.first?.message
    } catch {
      return error.problems.first?.message
    }
  }

  @Test(arguments: examples)
  func exampleGivesItsResult(_ text: String, _ value: String) throws {
    let environment = Environment()
    if value.hasPrefix("error: ") {
      let message = Self.firstProblem(of: text, in: environment)
      #expect(message?.hasPrefix(value.dropFirst(7)) == true, "\(message ?? "no problem")")
      return
    }
    let expression = try Expression.parse(text)
    let errors = environment.check(expression).problems.filter { $0.severity == .error }
    #expect(errors.map(\.message) == [])
    #expect(try environment.compile(expression).evaluate().description == value)
  }
}
