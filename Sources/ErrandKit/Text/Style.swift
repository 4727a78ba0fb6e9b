package import Source

/// How text is set off on a stream: with colour or without.
package struct Style: Sendable {
  /// When text is coloured.
  package enum Mode: String, Sendable {
    case auto, always, never
  }

  /// Whether escape sequences are written at all.
  package let isColoured: Bool

  /// No escape sequences at all.
  package static let plain = Style(isColoured: false)
  /// ANSI colours, for a terminal that has them.
  package static let coloured = Style(isColoured: true)

  private init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// The style of a stream.
  ///
  /// `--color` has the last word, then `NO_COLOR` (no-color.org), `CLICOLOR_FORCE` and `TERM`.
  package init(mode: Mode, isTerminal: Bool, environment: (String) -> String?) {
    func isSet(_ name: String) -> Bool { environment(name) != nil }
    isColoured =
      switch mode {
      case .always: true
      case .never: false
      case .auto where isSet("NO_COLOR"): false
      case .auto where isSet("CLICOLOR_FORCE") && environment("CLICOLOR_FORCE") != "0": true
      case .auto: isTerminal && environment("TERM") != "dumb" && isSet("TERM")
      }
  }

  /// A title.
  package func bold(_ text: TerminalText) -> TerminalText { wrap(text, "1") }
  // The colours have a contrast of 4 and more on black and on white (WCAG 2.2, 1.4.11 wants 3).

  /// What matters less, in #767676.
  package func dim(_ text: TerminalText) -> TerminalText { wrap(text, "38;5;243") }
  /// What can be typed: a number, a reference; in #0087af.
  package func accent(_ text: TerminalText) -> TerminalText { wrap(text, "38;5;31") }
  /// What went wrong.
  package func error(_ text: TerminalText) -> TerminalText { wrap(text, "31") }
  /// What needs care, in #af5f00.
  package func warning(_ text: TerminalText) -> TerminalText { wrap(text, "38;5;130") }

  private func wrap(_ text: TerminalText, _ code: StaticString) -> TerminalText {
    isColoured && !text.isEmpty ? TerminalText(text, rendition: code) : text
  }
}
