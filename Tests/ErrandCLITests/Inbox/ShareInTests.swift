import FoundationEssentials
import Glibc
import TestSupport
import Testing

/// Shares created by `share-in`, and the input it rejects.
@Suite struct ShareInTests {
  static let inbox = ".local/share/errand/library.db.inbox"

  /// First lines of the waiting shares, oldest first.
  private func waiting(_ sandbox: Sandbox, in inbox: String = inbox) throws -> [String] {
    let folder = sandbox.path + "/" + inbox + "/new"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().compactMap { sandbox.read("\(inbox)/new/\($0)") }
  }

  /// Arguments, and the items of the resulting share.
  static let words: [(words: [String], items: String)] = [
    (["https://swift.org/?a=b&c#d"], #"[{"url":"https://swift.org/?a=b&c#d"}]"#),
    (["Buy", "milk"], #"[{"text":"Buy milk"}]"#),
    (["See https://swift.org"], #"[{"text":"See https://swift.org"}]"#),
    (["call", "me"], #"[{"text":"call me"}]"#),
    (["call"], #"[{"name":"call","size":2}]"#),
    (["a.md", "b.md"], #"[{"name":"a.md","size":2},{"name":"b.md","size":2}]"#),
    (["look", "a.md"], #"[{"text":"look"},{"name":"a.md","size":2}]"#),
    (["--type", "text", "call"], #"[{"kind":"text","text":"call"}]"#),
    (["--type", "text", "https://swift.org"], #"[{"kind":"text","text":"https://swift.org"}]"#),
    (
      ["--type", "text/csv", "a.md"],
      #"[{"name":"a.md","mediaType":"text/csv","size":2}]"#
    ),
    (["Grüße 行 🎉"], #"[{"text":"Grüße 行 🎉"}]"#),
  ]

  @Test(arguments: words) func wordsBecomeOneShare(_ row: (words: [String], items: String)) throws {
    let sandbox = try Sandbox(["call": "x\n", "a.md": "a\n", "b.md": "b\n"])
    let run = try sandbox.run(["share-in", "--quiet"] + row.words)
    #expect(run == ProgramRun())
    #expect(
      try waiting(sandbox).map { $0.prefix { $0 != "\n" } } == [
        #"{"share":1,"items":\#(row.items)}"#
      ])
  }

  @Test func shareKeepsItsOrigin() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.run(
      "share-in", "https://swift.org", "--from", "browser", "--title", "Swift \"5\"", "--to", "x")
    #expect(run.status == 0 && run.out == "")
    #expect(run.err.hasPrefix("Added to the inbox ("))
    #expect(
      try waiting(sandbox) == [
        #"{"share":1,"from":"browser","title":"Swift \"5\"","to":"x","#
          + #""items":[{"url":"https://swift.org"}]}"# + "\n"
      ])
    // It is readable only by its owner, and the store was not created.
    var status = stat()
    stat(sandbox.path + "/" + Self.inbox + "/new", &status)
    #expect(status.st_mode & 0o777 == 0o700)
    #expect(sandbox.read(".local/share/errand/library.db") == nil)
  }

  @Test func standardInputIsATextOrAFile() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("share-in", "-", "-q", input: "two\nlines\n") == ProgramRun())
    let picture: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 1]
    #expect(
      try sandbox.run(["share-in", "-", "-q", "--name", "a.png"], input: picture) == ProgramRun())
    #expect(
      try sandbox.run("share-in", "-", "-q", input: "From: a@b\nTo: c@d\nSubject: x\n\nHi\n")
        == ProgramRun())
    #expect(
      try waiting(sandbox).map { $0.prefix { $0 != "\n" } } == [
        #"{"share":1,"items":[{"text":"two\nlines"}]}"#,
        #"{"share":1,"items":[{"name":"a.png","size":10}]}"#,
        #"{"share":1,"from":"a@b","title":"x","items":[{"kind":"text","text":"Hi\n"}]}"#,
      ])
  }

  @Test func filesAreSharedByTheirURLs() throws {
    let sandbox = try Sandbox(["n.csv": "a,b\n", "a folder/ü.txt": "x", "a folder/in/y": "y"])
    let urls = [
      "file://\(sandbox.path)/n.csv", "file://localhost\(sandbox.path)/a%20folder/%C3%BC.txt",
    ]
    let header = #"{"share":1,"items":[{"name":"n.csv","size":4},{"name":"ü.txt","size":1}]}"#
    #expect(try sandbox.run(["share-in", "-q"] + urls) == ProgramRun())
    #expect(
      try sandbox.run("share-in", "-q", "-", input: urls.joined(separator: "\r\n")) == ProgramRun())
    try sandbox.write(urls.joined(separator: "\n"), to: "clipboard")
    #expect(try sandbox.run("share-in", "-q", "--clipboard") == ProgramRun())
    #expect(
      try waiting(sandbox) == Array(repeating: header + "\na,b\nx", count: 3))
  }

  @Test func aFolderIsItsFiles() throws {
    let sandbox = try Sandbox(["docs/b": "b", "docs/a": "a", "docs/in/c": "c", "docs/.git/x": "x"])
    let header =
      #"{"share":1,"items":[{"name":"a","size":1},{"name":"b","size":1},{"name":"c","size":1}]}"#
    for words in [
      ["./docs"], ["docs/"], ["file://\(sandbox.path)/docs"], ["--type", "file", "docs"],
    ] {
      #expect(try sandbox.run(["share-in", "-q"] + words) == ProgramRun())
    }
    #expect(try waiting(sandbox) == Array(repeating: header + "\nabc", count: 4))
    // A word that is not a path stays a word.
    #expect(try sandbox.run("share-in", "-q", "docs", "are", "here") == ProgramRun())
    #expect(try waiting(sandbox).last?.contains("docs are here") == true)
  }

  @Test func theClipboardIsShared() throws {
    let sandbox = try Sandbox()
    let none = try sandbox.run("share-in", "--clipboard")
    #expect(none.status == 2 && none.err.contains("there is no text on the clipboard"))
    try sandbox.write("https://swift.org\n", to: "clipboard")
    #expect(try sandbox.run("share-in", "--clipboard", "-q") == ProgramRun())
    #expect(
      try waiting(sandbox) == [#"{"share":1,"items":[{"text":"https://swift.org\n"}]}"# + "\n"])
  }

  @Test func aMailIsItsTextAndItsFiles() throws {
    let sandbox = try Sandbox([
      "mail": """
      From: Ada <ada@example.com>
      To: me@example.com
      Subject: =?utf-8?Q?Caf=C3=A9?=
      Content-Type: multipart/mixed; boundary=b

      --b

      See you there.
      --b
      Content-Type: application/octet-stream; name=map.bin
      Content-Transfer-Encoding: base64

      JVBERi0xLjQ=
      --b--
      """
    ])
    #expect(try sandbox.shell("errand share-in - -q < mail; errand inbox drain -q") == ProgramRun())
    #expect(
      try sandbox.run("find", "notes", "--format", "{{ self.text }}").out
        == "Café\n\nSee you there.\n")
    #expect(
      try sandbox.run(
        "find", "files", "--format", "{{ self }} {{ self.mediaType }} {{ self.source }}"
      )
      .out == "map.bin application/pdf Ada <ada@example.com>\n")
  }

  private static let received = (0..<100).map {
    "Received: from a.example by b.example;\n Tue, 10 Nov 2026 10:00:\($0)\n"
  }.joined()

  /// Mails at each door become notes with their subjects, and their addresses links.
  @Test(arguments: [
    "share-in -", "share-in m.eml", "share-in m", "copy", "share-in - --name m.eml",
  ])
  func aMailIsOneAtEachDoor(_ door: String) throws {
    let text =
      "From: Ada <ada@a.example>\nTo: b\nSubject: Caf\u{E9}\nX_y: z\n\nhttps://a.example/x \u{E9}\n"
    let bytes = text.unicodeScalars.map { UInt8($0.value) }
    let sandbox = try Sandbox(["start": Self.received])
    let octal = bytes.map { byte in
      let digits = String(byte, radix: 8)
      return "\\" + String(repeating: "0", count: 3 - digits.count) + digits
    }.joined()
    let put =
      door == "copy"
      ? "errand share-in x -q; errand inbox drain -q; touch -d '1 hour ago' m.eml; cp -p m.eml \(Self.inbox)/new/"
      : "errand \(door) -q < m"
    let run = try sandbox.shell(
      "{ cat start; printf '\(octal)'; } > m; cp m m.eml; \(put); errand inbox drain -q")
    #expect(run == ProgramRun())
    #expect(
      try sandbox.run("find", "notes", "Café", "--format", "{{ self.text }}").out
        == "Café\n\nhttps://a.example/x é\n")
    #expect(
      try sandbox.run("find", "links", "--format", "{{ self.url }}").out == "https://a.example/x\n")
    #expect(try sandbox.run("find", "files", "-q").out == "")
  }

  /// Mails in one file are notes of their own, imported once.
  @Test func aMailboxIsItsMails() throws {
    let mail = { (name: String) in
      "From x@a.example Tue Nov 10 10:00:00 2026\nFrom: x@a.example\nTo: y\nSubject: \(name)\n\n>From \(name)\n\n"
    }
    let sandbox = try Sandbox([
      "box.mbox": mail("one") + "From z 10:00\nFrom: z@a.example\nTo: y\n\n" + mail("two"),
      "Maildir/cur/1:2,S": "From: x@a.example\nTo: y\nSubject: three\n\n>From three",
      "Maildir/new/2": "From: x@a.example\nTo: y\nSubject: four\n\n4",
      "Maildir/tmp/3": mail("five"),
    ])
    #expect(
      try sandbox.shell(
        "errand share-in box.mbox ./box.mbox -q; errand share-in ./Maildir -q; errand inbox drain -q; errand inbox drain -q"
      )
        == ProgramRun())
    #expect(
      try sandbox.run(
        "find", "notes", "--sort", "text", "--format", "{{ self.text.lines().join(\"|\") }}"
      ).out
        == "four||4\none||From one\none||From one\nthree||>From three\ntwo||From two\ntwo||From two\nz@a.example\nz@a.example\n"
    )
  }

  /// Whoever accepts files of mails gets them.
  @Test func definitionsMayAcceptMails() throws {
    let sandbox = try Sandbox([
      "m.eml": "From: x@a.example\nTo: y\nSubject: z\n\ntext\n",
      ".config/errand/a.yaml":
        "shortcut: take-mail\naccepts: {types: [message/rfc822], where: 'true'}\nsteps: [{add-note: '{{ input.name }}'}]\n",
    ])
    #expect(try sandbox.shell("errand share-in m.eml -q; errand inbox drain -q") == ProgramRun())
    #expect(try sandbox.run("find", "notes", "--format", "{{ self.text }}").out == "m.eml\n")
    #expect(
      try sandbox.shell("errand share-in m.eml --to keep-file -q; errand inbox drain -q")
        == ProgramRun())
    #expect(try sandbox.run("find", "files", "--format", "{{ self }}").out == "m.eml\n")
  }

  @Test func aPersonChoosesWhereItGoes() throws {
    let sandbox = try Sandbox([
      ".config/errand/a.yaml":
        "shortcut: read-aloud\naccepts: {types: [text]}\nsteps: [{add-note: Aloud}]\n"
    ])
    let terminal = try sandbox.terminal("share-in", "a text")
    try terminal.expect("Where should “a text” go?")
    terminal.type("read\r")
    #expect(try terminal.finish() == 0)
    #expect(try waiting(sandbox).first?.contains(#""to":"read-aloud""#) == true)
  }

  @Test func namesMayHaveAnyBytes() throws {
    let sandbox = try Sandbox()
    let run = try sandbox.shell(
      #"f="$(printf 'a\377\n b.txt')"; printf hello > "$f"; errand share-in "./$f" -q"#)
    #expect(run == ProgramRun())
    #expect(
      try waiting(sandbox) == [
        #"{"share":1,"items":[{"name":"a\#u{FFFD}\n b.txt","size":5}]}"# + "\nhello"
      ])
    // Elsewhere, and as text, such bytes are rejected.
    let text = try sandbox.shell(#"errand share-in --type text "$(printf 'a\377')""#)
    #expect(text.err.hasPrefix("errand: error: a text is not valid UTF-8 [usage]\n"))
    #expect(try sandbox.shell(#"errand add-note "$(printf 'a\377')""#).status == 2)
  }

  /// Invalid command lines and their messages.
  static let wrong: [(words: [String], error: String)] = [
    ([], "`share-in` needs something to share"),
    (["./nothing"], "there is no file ./nothing"),
    (["./empty"], "./empty has no files in it"),
    (["./many"], "./many has too many files for one share: at most 10"),
    (["file:///no/such/file"], "there is no file /no/such/file"),
    (
      ["file://elsewhere/etc/passwd"],
      "file://elsewhere/etc/passwd is on another machine, “elsewhere”"
    ),
    ([""], "the text is empty"),
    (["-"], "standard input is empty"),
    (["--type", "url", "nope"], "“nope” is not a URL"),
    (["--type", "txet", "x"], "--type must be text, url or file, not “txet”"),
    (["--store", ":memory:", "x"], "a store in memory has no inbox"),
    (["--name", "x", "text"], "--name is for standard input"),
    (["./large"], "./large has 51 MiB; the limit is 50 MiB"),
    (Array(repeating: "https://swift.org", count: 11), "11 things are too many for one share"),
  ]

  @Test(arguments: wrong)
  func invalidSharesAreRejected(_ row: (words: [String], error: String)) throws {
    let sandbox = try Sandbox(["empty/.hidden": "", "large": ""])
    for number in 1...11 { try sandbox.write("x", to: "many/\(number)") }
    truncate(sandbox.path + "/large", 51 << 20)
    let run = try sandbox.run(["share-in"] + row.words)
    #expect(run.status == 2 && run.out == "")
    #expect(run.err.hasPrefix("errand: error: " + row.error), "\(run)")
    #expect(try waiting(sandbox) == [])
  }

  @Test func aStoreThatIsBrokenOrLockedDoesNotMatter() throws {
    let sandbox = try Sandbox([".local/share/errand/library.db": "no database"])
    #expect(try sandbox.run("share-in", "x", "-q") == ProgramRun())
    #expect(try sandbox.run("share-in", "x", "-q", "--store", "other.db") == ProgramRun())
    #expect(try waiting(sandbox).count == 1)
    #expect(try waiting(sandbox, in: "other.db.inbox").count == 1)
  }

  @Test func aFolderThatCantBeWrittenSaysSo() throws {
    let sandbox = try Sandbox([Self.inbox: "in the way"])
    let run = try sandbox.run("share-in", "x")
    #expect(run.status == 1)
    #expect(
      run.err.hasPrefix("errand: error: \(sandbox.path)/\(Self.inbox)/tmp: not a directory [io]"))
  }
}
