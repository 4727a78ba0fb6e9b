import Testing

@testable import Exchange

/// Each format with a file in the shape that its program writes.
@Suite struct BookmarkFormatTests {
  private typealias Link = Reading.Link

  @Test func readsChromeExports() throws {
    let (format, reading) = try Reading.of(Samples.chromeHTML)
    #expect(format == .netscape)
    #expect(
      reading.links == [
        Link(
          url: "https://swift.org/?a=1&b=2", title: "Swift & friends",
          createdAt: "2020-01-01T00:00:00Z"),
        Link(
          url: "https://example.org/a", title: "A", tags: ["Reading"],
          createdAt: "2020-01-01T00:00:03Z"),
        Link(
          url: "https://example.org/b", title: "B", tags: ["Reading", "Deep down"],
          createdAt: "2020-01-01T00:00:05Z"),
        Link(url: "https://example.org/c", title: "C", createdAt: "2020-01-01T00:00:07Z"),
      ])
    #expect(
      reading.problems == ["21: left out: not a web page: javascript:alert(1) “Bookmarklet”"])
  }

  @Test(
    arguments: [
      (FolderTags.each, ["Reading", "Deep down"]), (.path, ["Reading/Deep down"]),
      (.last, ["Deep down"]), (.none, []),
    ])
  func foldersBecomeTags(_ folders: FolderTags, _ tags: [String]) throws {
    let (_, reading) = try Reading.of(Samples.chromeHTML, folders: folders)
    #expect(reading.links[2].tags == tags)
  }

  @Test func readsUnclosedNotes() throws {
    let (format, reading) = try Reading.of(Samples.deliciousHTML)
    #expect(format == .netscape)
    #expect(
      reading.links == [
        Link(
          url: "https://a.example/", title: "Private stuff",
          summary: "Super-secret stuff:\n\n- one\n- two <three>", tags: ["secret", "stuff"],
          createdAt: "2016-02-25T20:55:41Z"),
        Link(url: "https://b.example/", title: "Public", createdAt: "2016-02-25T20:55:48Z"),
      ])
    #expect(
      reading.notes == [
        "A note of its own\n\nIts text [note] 2016-05-14T21:49:04Z"
      ])
    #expect(reading.problems == [])
  }

  @Test func readsFirefoxExports() throws {
    let (_, reading) = try Reading.of(Samples.firefoxHTML)
    #expect(
      reading.links == [
        Link(
          url: "https://example.org/", title: "Example", summary: "A note",
          tags: ["one", "two words", "Geräte"], createdAt: "2020-01-01T00:00:00Z",
          updatedAt: "2020-01-01T00:01:40Z"),
        Link(url: "https://example.net/", title: "Net", createdAt: "2020-01-01T00:00:00Z"),
      ])
    #expect(reading.problems.count == 1)
  }

  @Test func readsPocketLists() throws {
    let (format, reading) = try Reading.of(Samples.pocketHTML)
    #expect(format == .netscape)
    #expect(
      reading
        == Reading(links: [
          Link(
            url: "https://example.org/1", title: "First", tags: ["ifttt", "new"],
            reading: "unread", createdAt: "2016-06-20T21:57:59Z"),
          Link(
            url: "https://example.org/2", title: "Second", reading: "archived",
            createdAt: "2016-06-20T21:58:00Z"),
        ]))
  }

  @Test func readsChromeProfiles() throws {
    let (format, reading) = try Reading.of(Samples.chromeJSON)
    #expect(format == .chrome)
    #expect(
      reading
        == Reading(links: [
          Link(
            url: "https://example.org/inner", title: "Inner", tags: ["Work"],
            createdAt: "2020-01-01T00:00:00.000001Z"),
          Link(
            url: "https://example.org/plain", title: "Plain", createdAt: "2020-01-01T00:00:01Z"),
        ]))
  }

  @Test func readsFirefoxBackups() throws {
    let (format, reading) = try Reading.of(Samples.firefoxJSON)
    #expect(format == .json)
    #expect(
      reading.links == [
        Link(
          url: "https://example.org/one", title: "One", summary: "A book",
          tags: ["novel", "to read", "Books"], createdAt: "2020-01-01T00:00:00.123456Z",
          updatedAt: "2020-01-01T00:00:01Z")
      ])
    #expect(reading.problems == ["1: left out: not a web page: place:sort=8 “Recent”"])
  }

  @Test func readsPinboard() throws {
    let (format, reading) = try Reading.of(Samples.pinboardJSON)
    #expect(format == .pinboard)
    #expect(
      reading
        == Reading(
          links: [
            Link(
              url: "https://example.org/scroll", title: "An Infinite Scroller",
              summary: #"TL;DR: "reuse""#, tags: ["dom", "performance"],
              createdAt: "2016-10-31T15:57:56Z"),
            Link(
              url: "https://example.org/v", title: "V", reading: "unread",
              createdAt: "2016-10-26T06:43:03Z"),
          ], privateLinks: ["https://example.org/v"]))
  }

  @Test func readsWallabag() throws {
    let (format, reading) = try Reading.of(Samples.wallabagJSON)
    #expect(format == .json)
    #expect(
      reading
        == Reading(
          links: [
            Link(
              url: "https://example.org/e", title: "Entry", summary: "what it says\n\nmy note",
              tags: ["mmo", "two words"], reading: "archived", createdAt: "2016-09-08T09:55:58Z",
              updatedAt: "2016-09-08T09:57:16Z"),
            Link(
              url: "https://example.org/o", title: "Other", tags: ["three"],
              reading: "unread", createdAt: "2016-09-08T11:55:58Z"),
          ],
          leftOut: [
            "1: left out: `given_url`, since another value was taken",
            "1: left out: the member `content`",
          ]))
  }

  @Test func readsOmnivore() throws {
    let (format, reading) = try Reading.of(Samples.omnivoreJSON)
    #expect(format == .json)
    #expect(
      reading
        == Reading(
          links: [
            Link(
              url: "https://example.org/page", title: "A page", summary: "What it is",
              tags: ["Swift", "Newsletter"], reading: "archived", createdAt: "2023-03-18T21:08:59Z",
              updatedAt: "2023-03-19T21:08:59Z")
          ],
          leftOut: [
            "3: left out: the member `author`", "4: left out: the member `readingProgress`",
          ]))
  }

  @Test func readsOPML() throws {
    let (format, reading) = try Reading.of(Samples.opml)
    #expect(format == .opml)
    #expect(
      reading
        == Reading(
          links: [
            Link(
              url: "https://example.org/", title: "A feed – daily", tags: ["Tech"],
              createdAt: "2026-11-20T13:00:00Z"),
            Link(
              url: "https://example.org/page", title: "A page", summary: "Its note",
              tags: ["Tech", "Deep"]),
            Link(url: "https://example.net/rss", title: "Only feed", tags: ["news", "daily"]),
          ],
          leftOut: [
            "6: left out: the attribute `text` of `<outline>`",
            "6: left out: the attribute `xmlurl` of `<outline>`",
          ]))
  }

  @Test(
    arguments: [
      (
        "pocket", "title,url,time_added,tags,status\nT,https://a.org/,1600322788,one|two,archive\n",
        Link(
          url: "https://a.org/", title: "T", tags: ["one", "two"], reading: "archived",
          createdAt: "2020-09-17T06:06:28Z")
      ),
      (
        "pocket", "title,url,time_added,tags,status\nT,https://a.org/,1600322788,,unread\n",
        Link(
          url: "https://a.org/", title: "T", reading: "unread", createdAt: "2020-09-17T06:06:28Z")
      ),
      (
        "instapaper",
        "URL,Title,Selection,Folder,Timestamp\nhttps://a.org/,T,,Starred,1600322788\n",
        Link(
          url: "https://a.org/", title: "T", favourite: true, createdAt: "2020-09-17T06:06:28Z")
      ),
      (
        "instapaper",
        "URL,Title,Selection,Folder,Timestamp\nhttps://a.org/,T,,Unread,1600322788\n",
        Link(
          url: "https://a.org/", title: "T", reading: "unread", createdAt: "2020-09-17T06:06:28Z")
      ),
      (
        "raindrop",
        "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\r\n1,T,,,https://a.org/,Unsorted,,2020-09-17T06:06:28.500Z,,,true\r\n",
        Link(
          url: "https://a.org/", title: "T", favourite: true, createdAt: "2020-09-17T06:06:28.5Z")
      ),
      (
        "readwise",
        "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\nT,https://a.org/,01,[],2020-09-17 06:06:28+00:00,0.5,later,True\n",
        Link(
          url: "https://a.org/", title: "T", reading: "unread", createdAt: "2020-09-17T06:06:28Z")
      ),
      (
        "instapaper",
        "URL,Title,Selection,Folder,Timestamp,Tags\nhttps://a.org/,\"T, U\",Marked,Later,1600322788,\"[\"\"x\"\",\"\"y z\"\"]\"\n",
        Link(
          url: "https://a.org/", title: "T, U", summary: "Marked", tags: ["x", "y z", "Later"],
          createdAt: "2020-09-17T06:06:28Z")
      ),
      (
        "raindrop",
        "id,title,note,excerpt,url,folder,tags,created,cover,highlights,favorite\r\n1,T,My note,Its text,https://a.org/,Dev / Swift,\"one, two\",2020-09-17T06:06:28.500Z,https://a.org/c.png,,false\r\n",
        Link(
          url: "https://a.org/", title: "T", summary: "My note\n\nIts text",
          tags: ["one", "two", "Dev", "Swift"], createdAt: "2020-09-17T06:06:28.5Z")
      ),
      (
        "readwise",
        "Title,URL,ID,Document tags,Saved date,Reading progress,Location,Seen\nT,https://a.org/,01,\"['one', 'two']\",2020-09-17 06:06:28.442000+00:00,0.5,archive,True\n",
        Link(
          url: "https://a.org/", title: "T", tags: ["one", "two"], reading: "archived",
          createdAt: "2020-09-17T06:06:28.442Z")
      ),
      (
        "omnivore",
        "url,state,labels,saved_at,published_at\nhttps://a.org/,ARCHIVED,\"[one,two]\",1600322788000,\n",
        Link(
          url: "https://a.org/", tags: ["one", "two"], reading: "archived",
          createdAt: "2020-09-17T06:06:28Z")
      ),
    ])
  private func readsTables(_ name: String, _ text: String, _ link: Link) throws {
    let (format, reading) = try Reading.of(text)
    #expect(format == .csv, "\(name)")
    #expect(reading.links == [link], "\(name)")
    #expect(reading.problems == [])
    let leftOut = ["2: left out: the column `Reading progress`", "2: left out: the column `Seen`"]
    #expect(reading.leftOut == (name == "readwise" ? leftOut : []))
    #expect(try Reading.of(text, from: name).reading == reading)
  }

  @Test func readsListsOfAddresses() throws {
    let (format, reading) = try Reading.of(
      "https://a.org/\n\n# a comment\nhttps://b.org/x A title\nSome words: https://c.org/\nnothing\n"
    )
    #expect(format == .urls)
    #expect(
      reading.links == [
        Link(url: "https://a.org/"), Link(url: "https://b.org/x", title: "A title"),
        Link(url: "https://c.org/", title: "Some words"),
      ])
    #expect(reading.problems == ["6: no address in “nothing”"])
  }

  @Test func readsMarkdown() throws {
    let (format, reading) = try Reading.of(
      """
      # Things to read

      ## Swift
      - [The \\[book\\]](https://a.org/a_(b)) #lang #free (2026-11-20)
        What it is about,
        on two lines
      * <https://b.org/>, and https://c.org/.

      ```
      [no](https://no.org/)
      ```
      """)
    #expect(format == .markdown)
    #expect(
      reading
        == Reading(
          links: [
            Link(
              url: "https://a.org/a_(b)", title: "The [book]",
              summary: "What it is about,\non two lines", tags: ["lang", "free", "Swift"],
              createdAt: "2026-11-20"),
            Link(url: "https://b.org/", tags: ["Swift"]),
            Link(url: "https://c.org/", tags: ["Swift"]),
          ], leftOut: ["10: left out: text that belongs to no item"]))
  }
}
