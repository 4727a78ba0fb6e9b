/// Sample files in the shape of other programs' exports.
enum Samples {
  /// Exported by Chrome and Edge.
  static let chromeHTML = """
    <!DOCTYPE NETSCAPE-Bookmark-file-1>
    <!-- This is an automatically generated file.
         It will be read and overwritten.
         DO NOT EDIT! -->
    <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
    <TITLE>Bookmarks</TITLE>
    <H1>Bookmarks</H1>
    <DL><p>
        <DT><H3 ADD_DATE="1577836800" LAST_MODIFIED="0" PERSONAL_TOOLBAR_FOLDER="true">Bookmarks bar</H3>
        <DL><p>
            <DT><A HREF="https://swift.org/?a=1&amp;b=2" ADD_DATE="1577836800" ICON="data:image/png;base64,iVBORw0KGgo=">Swift &amp; friends</A>
            <DT><H3 ADD_DATE="1577836801" LAST_MODIFIED="1577836802">Reading</H3>
            <DL><p>
                <DT><A HREF="https://example.org/a" ADD_DATE="1577836803">A</A>
                <DT><H3 ADD_DATE="1577836804">Deep down</H3>
                <DL><p>
                    <DT><A HREF="https://example.org/b" ADD_DATE="1577836805">B</A>
                </DL><p>
            </DL><p>
        </DL><p>
        <DT><A HREF="javascript:alert(1)" ADD_DATE="1577836806">Bookmarklet</A>
        <DT><A HREF="https://example.org/c" ADD_DATE="1577836807">C</A>
    </DL><p>

    """

  /// Exported by Delicious, Pinboard and Shaarli: notes are not closed.
  static let deliciousHTML = """
    <!DOCTYPE NETSCAPE-Bookmark-file-1>
    <TITLE>Bookmarks</TITLE>
    <H1>Bookmarks</H1>
    <DL><p><DT><A HREF="https://a.example/" ADD_DATE="1456433741" PRIVATE="1" TAGS="secret,stuff">Private stuff</A>
    <DD>Super-secret stuff:

    - one
    - two &lt;three&gt;
    <DT><A HREF="https://b.example/" ADD_DATE="1456433748" PRIVATE="0" TAGS="">Public</A>
    <DT><A HREF="?Z-mb0g" ADD_DATE="1463262544" TAGS="note">A note of its own</A>
    <DD>Its text
    </DL><p>

    """

  /// Exported by Firefox.
  static let firefoxHTML = """
    <!DOCTYPE NETSCAPE-Bookmark-file-1>
    <META HTTP-EQUIV="Content-Type" CONTENT="text/html; charset=UTF-8">
    <TITLE>Bookmarks</TITLE>
    <H1>Bookmarks Menu</H1>

    <DL><p>
        <DT><A HREF="place:sort=8&maxResults=10" ADD_DATE="1577836800">Recent Tags</A>
        <HR>    <DT><H3 ADD_DATE="1577836800" LAST_MODIFIED="1577836801">Geräte</H3>
        <DD>What the folder is about
        <DL><p>
            <DT><A HREF="https://example.org/" ADD_DATE="1577836800" LAST_MODIFIED="1577836900" ICON_URI="https://example.org/favicon.ico" ICON="data:image/png;base64,AAAA" SHORTCUTURL="ex" TAGS="one,two words">Example</A>
            <DD>A note
        </DL><p>
        <DT><H3 ADD_DATE="1577836800" UNFILED_BOOKMARKS_FOLDER="true">Other Bookmarks</H3>
        <DL><p>
            <DT><A HREF="https://example.net/" ADD_DATE="1577836800">Net</A>
        </DL><p>
    </DL>

    """

  static let pocketHTML = """
    <!DOCTYPE html>
    <html>
    <head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8" /><title>Pocket Export</title></head>
    <body>
    <h1>Unread</h1>
    <ul>
    <li><a href="https://example.org/1" time_added="1466459879" tags="ifttt,new">First</a></li>
    </ul>
    <h1>Read Archive</h1>
    <ul>
    <li><a href="https://example.org/2" time_added="1466459880" tags="">Second</a></li>
    </ul>
    </body>
    </html>

    """

