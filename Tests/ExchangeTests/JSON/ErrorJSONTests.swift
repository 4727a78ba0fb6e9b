import Exchange
import JSON
import Source
import Testing

/// Errors as JSON for other programs.
@Suite struct ErrorJSONTests {
  private func error(_ code: String, span: Span? = nil, all: [ErrorJSON] = []) -> ErrorJSON {
    ErrorJSON(code: code, message: "m", help: nil, path: ["a", "b"], span: span, all: all)
  }

  @Test func omitsAMissingPlace() throws {
    #expect(
      try JSONWriter().text(of: error("io").value)
        == #"{"code":"io","message":"m","help":null,"path":["a","b"]}"#)
  }

  @Test func includesFileLineAndColumn() throws {
    let file = SourceFile(name: "x.yaml", bytes: Array("one\ntwo\n".utf8))
    let text = try JSONWriter().text(of: error("io", span: Span(file, 5..<6)).value)
    #expect(
      text
        == #"{"code":"io","message":"m","help":null,"path":["a","b"],"#
        + #""file":"x.yaml","line":2,"column":2}"#)
  }

  @Test func listsSeveralErrors() throws {
    let text = try JSONWriter().text(of: error("a", all: [error("a"), error("b")]).value)
    #expect(
      text.hasSuffix(
        #""all":[{"code":"a","message":"m","help":null,"path":["a","b"]},"#
          + #"{"code":"b","message":"m","help":null,"path":["a","b"]}]}"#))
  }
}
