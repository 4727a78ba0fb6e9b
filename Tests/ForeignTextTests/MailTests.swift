import ForeignText
import TestSupport
import Testing

/// Mails of real programs (RFC 5322, 2045 to 2047, 2231).
@Suite struct MailTests {
  private func mail(_ text: String) -> Mail { Mail(Array(text.utf8)) }

  @Test func parsesAPlainMail() {
    let mail = mail(
      "From: Ada <ada@example.com>\r\nSubject: Hello\r\n there\r\n\r\nHi!\r\n\r\nBye.\r\n")
    #expect(mail.subject == "Hello there")
    #expect(mail.sender == "Ada <ada@example.com>")
    #expect(mail.texts == [.plain("Hi!\n\nBye.\n")])
    #expect(mail.attachments.isEmpty)
  }

  /// Fields with encoded words, and their decoded text.
  static let words: [(field: String, text: String)] = [
    ("=?utf-8?B?R3LDvMOfZQ==?=", "Grüße"),
    ("=?ISO-8859-1?Q?Gr=FC=DFe_an_alle?=", "Grüße an alle"),
    ("=?utf-8?q?a?= =?utf-8?q?b?= c", "ab c"),
    ("Re: =?UTF-8?Q?=E2=82=AC?= 5", "Re: € 5"),
    ("=?nope?X?a?=", "=?nope?X?a?="),
    ("1 =? 2", "1 =? 2"),
    ("=?utf-8?Q?broken", "=?utf-8?Q?broken"),
    // A character in two words, and a language.
    ("=?utf-8?B?w4Q=?=\n =?utf-8?B?w7w=?=", "Äü"),
    ("=?utf-8?B?8J+N?= =?utf-8?B?ng==?=", "🍞"),
    ("=?utf-8*en?Q?=C3=A4?=", "ä"),
    ("Gr\u{FC}\u{DF}e", "Grüße"),
  ]

  @Test(arguments: words) func decodesEncodedWords(_ row: (field: String, text: String)) {
    #expect(mail("Subject: \(row.field)\n\n").subject == row.text)
  }

  @Test func parsesPartsAndAttachments() {
    let mail = mail(
      """
      From: a@example.com
      Subject: Report
      MIME-Version: 1.0
      Content-Type: multipart/mixed; boundary="outer"

      Not for programs.
      --outer
      Content-Type: multipart/alternative; boundary=inner

      --inner
      Content-Type: text/plain; charset=iso-8859-1
      Content-Transfer-Encoding: quoted-printable

      Gr=FC=DFe =
      an alle
      --inner
      Content-Type: text/html

      <p>Grüße</p>
      --inner--
      --outer
      Content-Type: application/pdf; name="a.pdf"
      Content-Disposition: attachment;
       filename*0*=utf-8''R%C3%A9sum;
       filename*1*=%C3%A9.pdf
      Content-Transfer-Encoding: base64

      JVBE
      Ri0=
      --outer
      Content-Type: image/png
      Content-Disposition: inline; filename="=?utf-8?Q?=C3=A4.png?="
      Content-Transfer-Encoding: base64

      iVBORw0KGgo=
      --outer--
      After it.
      """)
    #expect(mail.texts == [.plain("Grüße an alle")])
    #expect(mail.attachments.map(\.name) == ["Résumé.pdf", "ä.png"])
    #expect(mail.attachments.first?.bytes == Array("%PDF-".utf8))
    #expect(mail.attachments.map(\.mediaType) == ["application/pdf", "image/png"])
  }

  /// Parts that are not alternatives are all read, in order.
  @Test func readsAllParts() {
    let mail = mail(
      """
      Content-Type: multipart/mixed; boundary=outer

      --outer
      Content-Type: multipart/alternative; boundary=inner

      --inner
      Content-Type: text/html

      <p>only HTML</p>
      --inner--
      --outer

      plain
      --outer
      Content-Type: text/html

      <p>a footer</p>
      --outer--
      """)
    #expect(mail.texts == [.html("<p>only HTML</p>"), .plain("plain"), .html("<p>a footer</p>")])
  }

