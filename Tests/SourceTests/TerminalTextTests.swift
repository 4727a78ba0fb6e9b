import Testing

@testable import Source

@Suite struct TerminalTextTests {
  @Test func interpolationsAreSanitizedAndLiteralsAreKept() {
    let outside = "a\u{1B}[2J\nb\u{202E}\u{9B}"
    let text: TerminalText = "\u{1B}[K\(outside): \(3)\n"
    #expect(text.text == "\u{1B}[Ka␛[2J b\u{FFFD}: 3\n")
  }

  @Test func renditionWrapsText() {
    let outside = "x\u{7}"
    let text = TerminalText("<\(outside)>", rendition: "1")
    #expect(text.text == "\u{1B}[1m<x␇>\u{1B}[0m")
    // A safe text is interpolated unchanged.
    let whole: TerminalText = "[\(text)]"
    #expect(whole.text == "[\u{1B}[1m<x␇>\u{1B}[0m]")
  }

  @Test func linesStayWhereTheyAreWanted() {
    #expect(TerminalText("a\nb\u{1B}", keepsLines: true).text == "a\nb␛")
    #expect(["a", "b"].map { "\($0)" as TerminalText }.joined(separator: ", ") == "a, b")
  }
}
