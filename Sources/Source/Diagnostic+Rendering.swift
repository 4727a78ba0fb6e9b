extension Diagnostic {
  /// Renders the problem with its source line and carets under the very token.
  ///
  /// ```
  /// links.yaml:3:5: error: unknown key `titel` [unknown-key]
  ///    3 |     titel: 1
  ///      |     ^~~~~
  ///   help: did you mean `title`?
  /// ```
  package func rendered(style: DiagnosticStyle = .plain) -> String {
    var lines: [String] = []
    let place = span.map { style.bold(printable($0.location) + ": ") } ?? ""
    let label = style.severity(severity)(severity.rawValue + ": ")
    lines.append(place + label + style.bold(printable(message)) + style.dim(" [\(id)]"))
    if let span { lines += excerpt(of: span, style: style) }
    if let help {
      let indented = help.split(separator: "\n", omittingEmptySubsequences: false)
        .map { printable(String($0)) }.joined(separator: "\n        ")
      lines.append("  " + style.help("help: ") + indented)
    }
    for related in related {
      lines.append(style.bold(related.span.location + ": ") + "note: " + related.message)
      lines += excerpt(of: related.span, style: style)
    }
    return lines.joined(separator: "\n")
  }

  private func excerpt(of span: Span, style: DiagnosticStyle) -> [String] {
    let file = span.file
    let position = span.position
    let line = file.line(position.line)
    let start = min(max(span.range.lowerBound, line.lowerBound), line.upperBound)
    let end = min(max(span.range.upperBound, start), line.upperBound)
    var before = printable(file.text(in: line.lowerBound..<start))
    let marked = printable(file.text(in: start..<end))
    var after = printable(file.text(in: end..<line.upperBound))
    // A very long line is shown around the mark only.
    let limit = 120
    if before.displayWidth > limit { before = "…" + String(before.suffix(limit / 2)) }
    if after.displayWidth > limit { after = String(after.prefix(limit / 2)) + "…" }
    let shown = marked.displayWidth > limit ? String(marked.prefix(limit)) + "…" : marked
    let number = String(position.line)
    let gutter = String(repeating: " ", count: max(0, 5 - number.count)) + number
    let empty = String(repeating: " ", count: gutter.count)
    let carets = "^" + String(repeating: "~", count: max(0, shown.displayWidth - 1))
    return [
      style.dim(gutter + " | ") + before + shown + after,
      style.dim(empty + " | ") + String(repeating: " ", count: before.displayWidth)
        + style.severity(severity)(carets),
    ]
  }

  /// Tabs become spaces and control characters their pictures, so that a caret stands right.
  private func printable(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      case 0x09: result.append(contentsOf: "    ".unicodeScalars)
      case 0x00..<0x20: result.append(Unicode.Scalar(0x2400 + scalar.value) ?? "?")
      case 0x7F..<0xA0, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: result.append("\u{FFFD}")
      default: result.append(scalar)
      }
    }
    return String(result)
  }
}

/// How a diagnostic looks: with colour or without.
package struct DiagnosticStyle: Sendable {
  private let colour: Bool

  /// No escape sequences at all.
  package static let plain = DiagnosticStyle(colour: false)
  /// ANSI colours, for a terminal that has them.
  package static let coloured = DiagnosticStyle(colour: true)

  func bold(_ text: String) -> String { wrap(text, "1") }
  func dim(_ text: String) -> String { wrap(text, "2") }
  func help(_ text: String) -> String { wrap(text, "36") }

  func severity(_ severity: Diagnostic.Severity) -> (String) -> String {
    let code =
      switch severity {
      case .error: "1;31"
      case .warning: "1;33"
      case .note: "1;34"
      }
    return { wrap($0, code) }
  }

  private func wrap(_ text: String, _ code: String) -> String {
    colour && !text.isEmpty ? "\u{1B}[\(code)m\(text)\u{1B}[0m" : text
  }
}
