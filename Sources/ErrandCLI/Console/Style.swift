import Source

/// How text is set off on a stream: with colour or without.
struct Style: Sendable {
  /// Whether escape sequences are written at all.
  let isColoured: Bool

  /// No escape sequences at all.
  static let plain = Style(isColoured: false)
  /// ANSI colours, for a terminal that has them.
  static let coloured = Style(isColoured: true)

  private init(isColoured: Bool) {
    self.isColoured = isColoured
  }

  /// The style of a stream.
  ///
  /// `--color` has the last word, then `NO_COLOR` (no-color.org), `CLICOLOR_FORCE` and `TERM`.
  init(mode: Console.ColorMode, isTerminal: Bool, environment: (String) -> String?) {
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
  func bold(_ text: TerminalText) -> TerminalText { wrap(text, "1") }
  /// What matters less.
  func dim(_ text: TerminalText) -> TerminalText { wrap(text, "2") }
  /// What can be typed: a number, a reference.
  func accent(_ text: TerminalText) -> TerminalText { wrap(text, "36") }
  /// What went wrong.
  func error(_ text: TerminalText) -> TerminalText { wrap(text, "31") }
  /// What needs care.
  func warning(_ text: TerminalText) -> TerminalText { wrap(text, "33") }

  private func wrap(_ text: TerminalText, _ code: StaticString) -> TerminalText {
    isColoured && !text.isEmpty ? TerminalText(text, rendition: code) : text
  }
}
