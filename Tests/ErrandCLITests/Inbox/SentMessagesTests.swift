import FoundationEssentials
import TestSupport
import Testing

/// Links from mailboxes and chats: who sent them, in which conversation, each once.
@Suite struct SentMessagesTests {
  /// The shelf as `conversation: url (sender)` lines, sorted.
  private func shelf(_ sandbox: Sandbox) throws -> [String] {
    #expect(try sandbox.run("inbox", "drain", "--quiet").status == 0)
    return try sandbox.run(
      "find", "Shared", "--quiet", "--limit", "100000", "--format",
      "{{ self.conversation }}: {{ self.url }} ({{ self.from }})"
    ).out.split(separator: "\n").map(String.init).sorted()
  }

  private static let mailbox = """
    From mara@example.org Tue Nov 10 10:00:00 2026
    From: "Mara, K." <mara@example.org>
    Subject: Re: [books] AW: Reading
    Message-ID: <1@example.org>
    Content-Type: text/plain

    See https://a.example/one, and (https://a.example/two).
    >From here on nothing.

    From eva@example.org Tue Nov 10 11:00:00 2026
    From: =?utf-8?q?Eva_=C3=84?= <eva@example.org>
    Subject: Reading
    Content-Type: text/html

    <p>Look: <a href="https://b.example/x?a=1&amp;b=2">here</a>

    From nobody Tue Nov 10 12:00:00 2026
    Subject: No link
    From: x@example.org

    Nothing.

    From broken

    From mara@example.org Tue Nov 10 10:00:00 2026
    From: "Mara, K." <mara@example.org>
    Subject: Re: Reading
    Message-ID: <1@example.org>

    See https://a.example/one again.
    """

  @Test func mailbox() throws {
    let sandbox = try Sandbox(["box": Self.mailbox])
    let run = try sandbox.run("share-in", "--shelf", "box")
    #expect(
      run.err == "Added 3 messages with links to the inbox; 1 without were passed over.\n", "\(run)"
    )
    #expect(
      try shelf(sandbox) == [
        "Reading: https://b.example/x?a=1&b=2 (Eva Ä)",
        "[books] AW: Reading: https://a.example/one (Mara, K.)",
        "[books] AW: Reading: https://a.example/two (Mara, K.)",
      ])
    // Read again, as by a clock, it brings nothing new.
    _ = try sandbox.run("share-in", "--shelf", "box")
    #expect(try shelf(sandbox).count == 3)
  }

  @Test func maildirAndPipe() throws {
    let mail = "From: Ann <ann@x.example>\nSubject: Hi\nTo: me@x.example\n\nhttps://one.example\n"
    let sandbox = try Sandbox([
      "Maildir/new/1.a": mail, "Maildir/cur/2.b:2,S": mail.replacing("one", with: "two"),
      "Maildir/tmp/3": mail.replacing("one", with: "three"),
    ])
    #expect(try sandbox.run("share-in", "--shelf", "Maildir").status == 0)
    #expect(
      try sandbox.run("share-in", "--shelf", "-", input: mail.replacing("one", with: "four"))
        .status == 0)
    #expect(
      try shelf(sandbox) == ["four", "one", "two"].map { "Hi: https://\($0).example (Ann)" })
  }

  @Test(arguments: [
    "[12.11.26, 10:11:12] Mara: Look https://a.example/x\nand https://a.example/y.\n[12.11.26, 10:12:00] Tom: Nice\n",
    "11/12/26, 10:11 AM - Messages are encrypted.\n11/12/26, 10:11 AM - Mara: Look https://a.example/x\nand https://a.example/y.\n",
  ])
  func whatsApp(text: String) throws {
    let sandbox = try Sandbox(["WhatsApp Chat with Readers.txt": text])
    let run = try sandbox.run("share-in", "--shelf", "WhatsApp Chat with Readers.txt")
    #expect(run.err.contains("Added 1 message with links"), "\(run)")
    #expect(
      try shelf(sandbox) == [
        "Readers: https://a.example/x (Mara)", "Readers: https://a.example/y (Mara)",
      ])
  }

  @Test func telegram() throws {
    let sandbox = try Sandbox([
      "result.json": """
      {"name": "Readers", "messages": [
        {"id": 1, "from": "Mara", "text": "https://a.example"},
        {"id": 2, "from": "Tom", "text": ["See ", {"type": "text_link", "text": "this", "href": "https://b.example"}]},
        {"id": 3, "from": "Tom", "text": "No."}, {"id": 4, "text": 5}, 6]}
      """
    ])
    #expect(try sandbox.run("share-in", "--shelf", "result.json").status == 0)
    #expect(
      try shelf(sandbox) == [
        "Readers: https://a.example (Mara)", "Readers: https://b.example (Tom)",
      ])
  }

  @Test func offTakesNothingAndEmpties() throws {
    let sandbox = try Sandbox(["box": Self.mailbox])
    _ = try sandbox.run("share-in", "--shelf", "box")
    #expect(try shelf(sandbox).count == 3)
    #expect(try sandbox.run("settings", "set", "shelf", "off").status == 0)
    #expect(try shelf(sandbox).isEmpty)
    #expect(
      try sandbox.run("share-in", "https://c.example", "--sender", "Mara").status == 0)
    #expect(try shelf(sandbox).isEmpty)
    #expect(try sandbox.run("inbox", "--json").out == "[]\n")
  }

  @Test(arguments: ["", "just words\n", "{\"a\": 1}", "{"])
  func otherFilesAreRefused(text: String) throws {
    let sandbox = try Sandbox(["x": text])
    let run = try sandbox.run("share-in", "--shelf", "x")
    #expect(run.status == 2 && run.err.hasPrefix("errand: error: x is "), "\(run)")
  }
}
