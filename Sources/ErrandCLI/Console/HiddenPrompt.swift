import Engine
import Glibc
import Source

/// Asks for a line without echoing it.
struct HiddenPrompt {
  private let console: Console

  init(_ console: Console) { self.console = console }

  /// Returns the line; nil without a terminal.
  ///
  /// - Throws: `cancelled` when the person leaves, `Cancellation` at Ctrl-C.
  func ask(_ prompt: TerminalText) throws -> String? {
    guard console.stderrIsTerminal || console.stdoutIsTerminal,
      let input = TerminalInput(stdinIsTerminal: console.stdinIsTerminal)
    else { return nil }
    return try Interruption.holding {
      let shown = input.hide()
      console.err(prompt + " ")
      defer {
        if let shown { input.restore(shown) }
        console.err("\n")
      }
      switch try input.readLine(Interruption.run) {
      case .text(let text): return text
      case .unreadable:
        throw RunError(.invalidValue, "invalid UTF-8")
      case .end: throw RunError.left(prompt.text)
      }
    }
  }
}
