package import CEL
import Links
package import Source

/// Findings as a log of the Static Analysis Results Interchange Format 2.1.0 (OASIS).
package struct SARIFLog {
  private let findings: [Diagnostic]
  private let version: String

  /// - Parameter version: The version of the program that found them.
  package init(_ findings: [Diagnostic], version: String) {
    self.findings = findings
    self.version = version
  }

  /// The log as JSON.
  package var value: Value {
    let rules = Set(findings.map(\.id)).sorted()
    let driver = Value.record([
      "name": "errand", "version": version, "rules": rules.map { Value.record(["id": $0]) },
    ])
    let run = Value.record([
      "tool": Value.record(["driver": driver]),
      // Columns count Unicode scalars (§3.14.17).
      "columnKind": "unicodeCodePoints", "results": findings.map { result($0, rules) },
    ])
    return .record([
      "$schema": "https://json.schemastore.org/sarif-2.1.0.json", "version": "2.1.0",
      "runs": [run],
    ])
  }

  private func result(_ finding: Diagnostic, _ rules: [String]) -> Value {
    let text = [finding.message, finding.help].compactMap { $0 }.joined(separator: "\n")
    let related = finding.related.enumerated().map { index, related in
      Value.record(
        ["id": index], location(of: related.span),
        ["message": Value.record(["text": related.message])])
    }
    return .record(
      [
        "ruleId": finding.id, "ruleIndex": rules.firstIndex(of: finding.id) ?? 0,
        "level": finding.severity.rawValue, "message": Value.record(["text": text]),
      ],
      finding.span.map { ["locations": [Value.record(location(of: $0))]] } ?? [:],
      related.isEmpty ? [:] : ["relatedLocations": related])
  }

  private func location(of span: Span) -> Record {
    let end = span.file.position(of: span.range.upperBound)
    let region = Value.record([
      "startLine": span.position.line, "startColumn": span.position.column, "endLine": end.line,
      "endColumn": end.column,
    ])
    let artifact = Value.record(["uri": Self.reference(to: span.file.name)])
    return ["physicalLocation": Value.record(["artifactLocation": artifact, "region": region])]
  }

  /// Converts a path to a URI reference (RFC 3986), percent-encoding where required.
  private static func reference(to path: String) -> String {
    (path.hasPrefix("/") ? "file://" : "") + PercentEncoding.encode(path, keeping: "/")
  }
}
