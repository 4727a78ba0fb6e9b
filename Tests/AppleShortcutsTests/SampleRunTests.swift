import AppleShortcuts
import Catalog
import Engine
import FoundationEssentials
import Testing

/// Public shortcuts with supported actions only: each is converted and run with faked answers,
/// pages, files and programs, and gives the same result as in Apple's app.
@Suite struct SampleRunTests {
  /// The beginning of a sample's name, and a test of the converted shortcut.
  static let runs: [(sample: String, test: String)] = [
    ("signed-02", "{input: a, answers: {Choose one.: a}, expect: {shown: {size: 1}}}"),
    (
      "signed-03",
      """
      {input: 'https://a.example/feed', fake: {http: {'https://a.example/feed': '<rss><channel>\
      <item><title>One</title><link>https://a.example/1</link></item>\
      <item><title>Two</title><link>https://a.example/2</link></item></channel></rss>'}}, \
      expect: {clipboard: "https://a.example/1\\nhttps://a.example/2"}}
      """
    ),
    (
      "signed-06",
      """
      {fake: {files: {tat/1.txt: '1', tat/2.txt: '2', tat/3.txt: '3', tat/4.txt: '4', \
      tat/5.txt: '5', tat/6.txt: '6', tat/7.txt: '7'}}, expect: {output: '7'}}
      """
    ),
    (
      "signed-10",
      """
      {answers: {What is the value?: a.pdf, Choose one.: /t/page-002.pdf}, fake: {exec: {\
      '*pdfseparate*': "/t/page-001.pdf\\n/t/page-002.pdf", '*pdftoppm*': /t/page-1.jpg, \
      'xdg-open *': ''}}, expect: {exec: {size: {where: self >= 2}}}}
      """
    ),
    ("signed-11", "{input: x, expect: {shown: x}}"),
    ("signed-11", "expect: {dialog: 'Nothing on-screen can be detected here!', shown: null}"),
    (
      "signed-12",
      """
      {fake: {http: {'https://bilge.world/telegram': {headers: {content-type: text/html}, text: \
      '<title>On Telegram</title><article><p>It is a long story that begins here.</p></article>'}}}, \
      expect: {clipboard: {startsWith: "On Telegram\\n\\nby David Blue\\n\\n"}}}
      """
    ),
    (
      "signed-15",
      "{fake: {clipboard: '<a href=\"https://a.example/x\">x</a>'}, expect: {clipboard: 'https://a.example/x'}}"
    ),
    (
      "signed-17",
      """
      {answers: {The cow says?: moo}, fake: {clipboard: c, exec: {'sh -c *': '< moo >'}}, \
      expect: {clipboard: '< moo >', exec: [{command: {contains: cowsay moo}, stdin: c}]}}
      """
    ),
    (
      "signed-18",
      """
      {fake: {clipboard: 'https://a.example/p%20q', http: {'https://a.example/p%20q': body}}, \
      expect: {shown: [/p%20q, a.example, body, 'bodyhttps://a.example/p q']}}
      """
    ),
    (
      "signed-19",
      """
      {input: 'https://a.example', answers: {'RSS Feeds': 'https://a.example/feed', \
      "RSS Feed for https://a.example\\nThe feed's URL has been copied to the clipboard.\\n\\n\
      https://a.example/feed": true}, fake: {http: {'https://a.example': {headers: {content-type: \
      text/html}, text: '<link rel=alternate type=application/rss+xml href=/feed>'}}}, \
      expect: {clipboard: 'https://a.example/feed'}}
      """
    ),
    (
      "signed-19",
      """
      {input: 'https://a.example', answers: {"❌ No RSS Found ❌\\nNo RSS feeds were found for this \
      webpage.": true}, fake: {http: {'https://a.example': {headers: {content-type: text/html}, \
      text: none}}}, expect: {clipboard: null}}
      """
    ),
    ("signed-30", "expect: {clipboard: {size: 1000}}"),
    ("unsigned-01", "{input: x, expect: {clipboard: x}}"),
    ("unsigned-01", "{fake: {clipboard: c}, expect: {clipboard: c}}"),
    ("01-ask", "{answers: {Enter text: a}, expect: {shown: a}}"),
    ("01-hello-world", "expect: {shown: Hello World!}"),
    ("02-ask-input", "{answers: {What is your name?: Ada}, expect: {shown: 'Hello, Ada!'}}"),
    ("02-gettext-show", "expect: {shown: Palette text}"),
    ("03-setclipboard", "expect: {clipboard: Copied by palette}"),
    (
      "04-menu",
      """
      {answers: {What would you like to do?: Say Goodbye}, \
      expect: {shown: Goodbye! See you next time.}}
      """
    ),
    ("04-url-open", "expect: {opened: 'https://example.com'}"),
    ("05-list", "expect: {shown: \"One\\nTwo\"}"),
    ("06-conditional", "expect: {shown: matched}"),
    ("06-dictionary", "expect: {shown: hello}"),
    ("07-repeat-count", "expect: {shown: \"Loop finished: Tick\\nTick\\nTick\"}"),
    ("07-variables", "expect: {shown: stored}"),
    ("08-downloadurl", "{fake: {http: {'https://www.apple.com/': page}}, expect: {shown: page}}"),
    ("08-repeat-each", "expect: {shown: 'Items visited: '}"),
    ("09-comment-nothing", "expect: {shown: done}"),
    ("09-share-sheet-input", "{input: x, expect: {shown: x}}"),
    (
      "09-url-cleaner",
      """
      {input: 'https://a.example/x?fbclid=1', expect: {clipboard: 'https://a.example/x', \
      notifications: 'URL cleaned up and copied: https://a.example/x'}}
      """
    ),
    ("10-count", "expect: {shown: Count 3}"),
    ("11-choosefromlist", "{answers: {Pick one: Beta}, expect: {shown: Beta}}"),
    (
      "11-invert-names",
      "expect: {output: \"\\nLiam Gallagher\\nAlex Appleseed\\nReggie Fils-Aime\"}"
    ),
    // The clock of a test is in 2026: February begins on a Sunday.
    (
      "12-days-in-a-month",
      """
      {answers: {Pick a Month: February, Pick a Day: Sunday}, \
      expect: {dialog: "February 2026\\n4 iterations of Sunday"}}
      """
    ),
    (
      "12-days-in-a-month",
      """
      {answers: {Pick a Month: January, Pick a Day: Thursday}, \
      expect: {dialog: "January 2026\\n5 iterations of Thursday"}}
      """
    ),
    ("12-delay", "expect: {shown: Delayed}"),
    (
      "13-electricity-price",
      """
      {fake: {http: {'https://hourlypricing.comed.com/api?type=currenthouraverage': \
      '[{"millisUTC": "1", "price": "2.3"}]'}}, \
      expect: {shown: 'The price of electricity at 09:00 is 2.3 cents.'}}
      """
    ),
    ("13-notification", "expect: {notifications: Hello World}"),
    ("14-number", "expect: {shown: '42'}"),
    (
      "15-masto-redirect",
      """
      {input: 'https://mastodon.social/@ada', parameters: {mastodonAppAccess: t, \
      baseUrlMastodon: 'https://home.example'}, \
      expect: {opened: 'https://home.example/@ada@mastodon.social'}}
      """
    ),
    (
      "16-speaktext",
      "{fake: {exec: {spd-say *: ''}}, expect: {exec: 'spd-say --wait -- Hello from palette'}}"
    ),
    ("hello-bonjour.expected", "expect: {shown: Bonjour!}"),
    ("hello-bonjour.input", "expect: {shown: Hello World!}"),
    ("hello-world", "expect: {shown: Hello World!}"),
    ("lc-uuid-hello", "expect: {shown: Hello World!}"),
    ("mode-str", "expect: {shown: matched}"),
  ]

