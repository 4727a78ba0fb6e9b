import ForeignText
import Testing

/// Decoded bytes and the detected encoding.
@Suite struct DecodedTextTests {
  private static let german = Array("grün".utf8)

  @Test func reportsTheBasisOfTheEncoding() {
    let marked = DecodedText([0xFF, 0xFE, 0x67, 0, 0xFC, 0])
    #expect(marked.text == "gü" && marked.basis == .mark)
    #expect(marked.charset == .utf16(isBigEndian: false))
    let said = DecodedText([0xC7, 0xD2], mediaType: "text/plain; charset=\"koi8-r\"")
    #expect(said.text == "гр" && said.basis == .declared)
    let inPage = DecodedText(Array("<meta charset=windows-1251>".utf8) + [0xE3])
    #expect(inPage.text.hasSuffix("г") && inPage.basis == .declared)
    let plain = DecodedText(Self.german)
    #expect(plain.text == "grün" && plain.basis == .content && plain.charset == .utf8)
    #expect(DecodedText([0x67, 0x72, 0xFC, 0x6E]).basis == .guess)
  }

  @Test(arguments: [
    ("latin1", [0x67, 0xFC] as [UInt8], "gü"), ("windows-1252", [0x80], "€"),
    ("UTF-16", [0xFE, 0xFF, 0, 0x61], "a"), ("utf-16", [0x61, 0], "a"),
    ("shift_jis", [0x93, 0xFA], "日"), ("euc-jp", [0x8F, 0xAB, 0xD0], "ñ"),
    ("utf-8", [0xEF, 0xBB, 0xBF, 0x61], "a"),
    ("koi8-r", [0xC7], "г"),
  ])
  func exactDecodingUsesTheNamedEncoding(_ name: String, _ bytes: [UInt8], _ expected: String)
    throws
  {
    let charset = try #require(Charset(label: name))
    #expect(DecodedText.exact(bytes, charset) == expected)
  }

  @Test(arguments: [
    ("utf-8", [0xFF] as [UInt8]), ("utf-16", [0x61]), ("shift_jis", [0x93]),
    ("iso-8859-3", [0xA5]),
  ])
  func exactDecodingRejectsInvalidBytes(_ name: String, _ bytes: [UInt8]) throws {
    #expect(DecodedText.exact(bytes, try #require(Charset(label: name))) == nil)
  }

  @Test func fallsBackToAnotherEncoding() {
    #expect(String(foreign: Self.german) == "grün")
    #expect(String(foreign: [0x80, 0x81]) == "€\u{81}")
    #expect(String(foreign: Array("\u{1B}$BF|".utf8), else: .iso2022JP) == "日")
  }

  @Test func knowsTheLabelsOfTheStandard() {
    #expect(Charset(label: " Latin1 ") == .windows1252)
    #expect(Charset(label: "gbk")?.name == "gb18030")
    #expect(Charset(label: "utf8")?.name == "utf-8")
    #expect(Charset(label: "nope") == nil)
  }
}
