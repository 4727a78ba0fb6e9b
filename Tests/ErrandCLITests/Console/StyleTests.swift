import ErrandKit
import Source
import Testing

@testable import ErrandCLI

/// When output is coloured.
@Suite struct StyleTests {
  @Test(
    arguments: [
      (Style.Mode.auto, true, ["TERM": "xterm"], true),
      (.auto, false, ["TERM": "xterm"], false), (.auto, true, ["TERM": "dumb"], false),
      (.auto, true, [:], false), (.auto, true, ["TERM": "xterm", "NO_COLOR": "1"], false),
      (.auto, false, ["CLICOLOR_FORCE": "1"], true), (.auto, false, ["CLICOLOR_FORCE": "0"], false),
      (.auto, true, ["TERM": "xterm", "NO_COLOR": "1", "CLICOLOR_FORCE": "1"], false),
      (.always, false, ["NO_COLOR": "1"], true), (.never, true, ["CLICOLOR_FORCE": "1"], false),
    ] as [(Style.Mode, Bool, [String: String], Bool)])
  func theLastWordIsTheFlags(
    _ mode: Style.Mode, _ isTerminal: Bool, _ environment: [String: String],
    _ isColoured: Bool
  ) {
    let style = Style(mode: mode, isTerminal: isTerminal) { environment[$0] }
    #expect(style.isColoured == isColoured)
    #expect(style.bold("x") == (isColoured ? "\u{1B}[1mx\u{1B}[0m" : "x"))
  }
}