  @Test(.enabled(if: !SampleTests.paths.isEmpty, "the samples are not here"), arguments: runs)
  func itGivesWhatAppleDoes(sample: String, test: String) throws {
    let path = try #require(
      SampleTests.paths.first { $0.split(separator: "/").last?.hasPrefix(sample) ?? false })
    let text = try ShortcutTranslator(
      Array(Data(contentsOf: URL(filePath: path))), at: path,
      isReserved: DefinitionCatalog().isReserved
    ).text
    expectNone(try SampleShortcut.problems(of: text, test))
  }

  /// At least 80 % of the fully translated samples are run.
  @Test(.enabled(if: !SampleTests.paths.isEmpty, "the samples are not here"))
  func mostSamplesAreRun() throws {
    var here = 0
    var run = 0
    for path in SampleTests.paths {
      let translation = try ShortcutTranslator(
        Array(Data(contentsOf: URL(filePath: path))), at: path,
        isReserved: DefinitionCatalog().isReserved)
      guard translation.report.allSatisfy({ $0.outcome == .translated }) else { continue }
      here += 1
      let name = path.split(separator: "/").last ?? ""
      if Self.runs.contains(where: { name.hasPrefix($0.sample) }) { run += 1 }
    }
    #expect(here > 30)
    #expect(run * 10 >= here * 8, "\(run) of \(here)")
  }
}
