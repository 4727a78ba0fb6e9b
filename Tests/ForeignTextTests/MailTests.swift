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
    #expect(mail("Content-Type: multipart/mixed\n\nno boundary").attachments.count == 1)
    var nested = "x"
    for level in 0..<50 {
      nested =
        "Content-Type: multipart/mixed; boundary=b\(level)\n\n--b\(level)\n\(nested)\n--b\(level)--\n"
    }
    _ = mail(nested)
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
