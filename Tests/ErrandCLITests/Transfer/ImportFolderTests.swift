import TestSupport
import Testing

/// Import of folders and zips, and files that other commands take.
@Suite struct ImportFolderTests {
  private let files = [
    "all/t.csv": "url,title\nhttps://a.org/,A\n", "all/sub/l.txt": "https://b.org/ B\n",
    "all/again.csv": "url,title\nhttps://a.org/,Other\n",
  ]

  @Test func eachFileOfAFolderIsTakenByItsKind() throws {
    let sandbox = try Sandbox(files)
    try sandbox.write(bytes: [0x89, 0x50, 0x4E, 0x47], to: "all/p.png")
    let trial = try sandbox.run("import", "all", "--dry-run")
    #expect(
      trial.out.hasSuffix(
        "would have created 2, merged 1, left out 0, bad 0 of 3 records in 3 files\n"))
    #expect(try sandbox.run("find", "Link").out == "")
    let run = try sandbox.run("import", "all")
    #expect(run.out == "created 2, merged 1, left out 0, bad 0 of 3 records in 3 files\n")
    #expect(
      run.err == """
        all/t.csv:2: left out: another `title` is here and stays; --prefer theirs takes the file's
        left out: all/p.png is a picture

        """)
    let again = try sandbox.run("import", "all")
    #expect(again.err.contains("errand: nothing is new: all of it is here already\n"))
    #expect(again.err.split(separator: "\n").filter { $0.contains("nothing is new") }.count == 1)
  }

  /// The archive has one file, and another that would lie outside of its folder.
  @Test func filesOfAZipAreTaken() throws {
    func entry(_ name: String, _ text: String, at place: Int) -> (file: [UInt8], row: [UInt8]) {
      func number(_ value: Int, _ size: Int) -> [UInt8] {
        (0..<size).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
      }
      let sizes =
        number(0, 8) + number(0, 4) + number(text.utf8.count, 4) + number(text.utf8.count, 4)
      let names = number(name.utf8.count, 2) + number(0, 2)
      return (
        Array("PK\u{3}\u{4}".utf8) + number(20, 2) + sizes + names + Array((name + text).utf8),
        Array("PK\u{1}\u{2}".utf8) + number(20, 2) + number(20, 2) + sizes + names + number(0, 10)
          + number(place, 4) + Array(name.utf8)
      )
    }
    let first = entry("l.txt", "https://a.org/\n", at: 0)
    let second = entry("../evil.txt", "https://evil.org/\n", at: first.file.count)
    let start = first.file.count + second.file.count
    let rows = first.row + second.row
    func four(_ value: Int) -> [UInt8] { (0..<4).map { UInt8(value >> (8 * $0) & 0xFF) } }
    let end =
      Array("PK\u{5}\u{6}".utf8) + [0, 0, 0, 0, 2, 0, 2, 0] + four(rows.count) + four(start) + [
        0, 0,
      ]
    let sandbox = try Sandbox()
    let zip = first.file + second.file + rows + end
    try sandbox.write(bytes: zip, to: "all.zip")
    #expect(
      try sandbox.run("import", "all.zip").out
        == "created 1, merged 0, left out 0, bad 0 of 1 bookmarks\n")
    #expect(
      try sandbox.run("find", "Link", "--format", "{{ self.url }}").out == "https://a.org/\n")
    try sandbox.write(bytes: Array(zip.dropLast(30)), to: "cut.zip")
    let cut = try sandbox.run("import", "cut.zip")
    #expect(cut.status == 1)
    #expect(cut.err.contains("cut.zip is not a whole zip"))
  }

  @Test(arguments: [
    ("m.eml", "Received: from a\nFrom: a@b.org\n\nText\n", "a mail", "errand share-in FILE"),
    ("s.shortcut", "AEA1\u{0}\u{0}", "a shortcut of Apple's app", "errand convert FILE"),
    ("d.pdf", "%PDF-1.7\n", "a PDF", "errand share-in FILE"),
    ("e.yaml", "entity: Book\nproperties: {}\n", "a definition of Errand", "errand check FILE"),
  ])
  func aFileOfAnotherCommandIsNamed(
    _ name: String, _ text: String, _ noun: String, _ command: String
  ) throws {
    let run = try Sandbox([name: text]).run("import", name)
    #expect(run.status == 1)
    #expect(run.err == "errand: error: \(name) is \(noun) [invalid-value]\n  help: \(command)\n")
  }
}
