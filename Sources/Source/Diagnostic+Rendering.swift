extension Diagnostic {
  /// Renders the diagnostic with its source line and carets below the token.
  ///
  /// ```
  /// links.yaml:3:5: error: unknown key `titel` [unknown-key]
  ///    3 |     titel: 1
  ///      |     ^~~~~
  ///   help: did you mean `title`?
  /// ```
  package func rendered(style: DiagnosticStyle = .plain) -> TerminalText {
    var lines: [TerminalText] = []
    let place = span.map { style.bold("\($0.location): ") } ?? ""
    let label = style.severity(severity, "\(severity.rawValue): ")
    lines.append(place + label + style.bold("\(message)") + style.dim(" [\(id)]"))
    if let span { lines += excerpt(of: span, style: style) }
    if let help {
      let indented = help.split(separator: "\n", omittingEmptySubsequences: false)
        .map { TerminalText(String($0)) }.joined(separator: "\n        ")
      lines.append("  " + style.help("help: ") + indented)
    }
    for related in related {
      lines.append(style.bold("\(related.span.location): ") + "note: \(related.message)")
      lines += excerpt(of: related.span, style: style)
    }
    return lines.joined(separator: "\n")
  }

  /// Maximum number of columns shown on each side of the mark in a long line.
  private static let excerptColumns = 120
  /// Number of bytes read on each side for the excerpt; enough for its columns.
  private static let excerptBytes = 1024

  private func excerpt(of span: Span, style: DiagnosticStyle) -> [TerminalText] {
    let file = span.file
    let position = span.position
    let line = file.line(position.line)
    let start = min(max(span.range.lowerBound, line.lowerBound), line.upperBound)
    let end = min(max(span.range.upperBound, start), line.upperBound)
    let first = file.characterStart(from: max(line.lowerBound, start - Self.excerptBytes))
    let last = file.characterStart(from: min(line.upperBound, end + Self.excerptBytes))
    let markEnd = file.characterStart(from: min(end, start + Self.excerptBytes))
    var before = printable(file.text(in: min(first, start)..<start))
    var marked = printable(file.text(in: start..<max(start, markEnd)))
    var after = printable(file.text(in: end..<max(end, last)))
    let limit = Self.excerptColumns
    if before.displayWidth > limit || first > line.lowerBound {
      before = "…" + String(before.suffix(limit / 2))
    }
    if after.displayWidth > limit || last < line.upperBound {
      after = String(after.prefix(limit / 2)) + "…"
    }
    if marked.displayWidth > limit || markEnd < end { marked = String(marked.prefix(limit)) + "…" }
    let number = String(position.line)
    let gutter = String(repeating: " ", count: max(0, 5 - number.count)) + number
    let empty = String(repeating: " ", count: gutter.count)
    let carets = "^" + String(repeating: "~", count: max(0, marked.displayWidth - 1))
    let indentation = String(repeating: " ", count: before.displayWidth)
    return [
      style.dim("\(gutter) | ") + "\(before)\(marked)\(after)",
      style.dim("\(empty) | ") + "\(indentation)" + style.severity(severity, "\(carets)"),
    ]
  }

  /// Returns a text with tabs as spaces, so that carets line up.
  private func printable(_ text: String) -> String { text.replacing("\t", with: "    ").harmless() }
}

/// The look of a diagnostic: with or without colours.
package struct DiagnosticStyle: Sendable {
  private let colour: Bool

  /// No escape sequences.
  package static let plain = DiagnosticStyle(colour: false)
  /// ANSI colours.
  package static let coloured = DiagnosticStyle(colour: true)

  func bold(_ text: TerminalText) -> TerminalText { wrap(text, "1") }
  func dim(_ text: TerminalText) -> TerminalText { wrap(text, "38;5;243") }
  /// Styles the label before advice or a cause.
  package func help(_ text: TerminalText) -> TerminalText { wrap(text, "38;5;31") }

  func severity(_ severity: Diagnostic.Severity, _ text: TerminalText) -> TerminalText {
    switch severity {
    case .error: wrap(text, "1;31")
    case .warning: wrap(text, "1;38;5;130")
    case .note: wrap(text, "1;34")
    }
  }

  private func wrap(_ text: TerminalText, _ code: StaticString) -> TerminalText {
    colour && !text.isEmpty ? TerminalText(text, rendition: code) : text
  }
}
