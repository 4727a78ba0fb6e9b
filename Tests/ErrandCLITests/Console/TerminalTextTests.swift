import ErrandKit
import Source
import Testing

@testable import ErrandCLI

/// Escaping of text for terminals.
@Suite struct TerminalTextTests {
  @Test(
    arguments: [
      ("plain", "plain"), ("Ünïcode 漢字", "Ünïcode 漢字"), ("a\u{1B}[31mred", "a␛[31mred"),
      ("bell\u{7}", "bell␇"), ("\u{7F}", "␡"), ("c1\u{9B}2J", "c1\u{FFFD}2J"),
      ("a\nb\tc\r\nd", "a b c d"), ("a\rb", "a b"), ("over\u{202E}ride", "override"),
      ("iso\u{2066}late\u{2069}", "isolate"), ("line\u{2028}end", "line end"),
      ("\u{1B}]0;title\u{7}", "␛]0;title␇"),
    ])
  func nothingSteersTheTerminal(_ text: String, _ shown: String) {
    #expect(text.harmless().unicodeScalars.elementsEqual(shown.unicodeScalars))
  }

  @Test func linesStayWhereTheyAreWanted() {
    #expect("a\nb\tc".harmless(keepsLines: true) == "a\nb\tc")
    #expect(
      "a\u{1B}c\r\nb".harmless(keepsLines: true).unicodeScalars.elementsEqual(
        "a␛c\nb".unicodeScalars))
  }

  @Test(
    arguments: [
      ("short", 10, "short"), ("exact", 5, "exact"), ("longer", 5, "long…"), ("", 3, ""),
      ("漢字漢字", 5, "漢字…"), ("漢字", 4, "漢字"), ("漢字", 3, "漢…"), ("abc", 1, "…"),
      ("abc", 0, ""), ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"),
    ])
  func textIsCutToColumns(_ text: String, _ width: Int, _ shown: String) {
    let cut = text.cut(to: width)
    #expect(cut == shown)
    #expect(cut.displayWidth <= width)
  }

  @Test(
    arguments: [
      ("one two three", 7, ["one two", "three"]), ("one two", 7, ["one two"]),
      ("a\nb", 10, ["a", "b"]), ("", 10, [""]), ("  in two words", 8, ["  in two", "  words"]),
      ("see https://swift.org/a/long/one now", 10, ["see", "https://swift.org/a/long/one", "now"]),
      ("a   b   cc", 9, ["a   b", "cc"]), ("a   b   c", 9, ["a   b   c"]),
      ("漢字 漢字 漢字", 9, ["漢字 漢字", "漢字"]),
    ])
  func proseIsBrokenBetweenWords(_ text: String, _ width: Int, _ lines: [String]) {
    #expect(text.wrapped(to: width) == lines)
  }
}
