import CEdit
import Engine
import Source

/// Line editing with arrow keys, history and multi-line pastes, by libedit.
final class LineEditor {
  private let handle: OpaquePointer

  /// Creates an editor on a terminal; nil on failure.
  ///
  /// - Parameter interrupt: Descriptor that becomes readable when the run is to end.
  init?(input: Int32, output: Int32, interrupt: Int32) {
    guard let handle = cedit_new(input, output, interrupt) else { return nil }
    self.handle = handle
  }

  deinit { cedit_delete(handle) }

  /// Whether the terminal type can move its cursor.
  static func fits(_ term: String?) -> Bool { term.map { $0 != "dumb" } ?? false }

  /// Visible replacement for newlines in a paste.
  private static let pastedNewline = "\u{23CE}"

  /// Appends a line to the history.
  func remember(_ line: String) {
    cedit_remember(handle, line.replacing("\n", with: Self.pastedNewline))
  }

  /// Shows a prompt and waits for a line.
  ///
  /// - Parameter escapeEnds: Whether Esc alone ends the input, as Ctrl-D does.
  /// - Throws: `Cancellation` if an interrupt came first.
  func readLine(
    _ prompt: TerminalText, escapeEnds: Bool, _ interrupt: Interrupt
  ) throws -> TerminalInput.Line {
    var line: UnsafePointer<CChar>?
    var length: Int32 = 0
    let result = cedit_read(
      handle, Self.marked(prompt.text), escapeEnds ? 1 : 0, &line, &length)
    if interrupt.isSet || result == Int32(cedit_interrupted) { throw Cancellation(.interrupted) }
    guard result == Int32(cedit_line), let line else { return .end }
    let typed = TerminalInput.Line(UnsafeRawBufferPointer(start: line, count: Int(length)))
    guard case .text(let text) = typed else { return typed }
    return .text(text.replacing(Self.pastedNewline, with: "\n"))
  }

  /// Marks the escape sequences of a prompt as zero-width.
  private static func marked(_ prompt: String) -> String {
    var result = ""
    var isSequence = false
    for scalar in prompt.unicodeScalars {
      if scalar == "\u{1B}" {
        isSequence = true
        result += "\u{1}"
      }
      result.unicodeScalars.append(scalar)
      if isSequence, scalar == "m" {
        isSequence = false
        result += "\u{1}"
      }
    }
    return result
  }
}
