package import CEL
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
    return map([
      ("$schema", .string("https://json.schemastore.org/sarif-2.1.0.json")),
      ("version", .string("2.1.0")),
      (
        "runs",
        .list([
          map([
            ("tool", map([("driver", driver(rules))])),
            // Columns count Unicode scalars (§3.14.17).
            ("columnKind", .string("unicodeCodePoints")),
            ("results", .list(findings.map { result($0, rules) })),
          ])
        ])
      ),
    ])
  }

  private func driver(_ rules: [String]) -> Value {
    map([
      ("name", .string("errand")), ("version", .string(version)),
      ("rules", .list(rules.map { map([("id", .string($0))]) })),
    ])
  }

  private func result(_ finding: Diagnostic, _ rules: [String]) -> Value {
    let text = [finding.message, finding.help].compactMap { $0 }.joined(separator: "\n")
    var members: [(String, Value)] = [
      ("ruleId", .string(finding.id)),
      ("ruleIndex", .int(Int64(rules.firstIndex(of: finding.id) ?? 0))),
      ("level", .string(finding.severity.rawValue)),
      ("message", map([("text", .string(text))])),
    ]
    if let span = finding.span { members.append(("locations", .list([location(of: span)]))) }
    if !finding.related.isEmpty {
      let related = finding.related.enumerated().map { index, related in
        location(of: related.span, id: index, message: related.message)
      }
      members.append(("relatedLocations", .list(related)))
    }
    return map(members)
  }

  private func location(of span: Span, id: Int? = nil, message: String? = nil) -> Value {
    let end = span.file.position(of: span.range.upperBound)
    let region = map([
      ("startLine", .int(Int64(span.position.line))),
      ("startColumn", .int(Int64(span.position.column))), ("endLine", .int(Int64(end.line))),
      ("endColumn", .int(Int64(end.column))),
    ])
    let artifact = map([("uri", .string(Self.reference(to: span.file.name)))])
    var members: [(String, Value)] = []
    if let id { members.append(("id", .int(Int64(id)))) }
    members.append(
      ("physicalLocation", map([("artifactLocation", artifact), ("region", region)])))
    if let message { members.append(("message", map([("text", .string(message))]))) }
    return map(members)
  }

  /// A path as a URI reference (RFC 3986): what may not stand in one is percent-encoded.
  private static func reference(to path: String) -> String {
    var result = path.hasPrefix("/") ? "file://" : ""
    for byte in path.utf8 {
      let isPlain =
        Unicode.Scalar(byte).properties.isAlphabetic && byte < 0x80
        || (0x30...0x39).contains(byte) || "-._~/".utf8.contains(byte)
      if isPlain {
        result.unicodeScalars.append(Unicode.Scalar(byte))
      } else {
        result += "%" + (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true)
      }
    }
    return result
  }

  private func map(_ members: [(String, Value)]) -> Value { .map(MapValue(members)) }
}
