import Testing

@testable import ForeignText

/// HTML as text and as Markdown.
@Suite struct HTMLTextTests {
  @Test(arguments: [
    ("", ""), ("plain", "plain"), ("  a \n\t b  ", "a b"),
    ("<p>Hello <b>world</b>.</p><p>Two", "Hello world.\n\nTwo"),
    ("<div>a</div><div>b</div>", "a\nb"), ("a<br>b<br/><br>c", "a\nb\n\nc"),
    ("<h1>Title</h1>text", "Title\n\ntext"),
    ("<ul><li>a<li>b<ul><li>c</ul><li>d</ul>e", "- a\n- b\n  - c\n- d\n\ne"),
    ("<ol start=9><li>a</li><li>b</li></ol>", "9. a\n10. b"),
    ("<a href=x>link</a> and <img src=y alt='a picture'>", "link and a picture"),
    ("<pre>a\n  b</pre>c", "a\n  b\n\nc"),
    ("1 &lt; 2 &amp; 3 &gt; 2, &#x41;&nbsp;B &nope;", "1 < 2 & 3 > 2, A\u{A0}B &nope;"),
    ("a < b and c <3 d", "a < b and c <3 d"),
    ("<title>T</title><style>p{}</style>a<script>if (1 < 2) {}</SCRIPT >b<!-- no --> c", "ab c"),
    ("<table><tr><th>A<th>B<tr><td>1<td>2</table>", "A\tB\n1\t2"),
    ("<p", ""), ("<script>never ends", ""), ("<!-- never ends", ""), ("a</b></p></ul>", "a"),
    ("<a href='never ends>x", ""),
  ])
  func text(html: String, expected: String) {
    #expect(HTMLText.text(of: html, as: .text) == expected)
  }

  @Test(arguments: [
    ("<p>Hello <b>world</b>.</p><p>Two", "Hello **world**.\n\nTwo"),
    ("<h2>Title</h2>text", "## Title\n\ntext"),
    ("<em>a</em> <strong> b </strong>c", "*a* **b** c"), ("a<b></b>b", "ab"),
    ("<b><a href=x></a>c</b>", "**c**"),
    ("<a href='https://a.b/?c=1&amp;d=2'>link</a>", "[link](https://a.b/?c=1&d=2)"),
    ("<a>no link</a>", "no link"), ("<a href='a b(c)'>l</a>", "[l](<a b(c)>)"),
    ("<img src=y.png alt='A [b]'>", "![A \\[b\\]](y.png)"),
    ("2 * 3 _ [x] `y` #z", "2 \\* 3 \\_ \\[x\\] \\`y\\` \\#z"),
    ("<code>a*b</code> <pre><code>x *y*\n</code></pre>z", "`a*b`\n\n```\nx *y*\n```\n\nz"),
    ("<blockquote><p>a<p>b</blockquote>c", "> a\n>\n> b\n\nc"),
    ("<ul><li><p>a</p><p>b</p></li></ul>", "- a\n\n  b"), ("a<hr>b", "a\n\n---\n\nb"),
    (
      "<table><tr><th>A<th>B<tr><td>1<td>2</table>", "| A | B |\n| --- | --- |\n| 1 | 2 |"
    ),
  ])
  func markdown(html: String, expected: String) {
    #expect(HTMLText.text(of: html, as: .markdown) == expected)
  }

  /// Neither depth nor length makes the conversion fail.
  @Test func anyTextIsConverted() {
    for tag in ["<ul><li>", "<blockquote>", "<b>", "<a href=x>", "<table><tr><td>", "<pre>", "< "] {
      let html = String(repeating: tag, count: 2_000) + "x"
      for form in [HTMLText.Form.text, .markdown] {
        #expect(HTMLText.text(of: html, as: form).contains("x"))
      }
    }
  }
}
