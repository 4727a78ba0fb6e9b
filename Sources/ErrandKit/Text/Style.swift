package import Source

/// Styles of terminal text: with or without colour.
package struct Style: Sendable {
  /// The choice of `--color`.
  package enum Mode: String, Sendable {
    case auto, always, never
  }

  /// Whether escape sequences are written.
  package let isColoured: Bool

  /// A style without escape sequences.
  package static let plain = Style(isColoured: false)
  /// A style with ANSI colours.
  package static let coloured = Style(isColoured: true)

  private init(isColoured: Bool) { self.isColoured = isColoured }

  /// Determines the style of a stream: `--color` takes precedence, then `NO_COLOR` (no-color.org),
  /// `CLICOLOR_FORCE` and `TERM`.
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
  // The colours have a contrast of at least 4 on black and on white (WCAG 2.2, 1.4.11 requires 3).

  /// Secondary text, in #767676.
  package func dim(_ text: TerminalText) -> TerminalText { wrap(text, "38;5;243") }
  /// Text that can be typed, such as a number or a reference; in #0087af.
  package func accent(_ text: TerminalText) -> TerminalText { wrap(text, "38;5;31") }
  /// An error.
  package func error(_ text: TerminalText) -> TerminalText { wrap(text, "31") }
  /// A warning, in #af5f00.
  package func warning(_ text: TerminalText) -> TerminalText { wrap(text, "38;5;130") }

  private func wrap(_ text: TerminalText, _ code: StaticString) -> TerminalText {
    isColoured && !text.isEmpty ? TerminalText(text, rendition: code) : text
  }
}