  @Test func readsMalformedMails() {
    #expect(mail("").texts == [])
    #expect(mail("no colon\nFrom: a@b\n\nx").texts == [.plain("x")])
    let cut = mail("Content-Type: multipart/mixed; boundary=b\n\n--b\n\nonly this")
    #expect(cut.texts == [.plain("only this")])
    // Text without any part is no file.
    #expect(
      mail("Content-Type: multipart/mixed\n\nno boundary").texts == [.plain("no boundary")])
    #expect(
      mail("Content-Type: multipart/mixed; boundary=b\n\nno part").texts == [.plain("no part")])
    var nested = "x"
    for level in 0..<50 {
      nested =
        "Content-Type: multipart/mixed; boundary=b\(level)\n\n--b\(level)\n\(nested)\n--b\(level)--\n"
    }
    _ = mail(nested)
  }

  /// Parameters in the forms of RFC 2231, and in those that programs write instead.
  static let names: [(parameters: String, name: String?)] = [
    ("; filename=\"a;b \\\"c\\\".txt\"", "a;b \"c\".txt"),
    ("; filename=report final.pdf; size=3", "report final.pdf"),
    ("; filename*1*=%C3%A4; filename*0*=utf-8''x; filename*2=\"%41\"", "xä%41"),
    ("; filename*=iso-8859-1'de'%E4.txt", "ä.txt"),
    ("; filename=\"=?utf-8?B?w6Q=?= =?utf-8?B?LnR4dA==?=\"", "ä.txt"),
    ("; FileName = x.txt", "x.txt"), ("; filename*3=x; filename*5*=%20y", "x y"), ("; file=x", nil),
  ]

  @Test(arguments: names) func readsFileNames(_ row: (parameters: String, name: String?)) {
    let mail = mail("Content-Disposition: attachment\(row.parameters)\n\nx")
    #expect(mail.attachments.map(\.name) == [row.name], "\(row.parameters)")
  }

  /// Bodies with their fields, and the text.
  static let bodies: [(fields: String, body: String, text: String)] = [
    (
      "Content-Type: text/plain; format=flowed",
      "one \ntwo\n> quoted \n> more\n>> deep \nout\n -- \n From x\n-- \nMara",
      "one two\n> quoted more\n>> deep \nout\n-- \nFrom x\n-- \nMara"
    ),
    (
      "Content-Type: text/plain; format=Flowed; delsp=yes", "https://a.example/ \nlong \n",
      "https://a.example/long"
    ),
    ("Content-Transfer-Encoding: quoted-printable", "a= \t\nb=3d=ZZ=+1=\n", "ab==ZZ=+1"),
    ("Content-Transfer-Encoding: BASE64 (x)", "R3LD!\nvMOf ZQ==\nfooter", "Grüße"),
    ("Content-Type: text/plain; charset=us-ascii (plain)", "ok", "ok"),
    ("Content-Type: text/plain; charset=x-nope", "caf\u{E9}", "café"),
    ("Content-Type: nonsense", "ok", "ok"),
  ]

  @Test(arguments: bodies) func readsBodies(_ row: (fields: String, body: String, text: String)) {
    #expect(mail("\(row.fields)\n\n\(row.body)").texts == [.plain(row.text)], "\(row.fields)")
  }

  /// Bytes beyond ASCII are in the encoding that the mail names, or else in one that fits them.
  @Test func readsEightBits() {
    func text(_ charset: String, _ bytes: [UInt8]) -> [Mail.Text] {
      Mail(Array("Content-Type: text/plain; charset=\(charset)\n\n".utf8) + bytes).texts
    }
    #expect(text("iso-8859-1", [0x63, 0xE9]) == [.plain("cé")])
    #expect(text("koi8-r", [0xC8, 0xCC, 0xC5, 0xC2]) == [.plain("хлеб")])
    #expect(text("shift_jis", [0x83, 0x70, 0x83, 0x93]) == [.plain("パン")])
    #expect(text("us-ascii", Array("café".utf8)) == [.plain("café")])
    let subject = Mail(
      Array("Content-Type: text/plain; charset=koi8-r\nSubject: ".utf8)
        + [0xC8, 0xCC, 0xC5, 0xC2, 0x0A, 0x0A]
    ).subject
    #expect(subject == "хлеб")
  }

  @Test func readsForwardedMails() {
    let mail = mail(
      """
      Subject: Digest
      Content-Type: multipart/digest; boundary=b

      --b

      From: eva@example.org
      Subject: One
      Content-Type: multipart/mixed; boundary=c

      --c

      first
      --c
      Content-Disposition: attachment; filename=a.txt

      file
      --b
      Content-Type: message/rfc822
      Content-Transfer-Encoding: base64

      U3ViamVjdDogVHdvCgpzZWNvbmQ=
      --b--
      """)
    #expect(
      mail.texts == [
        .plain("From: eva@example.org\nSubject: One\n"), .plain("first"),
        .plain("Subject: Two\n"), .plain("second"),
      ])
    #expect(mail.attachments.map(\.name) == ["a.txt"])
  }

  /// Of alternatives one is read, and its files and invitations are kept.
  @Test func readsInvitations() {
    let mail = mail(
      """
      Content-Type: multipart/alternative; boundary=b

      --b
      Content-Type: text/x-amp-html

      <html amp4email>
      --b
      Content-Type: multipart/related; boundary=c

      --c
      Content-Type: text/html

      <p>Tea</p>
      --c
      Content-Type: image/png
      Content-ID: <1>

      PNG
      --c--
      --b
      Content-Type: text/calendar; method=REQUEST

      BEGIN:VCALENDAR
      --b--
      """)
    #expect(mail.texts == [.html("<p>Tea</p>")])
    #expect(mail.attachments.map(\.name) == [nil, "invite.ics"])
  }

  @Test func readsDamagedHeaders() {
    let lostFold = mail("Subject: x\nReferences: <a@b>, <b\nc@d>\n\ntext")
    #expect(lostFold.texts == [.plain("text")])
    let junk = mail("Subject: x\njunk\nX-Spam_score: 1\nFrom : a@b\n\ntext")
    #expect(junk.texts == [.plain("text")])
    #expect(junk.sender == "a@b")
    // Without an empty line, what is no field is text.
    let open = mail("Subject: x\nHello there,\nNote: bring salt\n\nBye")
    #expect(open.texts == [.plain("Hello there,\nNote: bring salt\n\nBye")])
    let long = mail(String(repeating: "X-A: b\n", count: 100_000) + "Subject: far\n\ntext")
    #expect(long.subject == "far")
    #expect(long.texts == [.plain("text")])
  }

  // MARK: - Recognition

  /// Texts that are mails, and others.
  static let beginnings: [(name: String, text: String, isMail: Bool)] = [
    ("three fields", "From: a@b.c\nTo: d\nSubject: x\n\nHi", true),
    ("the two that are required", "Date: Tue, 10 Nov 2026 10:00 +0000\nFrom: a@b.c\n\nHi", true),
    ("no address", "From: root\nSubject: x\nDate: Tue, 10 Nov 26 10:00\nTo: root\n\nHi", true),
    ("unknown fields first", "X-A: 1\nStatus: RO\nFrom: a@b.c\nTo: d\nSubject: x\n\n", true),
    ("folds", "Received: from a\n\tby b; Tue\n 10:00\nFrom: a\nTo: b\n\n", true),
    ("underscore", "X_a: 1\nFrom: a@b.c\nTo: d\nSubject: x\n\n", true),
    ("one faulty line", "From: a@b.c\nTo: d\njunk\nSubject: x\nCc: e\n\nHi", true),
    (
      "a separator", "From a@b.c Tue Nov 10 10:00:00 2026\nFrom: a@b.c\nTo: d\nSubject: x\n\n", true
    ),
    ("Apple Mail", "45\nFrom: a@b.c\nTo: d\nSubject: x\n\nHi\n<?xml version=\"1.0\"?>", true),
    ("a byte order mark", "\u{FEFF}From: a@b.c\nTo: d\nSubject: x\n\n", true),
    ("prose", "From: the garden\nTo: me\nSubject: salt\n\nBring it.", false),
    ("a sentence", "From: Mara I heard that\nbread is good.\n", false),
    ("YAML", "from: a@b.c\nto: d@e.f\nsubject: x\n\nbody: y\n", false),
    ("front matter", "---\nFrom: a@b.c\nTo: d\nSubject: x\n---\n", false),
    ("fields only", "From: a@b.c\nTo: d\nSubject: x", false),
    ("HTTP", "Date: Tue, 10 Nov 2026 10:00:00 GMT\nContent-Type: a/b\nServer: x\n\n", false),
    ("an answer", "HTTP/1.1 200 OK\nFrom: a@b.c\nDate: Tue, 10 Nov 2026 10:00:00 GMT\n\n", false),
    ("a request", "Host: x\nFrom: a@b.c\nDate: Tue, 10 Nov 2026 10:00:00 GMT\nTo: x\n\n", false),
    ("source", "import email\nFrom: a@b.c\nTo: d\nSubject: x\n\n", false),
    (
      "a patch", "From 1a2b Mon Sep 17 00:00:00 2001\nFrom: a@b.c\nDate: x\nSubject: y\n\n", false
    ),
    (
      "a saved page", "From: <Saved by Blink>\nSubject: x\nMIME-Version: 1.0\nDate: y\n\n", false
    ),
    ("nothing", "", false),
  ]

  @Test(arguments: beginnings) func recognisesMails(
    _ row: (name: String, text: String, isMail: Bool)
  ) {
    #expect(MailHeader.begins(Array(row.text.utf8), isWhole: true) == row.isMail, "\(row.name)")
  }

  @Test func recognisesMailsInAnyBytesAtAnyLength() {
    let fields = Array("From: a@b.c\nTo: d\nSubject: ".utf8) + [0xE4, 0x00, 0xFF, 0x0A, 0x0A, 0xFF]
    #expect(MailHeader.begins(fields, isWhole: true))
    let received = Array("Received: from a by b; Tue, 10 Nov 2026 10:00:00\n".utf8)
    let long = Array((0..<1000).map { _ in received }.joined()) + fields
    #expect(MailHeader.begins(long, isWhole: true))
    #expect(MailHeader.begins(Array(long.prefix(4096)), isWhole: false))
    // The name of a file makes little evidence enough, but not none.
    #expect(MailHeader.begins(Array("Subject: x\n\ny".utf8), isWhole: true, isNamed: true))
    #expect(!MailHeader.begins(Array("Note: x\n\ny".utf8), isWhole: true, isNamed: true))
  }

  // MARK: - Files

  @Test func dividesMailboxes() {
    let mailbox = """
      From mara@example.org Tue Nov 10 10:00:00 2026
      Subject: One

      >From here
      >>From there

      From the garden I write in 2026:
      bring salt.

      From broken

      From - 2026-11-10T11:00:00Z
      X-Mozilla-Status: 0001
      Subject: Two

      two
      From ???@??? Tue Nov 10 12:00:00 2026
      Subject: Three

      three
      """
    let mails = MailFile.mails(in: Array(mailbox.utf8)).map { Mail($0) }
    #expect(mails.map(\.subject) == ["One", "Two", "Three"])
    #expect(
      mails.first?.texts == [
        .plain(
          "From here\n>From there\n\nFrom the garden I write in 2026:\nbring salt.\n\nFrom broken\n\n"
        )
      ])
    let crlf = mailbox.split(separator: "\n", omittingEmptySubsequences: false).joined(
      separator: "\r\n")
    #expect(MailFile.mails(in: Array(crlf.utf8)).count == 3)
  }

  @Test func readsFilesOfAppleMail() {
    let text = "Subject: x\n\nHi\n"
    let file = "\(text.utf8.count)       \n\(text)<?xml version=\"1.0\"?>\n<plist/>"
    #expect(Mail(Array(file.utf8)).texts == [.plain("Hi\n")])
    // A wrong size loses nothing.
    #expect(Mail(Array("3\n\(text)".utf8)).texts == [.plain("Hi\n")])
  }

  /// Mails that would take long if a part were read more than once: the work is linear, so that the
  /// test ends.
  static let hostile: [(name: String, text: String)] = [
    ("words", "Subject: " + String(repeating: "=?utf-8?Q?=", count: 100_000) + "?=\n\n"),
    ("open words", "Subject: " + String(repeating: "=?u", count: 300_000) + "?=\n\n"),
    ("parameters", "Content-Type: a/b" + String(repeating: "; name*0=x", count: 100_000) + "\n\n"),
    ("faulty lines", String(repeating: "x\nSubject: y\n", count: 50_000)),
    (
      "parts",
      "Content-Type: multipart/mixed; boundary=b\n\n"
        + String(repeating: "--b\n\nx\n", count: 100_000)
    ),
    (
      "nested parts",
      (0..<20_000).map { "Content-Type: multipart/mixed; boundary=b\($0)\n\n--b\($0)\n" }.joined()
    ),
    (
      "nested mails",
      String(repeating: "Content-Type: message/rfc822\n\n", count: 50_000) + "Subject: x\n\ny"
    ),
    ("separators", String(repeating: "From a 10:00\nX: y\n\n", count: 50_000)),
  ]

  @Test(arguments: hostile) func hostileMailsEnd(_ row: (name: String, text: String)) {
    let bytes = Array(row.text.utf8)
    _ = MailHeader.begins(bytes, isWhole: true)
    for mail in MailFile.mails(in: bytes) { _ = Mail(mail).subject }
  }

  /// Any bytes can be parsed as a mail in bounded time.
  @Test func mutationsDoNotTrap() {
    let sample = Array(
      """
      From: =?utf-8?B?R3LDvMOfZQ==?= <a@b>
      Subject: =?utf-8?q?x=3D?=
      Content-Type: multipart/mixed; boundary="b"; name*0*=utf-8''%41

      --b
      Content-Transfer-Encoding: quoted-printable

      a=3D=
      --b
      Content-Type: text/plain; name="x
      Content-Transfer-Encoding: base64

      QUJD
      --b--
      """.utf8)
    var state: UInt64 = 42
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    for _ in 0..<Amount.of("ERRAND_MAILS", quick: 400, whole: 100_000) {
      var bytes = sample
      for _ in 0...next(4) {
        switch next(3) {
        case 0 where !bytes.isEmpty: bytes[next(bytes.count)] = UInt8(next(256))
        case 1 where !bytes.isEmpty: bytes.remove(at: next(bytes.count))
        default: bytes.insert(sample[next(sample.count)], at: next(bytes.count + 1))
        }
      }
      _ = Mail(bytes)
    }
  }
}