  /// Chrome's file `Bookmarks`: a folder's name follows its content.
  static let chromeJSON = """
    {
       "checksum": "f3aa0e9c0edad632a246f7e98ec64918",
       "roots": {
          "bookmark_bar": {
             "children": [ {
                "children": [ {
                   "date_added": "13222310400000001",
                   "date_last_used": "0",
                   "guid": "00000000-0000-4000-a000-000000000010",
                   "id": "6",
                   "name": "Inner",
                   "type": "url",
                   "url": "https://example.org/inner"
                } ],
                "date_added": "13222310400000000",
                "id": "5",
                "name": "Work",
                "type": "folder"
             }, {
                "date_added": "13222310401000000",
                "id": "7",
                "name": "Plain",
                "type": "url",
                "url": "https://example.org/plain"
             } ],
             "date_added": "13118829474385693",
             "id": "1",
             "name": "Bookmarks bar",
             "type": "folder"
          },
          "other": { "children": [  ], "id": "2", "name": "Other bookmarks", "type": "folder" },
          "synced": { "children": [  ], "id": "3", "name": "Mobile bookmarks", "type": "folder" }
       },
       "version": 1
    }
    """

  /// A backup of Firefox.
  static let firefoxJSON = """
    {"guid":"root________","title":"","index":0,"dateAdded":1577836800000000,"lastModified":1577836800000000,"id":1,"typeCode":2,"type":"text/x-moz-place-container","root":"placesRoot","children":[{"guid":"menu________","title":"menu","index":0,"dateAdded":1577836800000000,"lastModified":1577836800000000,"id":2,"typeCode":2,"type":"text/x-moz-place-container","root":"bookmarksMenuFolder","children":[{"guid":"abcdefghijkl","title":"Books","index":0,"dateAdded":1577836800000000,"lastModified":1577836800000000,"id":7,"typeCode":2,"type":"text/x-moz-place-container","children":[{"guid":"abcdefghijkm","title":"One","index":0,"dateAdded":1577836800123456,"lastModified":1577836801000000,"id":8,"typeCode":1,"tags":"novel,to read","iconUri":"https://example.org/favicon.ico","type":"text/x-moz-place","uri":"https://example.org/one","annos":[{"name":"bookmarkProperties/description","value":"A book"},{"name":"other","value":"no"}]},{"guid":"abcdefghijkn","title":"","index":1,"dateAdded":1577836800000000,"lastModified":1577836800000000,"id":9,"typeCode":3,"type":"text/x-moz-place-separator"}]},{"guid":"abcdefghijko","title":"Recent","index":1,"id":10,"typeCode":1,"type":"text/x-moz-place","uri":"place:sort=8"}]}]}
    """

  static let pinboardJSON = """
    [{"href":"https:\\/\\/example.org\\/scroll","description":"An Infinite Scroller","extended":"TL;DR: \\"reuse\\"","meta":"21ff","hash":"e69b","time":"2016-10-31T15:57:56Z","shared":"yes","toread":"no","tags":"dom performance"},
    {"href":"https:\\/\\/example.org\\/v","description":"V","extended":"","meta":"d3","hash":"21","time":"2016-10-26T06:43:03Z","shared":"no","toread":"yes","tags":""}]

    """

  static let wallabagJSON = """
    [{"is_archived":1,"is_starred":0,"tags":["mmo","two words"],"is_public":false,"id":1,"title":"Entry","url":"https://example.org/e","given_url":"https://example.org/e?utm_source=x","content":"<p>long \\u00e4 text</p>","created_at":"2016-09-08T11:55:58+0200","updated_at":"2016-09-08T11:57:16+0200","annotations":[{"text":"my note","quote":"what it says","ranges":[{"start":"/p[1]"}]}],"mimetype":"text/html","language":"fr","reading_time":2,"domain_name":"example.org","preview_picture":"https://example.org/p.png"},
    {"is_archived":0,"tags":[{"id":1,"label":"three","slug":"three"}],"title":"Other","url":"https://example.org/o","created_at":"2016-09-08T11:55:58+0000"}]
    """

  static let omnivoreJSON = """
    [
      {
        "id": "9a2b", "slug": "a-page", "title": "A page", "description": "What it is", "author": "N",
        "url": "https://example.org/page", "state": "Archived", "readingProgress": 0,
        "thumbnail": "https://example.org/t.png", "labels": ["Swift", "Newsletter"],
        "savedAt": "2023-03-18T21:08:59.000Z", "updatedAt": "2023-03-19T21:08:59.000Z",
        "publishedAt": null
      }
    ]
    """

  static let opml = """
    <?xml version="1.0" encoding="UTF-8"?>
    <opml version="2.0">
      <head><title>Feeds</title></head>
      <body>
        <outline text="Tech" title="Tech">
          <outline type="rss" text="A feed" title="A feed &#8211; daily" xmlUrl="https://example.org/feed.xml" htmlUrl="https://example.org/" created="Fri, 20 Nov 2026 14:00:00 +0100"/>
          <outline text="Deep"><outline type="link" text="A page" url="https://example.org/page" description="Its note"></outline></outline>
        </outline>
        <outline text="Only feed" xmlUrl="https://example.net/rss" category="news,daily"/>
      </body>
    </opml>

    """
}
