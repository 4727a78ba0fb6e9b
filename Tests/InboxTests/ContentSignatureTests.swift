import Inbox
import Testing

@Suite struct ContentSignatureTests {
  /// The first bytes of files, according to their formats.
  static let rows: [(name: String, bytes: [UInt8], type: String)] = [
    ("PNG", [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0], "image/png"),
    ("JPEG", [0xFF, 0xD8, 0xFF, 0xE0], "image/jpeg"),
    ("GIF", Array("GIF89a".utf8), "image/gif"),
    ("WebP", Array("RIFF\u{1}\u{0}\u{0}\u{0}WEBPVP8 ".utf8), "image/webp"),
    ("AVIF", [0, 0, 0, 0x20] + Array("ftypavif".utf8), "image/avif"),
    ("HEIC", [0, 0, 0, 0x18] + Array("ftypheic".utf8), "image/heic"),
    ("MP4", [0, 0, 0, 0x18] + Array("ftypisom".utf8), "video/mp4"),
    ("PDF", Array("%PDF-1.7\n".utf8) + [0xE2, 0xE3], "application/pdf"),
    ("ZIP", [0x50, 0x4B, 3, 4, 20, 0] + Array("readme.txt".utf8), "application/zip"),
    (
      "EPUB",
      [0x50, 0x4B, 3, 4] + [UInt8](repeating: 0, count: 26)
        + Array("mimetypeapplication/epub+zip".utf8), "application/epub+zip"
    ),
    ("gzip", [0x1F, 0x8B, 8, 0], "application/gzip"),
    ("SVG", Array("<?xml version=\"1.0\"?>\n<svg xmlns=\"…\">".utf8), "image/svg+xml"),
    ("HTML", Array("\n<!DOCTYPE HTML>\n<title>x".utf8), "text/html"),
    ("text", Array("Grüße\tan alle\r\n".utf8), "text/plain"),
    ("Latin 1", [0x47, 0x72, 0xFC, 0xDF, 0x65], "application/octet-stream"),
    ("with NUL", [0x61, 0, 0x62], "application/octet-stream"),
    ("nothing", [], "text/plain"),
    (
      "mail", Array("Received: x\r\nFrom: a@b\r\nSubject: Hi\r\nDate: now\r\n\r\nHello".utf8),
      "message/rfc822"
    ),
    (
      "mailbox",
      Array("From a Tue Nov 10 10:00:00 2026\nFrom: a@b\nSubject: Hi\nTo: c\n\nHello".utf8),
      "application/mbox"
    ),
    (
      "mail in Latin 1", Array("From: a@b\nSubject: Hi\nTo: c\n\ncaf".utf8) + [0xE9],
      "message/rfc822"
    ),
    ("no mail", Array("To: do\nFrom: here\nto there".utf8), "text/plain"),
  ]

  @Test(arguments: rows) func typeIsDetectedFromContent(
    _ row: (name: String, bytes: [UInt8], type: String)
  ) {
    #expect(
      ContentSignature.mediaType(of: row.bytes, isWhole: true, name: nil) == row.type, "\(row.name)"
    )
  }

  @Test func nameOnlyDistinguishesTexts() {
    func type(_ text: String, _ name: String) -> String {
      ContentSignature.mediaType(of: Array(text.utf8), isWhole: true, name: name)
    }
    #expect(type("# Hi", "a.md") == "text/markdown")
    #expect(type("# Hi", "a.png") == "text/plain")
    #expect(type("%PDF-1.4", "a.txt") == "application/pdf")
    #expect(type("Subject: Hi\n\nHello", "a.EML") == "message/rfc822")
    #expect(type("Subject: Hi\n\nHello", "a.txt") == "text/plain")
  }

  @Test func truncatedCharacterIsText() {
    let bytes = Array("aaaä".utf8.dropLast())
    #expect(ContentSignature.mediaType(of: bytes, isWhole: false, name: nil) == "text/plain")
    #expect(
      ContentSignature.mediaType(of: bytes, isWhole: true, name: nil) == "application/octet-stream")
  }

  @Test func declaredTypeCountsOnlyWithoutASignature() {
    func type(_ bytes: [UInt8], _ told: String) -> String {
      ContentSignature.mediaType(of: bytes, isWhole: true, name: nil, told: told)
    }
    #expect(type(Array("a,b\n".utf8), "text/csv") == "text/csv")
    #expect(type([0xFF, 0xD8, 0xFF], "text/csv") == "image/jpeg")
    #expect(type([0, 1, 2], "image/png") == "application/octet-stream")
    #expect(type([0, 1, 2], "application/vnd.x") == "application/vnd.x")
  }
}
