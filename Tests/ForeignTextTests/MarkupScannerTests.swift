import ForeignText
import Testing

/// Tokens of HTML, XML and bookmark files, well-formed or not.
@Suite struct MarkupScannerTests {
  private func tokens(_ text: String, _ dialect: MarkupScanner.Dialect) -> [String] {
    var scanner = MarkupScanner(text, dialect)
    var result: [String] = []
    while let token = scanner.next() {
      switch token {
      case .text(let text): result.append(text)
      case .start(let tag):
        let attributes = tag.attributes.map { " \($0.name)=\($0.value)" }.joined()
        result.append("<\(tag.name)\(attributes)\(tag.isClosed ? "/" : "")>")
      case .end(let name): result.append("</\(name)>")
      case .cutOff: result.append("CUT")
      }
    }
    return result
  }

  @Test(arguments: [
    ("a<B Href='x&amp;y' b>c</B >", ["a", "<b href=x&y b=>", "c", "</b>"]),
    ("1 < 2", ["1 ", "<", " 2"]), ("<!-- <b> --><i>", ["<i>"]), ("<!--><i>", ["<i>"]),
    ("<a href=x/y>", ["<a href=x/y>"]), ("<br/>", ["<br/>"]),
    ("<a title='<b>'>", ["<a title=<b>>"]),
    ("<![CDATA[x]]><p>", ["<p>"]), ("</3", ["<", "/3"]), ("&lt;b&gt;", ["<b>"]), ("<", ["<"]),
  ])
  func scansHTML(_ text: String, _ expected: [String]) {
    #expect(tokens(text, .html) == expected)
  }

  @Test(arguments: [
    ("<Feed xml:lang=\"de\"/>", ["<Feed xml:lang=de/>", "</Feed>"]),
    ("<a><![CDATA[1 ]] < 2]]></a>", ["<a>", "1 ]] < 2", "</a>"]),
    ("<a <b>", ["<a>", "<b>"]), ("<_x>", ["<_x>"]), ("<a b='1", ["<a>"]),
  ])
  func scansXML(_ text: String, _ expected: [String]) {
    #expect(tokens(text, .xml) == expected)
  }

  @Test(arguments: [
    ("<DT><A HREF=\"x", ["<dt>", "CUT"]),
    ("<A HREF=\"x<DT><A HREF=\"y\">", ["<a href=x>", "<dt>", "<a href=y>"]),
    ("<A ICON=\"data\" HREF=y>", ["<a href=y>"]), ("<", ["CUT"]), ("<!--", ["CUT"]),
  ])
  func scansBookmarkFiles(_ text: String, _ expected: [String]) {
    #expect(tokens(text, .bookmarks) == expected)
  }

  @Test func skipsContentThatIsNotMarkup() {
    var scanner = MarkupScanner("<script>'<b>'</SCRIPT >x", .html)
    guard case .start(let tag)? = scanner.next() else { return #expect(Bool(false)) }
    scanner.skipContent(of: tag.name)
    guard case .text("x")? = scanner.next() else { return #expect(Bool(false)) }
  }
}
