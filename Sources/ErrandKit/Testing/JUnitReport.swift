import Catalog
import DefinitionTesting
import POSIX
import Source

/// A JUnit XML report for Jenkins, GitLab and others, with a suite for each definition.
package struct JUnitReport {
  private let suite: TestSuite

  package init(_ suite: TestSuite) { self.suite = suite }

  /// The XML document.
  package var text: String {
    let results = suite.results
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites\(counts(of: results))>\n"
    for (action, results) in suite.groups {
      text += "  <testsuite name=\(Self.quoted(action))\(counts(of: results))>\n"
      for result in results { text += element(of: result) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private func counts(of results: [TestResult]) -> String {
    let failed = results.filter { !$0.hasPassed }.count
    let time = results.reduce(0) { $0 + $1.took.nanoseconds }
    return " tests=\"\(results.count)\" failures=\"\(failed)\" time=\"\(Self.seconds(time))\""
  }

  private func element(of result: TestResult) -> String {
    let span = result.test.span
    var text =
      "    <testcase classname=\(Self.quoted(result.action)) name=\(Self.quoted(result.test.name))"
      + " file=\(Self.quoted(span.file.name)) line=\"\(span.position.line)\""
      + " time=\"\(Self.seconds(result.took.nanoseconds))\""
    if result.hasPassed { return text + "/>\n" }
    text += ">\n"
    for failure in result.failures {
      let details = [
        failure.expected.map { "expected \($0)" }, failure.actual.map { "actual \($0)" },
        failure.span.map { "at \($0.location)" }, failure.help,
      ].compactMap { $0 }
      text += "      <failure message=\(Self.quoted(failure.message))>"
      text += Self.escaped(details.joined(separator: "\n")) + "</failure>\n"
    }
    let steps = result.steps.map { step in
      String(repeating: "  ", count: step.depth)
        + "\(step.id) (\(step.name)): \(step.end.rawValue)"
        + (step.note.isEmpty ? "" : " \(step.note)")
    }
    if !steps.isEmpty {
      text += "      <system-out>\(Self.escaped(steps.joined(separator: "\n")))</system-out>\n"
    }
    return text + "    </testcase>\n"
  }

  private static func seconds(_ nanoseconds: Int64) -> String {
    let thousandths = (nanoseconds + 500_000) / 1_000_000
    let fraction = String(thousandths % 1000)
    return "\(thousandths / 1000)." + String(repeating: "0", count: 3 - fraction.count) + fraction
  }

  private static func quoted(_ text: String) -> String { "\"" + escaped(text) + "\"" }

  /// Escapes XML syntax, and replaces characters that XML does not allow (§2.2).
  private static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n": result += "&#10;"
      case "\t": result += "&#9;"
      case "\u{0}"..."\u{1F}", "\u{FFFE}", "\u{FFFF}": result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
