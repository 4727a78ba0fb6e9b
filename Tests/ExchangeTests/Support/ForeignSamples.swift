/// A small file of each format of tasks, notes, highlights, single links and tabs.
enum ForeignSamples {
  static let all: [(name: String, text: String)] = [
    (
      "todo.txt",
      "(A) 2026-01-02 Call +Family @phone due:2026-01-10 t:2026-01-05 rec:+1w\nx 2026-01-03 2026-01-01 Pay pri:B errand:{\"notes\":\"n\"}\n"
    ),
    (
      "t.json",
      #"[{"description":"Pay","due":"20260101T230000Z","entry":"20251201T080000Z","status":"pending","recur":"2wks","parent":"a","imask":1,"tags":["m"],"uuid":"11111111-2222-3333-4444-555555555555","annotations":[{"entry":"20251202T080000Z","description":"note"}],"depends":"b","priority":"H"}]"#
    ),
    (
      "pending.data",
      #"[annotation_1764662400:"a &dquot;b" dep_b:"" description:"Pay \"now\"" due:"1767308400" entry:"1764576000" status:"pending" tags:"m,h" uuid:"a"]"#
    ),
    (
      "Work [1].csv",
      "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE,DURATION,DURATION_UNIT\nsection,S,,,,,,\ntask,A @x,d,1,1,every! 3 days,30,minute\ntask,B,,4,2,2026-01-10,,\nnote,N,,,,,,\n"
    ),
    (
      "Tasks.json",
      #"{"kind":"tasks#taskLists","items":[{"title":"L","items":[{"id":"a","title":"P","status":"completed","due":"2026-01-10T00:00:00Z","parent":"b","links":[{"description":"d","link":"https://a.example/"}]}]}]}"#
    ),
    (
      "keep.json",
      #"{"textContent":"Buy","title":"K","userEditedTimestampUsec":1767308400000000,"labels":[{"name":"h"}],"listContent":[{"text":"e","isChecked":true}],"annotations":[{"url":"https://a.example/"}],"attachments":[{"filePath":"p.png","mimetype":"image/png"}]}"#
    ),
    (
      "n.enex",
      "<en-export><note><title>K</title><created>20250102T030405Z</created><tag>t</tag><note-attributes><source-url>https://a.example/</source-url></note-attributes><content><![CDATA[<en-note><b>x</b><en-todo checked=\"true\"/>y</en-note>]]></content><resource><data encoding=\"base64\">iVBORw==</data><mime>image/png</mime></resource></note></en-export>"
    ),
    (
      "n.md",
      "---\ntitle: T\ntags: [x, y]\ncreated: 2026-01-02\nsource: https://a.example/\n---\n#tag text\n```\n#no\n```\n"
    ),
    (
      "T 0123456789abcdef0123456789abcdef.md",
      "# T\n\nTags: a, b\nURL: https://a.example/\n\nText\n"
    ),
    (
      "r.csv",
      "Highlight,Book Title,Book Author,Note,Tags,Location Type,Location,Highlighted at\n\"Q, q\",B,A,n,\"t,u\",page,1,2024-01-02 03:04:05+00:00\n"
    ),
    (
      "My Clippings.txt",
      "Book (Ada)\n- Ihre Markierung auf Seite 1 | Hinzugefügt am Dienstag, 2. Januar 2024 22:00:00\n\nA quote\n==========\n"
    ),
    ("a.url", "[InternetShortcut]\r\nURL=https://a.example/\r\nHotKey=1\r\n"),
    ("a.desktop", "[Desktop Entry]\nType=Link\nName=N\nURL=https://a.example/\nComment=c\n"),
    (
      "a.webloc",
      "<plist version=\"1.0\"><dict><key>URL</key><string>https://a.example/</string></dict></plist>"
    ),
    (
      "d.xml",
      "<posts user=\"a\"><post href=\"https://a.example/\" description=\"O\" extended=\"n\" tag=\"a b\" time=\"2010-01-01T00:00:00Z\" shared=\"no\"/></posts>"
    ),
    (
      "s.json",
      #"{"version":["sessionrestore",1],"windows":[{"title":"W","tabs":[{"entries":[{"url":"https://a.example/","title":"O"}],"index":1,"lastAccessed":1767308400000}]}]}"#
    ),
    (
      "Session_1",
      "SNSS\u{3}\0\0\0\u{2D}\0\u{6}\u{28}\0\0\0\u{1}\0\0\0\0\0\0\0\u{12}\0\0\0https://a.example/\0\0\u{1}\0\0\0O\0\0\0"
    ),
  ]
}
