/// A small file of each format of tasks, notes, highlights, single links and tabs. Each `§` stands for a word.
enum ForeignSamples {
  static let all: [(name: String, text: String)] = [
    (
      "todo.txt",
      "(A) 2026-01-02 § +§ @§ due:2026-01-10 t:2026-01-05 rec:+1w\nx 2026-01-03 2026-01-01 § pri:B k:§\n"
    ),
    (
      "t.json",
      #"[{"description":"§","due":"20260101T230000Z","entry":"20251201T080000Z","status":"pending","recur":"§","parent":"a","imask":1,"tags":["§"],"project":"§","uuid":"11111111-2222-3333-4444-555555555555","annotations":[{"entry":"20251202T080000Z","description":"§"}],"depends":"b","priority":"§","u§":"x"}]"#
    ),
    (
      "pending.data",
      #"[annotation_1764662400:"§ &dquot;b" dep_b:"" description:"§ \"now\"" due:"§" entry:"1764576000" status:"pending" tags:"§,§" uuid:"a" u§:"x"]"#
    ),
    (
      "Work [1].csv",
      "TYPE,CONTENT,DESCRIPTION,PRIORITY,INDENT,DATE,DURATION,DURATION_UNIT,C§\nsection,§,,,,,,,\ntask,§ @§,§,1,1,every! 3 days,30,minute,x\ntask,§,,4,2,§,,,\nnote,§,,,,,,,\n§,§,,,,,,,\n"
    ),
    (
      "Tasks.json",
      #"{"kind":"tasks#taskLists","items":[{"title":"§","items":[{"id":"a","title":"§","notes":"§","status":"completed","due":"2026-01-10T00:00:00Z","parent":"b","links":[{"description":"§","link":"https://§.example/"}],"u§":"x"}]}]}"#
    ),
    (
      "keep.json",
      #"{"textContent":"§","title":"§","userEditedTimestampUsec":1767308400000000,"labels":[{"name":"§"}],"listContent":[{"text":"§","isChecked":true}],"annotations":[{"title":"§","url":"https://§.example/"}],"attachments":[{"filePath":"§.png","mimetype":"image/png"}],"u§":"x"}"#
    ),
    (
      "n.enex",
      "<en-export><note><title>§</title><created>20250102T030405Z</created><tag>§</tag><note-attributes><source-url>https://§.example/</source-url><u>x</u§></note-attributes><content><![CDATA[<en-note><b>§</b> <a href=\"https://§.example/\">§</a> <en-todo checked=\"true\"/>§</en-note>]]></content><resource><data encoding=\"base64\">iVBORw==</data><mime>image/§</mime><resource-attributes><file-name>§</file-name></resource-attributes></resource></note></en-export>"
    ),
    (
      "n.md",
      "---\ntitle: §\ntags: [§, §]\ncreated: §\nsource: https://§.example/\nu§: x\n---\n#§ §\n```\n#§\n```\n"
    ),
    (
      "T 0123456789abcdef0123456789abcdef.md",
      "# §\n\nTags: §, §\nURL: https://§.example/\nu§: x\n\n§\n"
    ),
    (
      "r.csv",
      "Highlight,Book Title,Book Author,Note,Tags,Location Type,Location,Highlighted at,c§\n\"§, q\",§,§,§,\"§,§\",§,1,§,x\n"
    ),
    (
      "My Clippings.txt",
      "§ (§)\n- Ihre Markierung auf Seite § | Hinzugefügt am Dienstag, 2. Januar 2024 22:00:00\n\n§\n==========\n§\n- Lesezeichen | x\n\n\n==========\n"
    ),
    ("a.url", "[InternetShortcut]\r\nURL=https://§.example/\r\nu§=1\r\n"),
    ("a.desktop", "[Desktop Entry]\nType=Link\nName=§\nURL=https://§.example/\nComment=§\nu§=x\n"),
    (
      "a.webloc",
      "<plist version=\"1.0\"><dict><key>URL</key><string>https://§.example/</string><key>u§</key><string>x</string></dict></plist>"
    ),
    (
      "d.xml",
      "<posts user=\"a\"><post href=\"https://§.example/\" description=\"§\" extended=\"§\" tag=\"§ §\" time=\"§\" shared=\"no\" u§=\"x\"/></posts>"
    ),
    (
      "s.json",
      #"{"version":["sessionrestore",1],"windows":[{"title":"§","tabs":[{"entries":[{"url":"https://§.example/","title":"§"}],"index":1,"lastAccessed":1767308400000}]}]}"#
    ),
    (
      "Session_1",
      "SNSS\u{3}\0\0\0\u{2D}\0\u{6}\u{28}\0\0\0\u{1}\0\0\0\0\0\0\0\u{12}\0\0\0https://a.example/\0\0\u{1}\0\0\0O\0\0\0"
    ),
  ]

  /// Returns the text of a sample with the words that `word` gives.
  static func filled(_ sample: String, word: () -> String) -> String {
    let parts = sample.split(separator: "§", omittingEmptySubsequences: false)
    return parts.dropFirst().reduce(String(parts[0])) { $0 + word() + $1 }
  }
}
