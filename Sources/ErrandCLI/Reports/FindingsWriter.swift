import CEL
import ErrandKit
import JSON
import Source

/// Writes the findings of `errand check`.
struct FindingsWriter {
  private let console: Console

  init(_ console: Console) { self.console = console }

  /// Writes findings to standard output.
  func write(_ findings: [Diagnostic], as format: FindingsFormat) throws {
    switch format {
    case .text: text(findings)
    case .json:
      let list = Value.list(findings.map(\.value))
      console.result(try JSONWriter(layout: .pretty).text(of: list) + "\n")
    case .github:
      for finding in findings { console.result(Self.command(for: finding) + "\n") }
    case .sarif:
      console.result(
        try JSONWriter(layout: .pretty).text(of: SARIFLog(findings, version: Release.version).value)
          + "\n")
    }
  }

  private func text(_ findings: [Diagnostic]) {
    let style: DiagnosticStyle = console.style.isColoured ? .coloured : .plain
    let summary = DiagnosticSummary(findings)
    for finding in summary.shown { console.out(finding.rendered(style: style) + "\n") }
    for note in summary.notes { console.out(note + "\n") }
  }

  /// Formats a finding as a workflow command, such as `::error file=a.yaml,line=3::…`.
  private static func command(for finding: Diagnostic) -> String {
    var properties: [(String, String)] = []
    if let span = finding.span {
      let end = span.file.position(of: span.range.upperBound)
      properties = [
        ("file", span.file.name), ("line", "\(span.position.line)"),
        ("col", "\(span.position.column)"), ("endLine", "\(end.line)"),
        ("endColumn", "\(end.column)"),
      ]
    }
    properties.append(("title", finding.id))
    let list = properties.map { "\($0)=\(escaped($1, alsoIn: ",:"))" }.joined(separator: ",")
    let message = [finding.message, finding.help].compactMap { $0 }.joined(separator: "\n")
    return "::\(finding.severity.rawValue) \(list)::\(escaped(message, alsoIn: ""))"
  }

  /// Percent-encodes the characters that end part of a workflow command.
  private static func escaped(_ text: String, alsoIn others: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "%": result += "%25"
      case "\r": result += "%0D"
      case "\n": result += "%0A"
      case ",", ":":
        let isSpecial = others.unicodeScalars.contains(scalar)
        result += isSpecial ? (scalar == "," ? "%2C" : "%3A") : String(scalar)
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
