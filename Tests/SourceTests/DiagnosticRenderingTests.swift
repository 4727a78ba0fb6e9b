import Testing

@testable import Source

@Suite struct DiagnosticRenderingTests {
  @Test func caretsAreBelowTheToken() {
    let file = SourceFile(name: "a.yaml", text: "intent: save\ntitel: Save\n")
    let diagnostic = Diagnostic(
      "unknown-key", "unknown key `titel`", at: Span(file, 13..<18),
      help: "did you mean `title`?")
    #expect(
      diagnostic.rendered() == """
        a.yaml:2:1: error: unknown key `titel` [unknown-key]
            2 | titel: Save
              | ^~~~~
          help: did you mean `title`?
        """)
  }

  @Test func caretsCountDisplayWidth() {
    let text = "a: 漢字 x\n"
    let file = SourceFile(name: "a.yaml", text: text)
    let start = Array(text.utf8).firstIndex(of: UInt8(ascii: "x"))!
    let lines = Diagnostic("bad", "bad", at: Span(file, start..<start + 1)).rendered().text
      .split(separator: "\n")
    #expect(lines[0] == "a.yaml:1:7: error: bad [bad]")
    #expect(lines[2] == "      |         ^")
  }

  @Test func controlCharactersAreNotSentToTheTerminal() {
    let file = SourceFile(name: "a.yaml", text: "a: \u{1B}[31mred\n")
    let rendered = Diagnostic("bad", "bad", at: Span(file, 0..<1)).rendered().text
    #expect(!rendered.unicodeScalars.contains("\u{1B}"))
  }

  @Test func aFileWithoutTextHasAPosition() {
    let file = SourceFile(name: "empty.yaml", text: "")
    #expect(
      Diagnostic("empty", "empty file", at: Span(file, 0..<0)).rendered() == """
        empty.yaml:1:1: error: empty file [empty]
            1 | 
              | ^
        """)
  }
}
