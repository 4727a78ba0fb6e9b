import CEL
import Testing

@testable import Pages

/// Feeds of all formats, as found on real sites.
@Suite struct FeedTests {
  private func feed(_ text: String, url: String = "https://a.example/feeds/x") throws -> Feed {
    try #require(PageParser.inUTC.feed(text, url: url))
  }

  @Test func rss() throws {
    let feed = try feed(
      """
      \u{FEFF}<?xml version="1.0" encoding="utf-8"?>
      <!DOCTYPE rss [<!ENTITY x "y">]>
      <rss version="2.0" xmlns:content="c" xmlns:media="m" xmlns:dc="d" xmlns:atom="a"><channel>
      <title>Salt &amp;amp; Rope</title><atom:link rel="self" href="https://a.example/feeds/x"/>
      <link>https://a.example/</link><description>Boats</description>
      <image><url>/logo.png</url><title>Not the title</title></image>
      <item><title><![CDATA[Tides & <em>Moons</em>]]></title><link> /2026/tides?a=1&amp;b=2 </link>
      <guid isPermaLink="false">tag:1</guid><pubDate>Fri, 20 Nov 2026 14:00:00 +0100</pubDate>
      <dc:creator>Ann Lee</dc:creator><category>sea</category><category>moon</category><category>sea</category>
      <description>&lt;p&gt;First &lt;b&gt;words&lt;/b&gt;.&lt;/p&gt;</description>
      <content:encoded><![CDATA[<p>All <i>of</i> it</p>]]></content:encoded>
      <media:content url="/t.jpg" medium="image"><media:title>no</media:title></media:content>
      <enclosure url="/t.mp3" type="audio/mpeg" length="1"/></item>
      <item><guid>https://a.example/only-guid</guid><author>bo@a.example (Bo Ek)</author>
      </channel></rss>
      """)
    #expect(feed.kind == "rss")
    #expect(feed.title == "Salt & Rope")
    #expect(feed.url == "https://a.example/")
    #expect(feed.image == "https://a.example/logo.png")
    let item = try #require(feed.items.first)
    #expect(item.title == "Tides & Moons")
    #expect(item.url == "https://a.example/2026/tides?a=1&b=2")
    #expect(item.id == "tag:1")
    #expect(item.date?.text == "2026-11-20T13:00:00Z")
    #expect(item.author == "Ann Lee")
    #expect(item.tags == ["sea", "moon"])
    #expect(item.summary == "First words.")
    #expect(item.content == "<p>All <i>of</i> it</p>")
    #expect(item.image == "https://a.example/t.jpg")
    #expect(item.media == "https://a.example/t.mp3")
    #expect(feed.items.count == 2)
    #expect(feed.items.last?.url == "https://a.example/only-guid")
    #expect(feed.items.last?.author == "Bo Ek")
  }

  @Test func atom() throws {
    let feed = try feed(
      """
      <feed xmlns="http://www.w3.org/2005/Atom" xml:lang="en-gb"><title type="html">A &lt;b&gt;log&lt;/b&gt;</title>
      <subtitle>Of a ship</subtitle><updated>2026-11-20T10:00:00Z</updated>
      <link rel="self" href="/atom"/><link href="/home"/><author><name>Crew</name></author>
      <entry><id>urn:1</id><title>Day one</title><link rel="edit" href="/e"/><link rel="alternate" href="one"/>
      <published>2026-11-19T00:00:00+02:00</published><updated>2026-11-20T00:00:00Z</updated>
      <author><name>Ann</name><email>a@b.example</email></author><author><name>Bo</name></author>
      <category term="t" label="Tag"/><summary>Fog</summary>
      <content type="xhtml"><div xmlns="x"><p>Much <b>fog</b></p></div></content></entry>
      <entry><title>Day two</title><updated>2026-11-21</updated></entry></feed>
      """)
    #expect(feed.kind == "atom")
    #expect(feed.title == "A log")
    #expect(feed.description == "Of a ship")
    #expect(feed.url == "https://a.example/home")
    #expect(feed.language == "en-GB")
    #expect(feed.author == "Crew")
    let item = try #require(feed.items.first)
    #expect(item.url == "https://a.example/feeds/one")
    #expect(item.date?.text == "2026-11-18T22:00:00Z")
    #expect(item.updated?.text == "2026-11-20T00:00:00Z")
    #expect(item.author == "Ann, Bo")
    #expect(item.tags == ["Tag"])
    #expect(item.summary == "Fog")
    #expect(item.content == "<div><p>Much <b>fog</b></p></div>")
    #expect(feed.items.last?.date?.text == "2026-11-21T00:00:00Z")
  }

  @Test func rdf() throws {
    let feed = try feed(
      """
      <rdf:RDF xmlns:rdf="r"><channel rdf:about="x"><title>Old</title><link>https://a.example</link>
      <items><rdf:Seq><rdf:li resource="1"/></rdf:Seq></items></channel>
      <item rdf:about="1"><title>One</title><link>https://a.example/1</link><dc:date>2003-04-05</dc:date></item>
      </rdf:RDF>
      """)
    #expect(feed.title == "Old")
    #expect(feed.items.map(\.title) == ["One"])
    #expect(feed.items.first?.date?.text == "2003-04-05T00:00:00Z")
  }

  @Test func json() throws {
    let feed = try feed(
      """
      {"version": "https://jsonfeed.org/version/1.1", "title": "J", "home_page_url": "/",
       "authors": [{"name": "Ann"}], "items": [
        {"id": 7, "url": "a", "content_text": "Text", "date_published": "2026-11-20T10:00:00Z",
         "tags": ["x"], "attachments": [{"url": "b.mp3"}]}, {"id": "2", "author": {"name": "Bo"}}]}
      """)
    #expect(feed.kind == "json")
    #expect(feed.url == "https://a.example/")
    #expect(feed.items.map(\.id) == ["7", "2"])
    #expect(feed.items.first?.url == "https://a.example/feeds/a")
    #expect(feed.items.first?.media == "https://a.example/feeds/b.mp3")
    #expect(feed.items.last?.author == "Bo")
  }

  @Test(arguments: [
    "", "text", "<html><p>x", "{}", "[1]", "{\"items\": 1}", "<?xml version='1.0'?>",
  ])
  func otherTextsAreNotFeeds(text: String) {
    #expect(PageParser.inUTC.feed(text, url: "") == nil)
  }

  @Test(arguments: [
    "<rss", "<rss><channel><item><title>Cut",
    "<rss><channel><title>T</title><item><title>One</title>",
    "<feed><entry><title>x</title></feed>",
  ])
  func truncatedFeedsAreRead(text: String) {
    #expect(PageParser.inUTC.feed(text, url: "") != nil || text == "<rss")
  }
}
