import Testing

@testable import Source

@Suite struct DiagnosticSummaryTests {
  private func diagnostics(_ count: Int, in name: String) -> [Diagnostic] {
    let file = SourceFile(name: name, text: "x")
    return (0..<count).map { Diagnostic("bad", "bad \($0)", at: Span(file, 0..<1)) }
  }

  @Test func fewDiagnosticsAreAllShown() {
    let summary = DiagnosticSummary(diagnostics(50, in: "a"))
    #expect(summary.shown.count == 50)
    #expect(summary.notes == [])
    #expect(summary.hiddenCount == 0)
  }

  @Test func eachFileHasItsOwnLimit() {
    let summary = DiagnosticSummary(
      diagnostics(51, in: "a") + diagnostics(3, in: "b") + diagnostics(60, in: "c"))
    #expect(summary.shown.count == 103)
    #expect(summary.shown.last?.message == "bad 49")
    #expect(summary.notes == ["… and 1 more in a", "… and 10 more in c"])
    #expect(summary.hiddenCount == 11)
  }

  /// Of a very long line, only the part around the mark is read and shown.
  @Test func aLongLineIsShownAroundTheMark() {
    let text = String(repeating: "é", count: 2000) + "MARK" + String(repeating: "ü", count: 2000)
    let file = SourceFile(name: "a", text: text)
    let rendered = Diagnostic("bad", "bad", at: Span(file, 4000..<4004)).rendered()
    let before = "…" + String(repeating: "é", count: 60)
    let after = String(repeating: "ü", count: 60) + "…"
    #expect(
      rendered.text == """
        a:1:2001: error: bad [bad]
            1 | \(before)MARK\(after)
              | \(String(repeating: " ", count: 61))^~~~
        """)
  }
}
