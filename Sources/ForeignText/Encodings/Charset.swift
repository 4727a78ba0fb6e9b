/// An encoding of text, by the Encoding Standard (https://encoding.spec.whatwg.org).
package enum Charset: Equatable, Sendable {
  case utf8
  case utf16(isBigEndian: Bool)
  /// One byte a character, by the number of its table.
  case single(Int)
  case shiftJIS, eucJP, iso2022JP, eucKR, big5, gb18030

  /// What browsers take a page for that says nothing.
  package static let windows1252 = Charset.single(19)

  /// The labels of the encodings (§4.2), the usual one first.
  private static let labels: [(charset: Charset, names: StaticString)] = [
    (.utf8, "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"),
    (
      .utf16(isBigEndian: false),
      "utf-16 utf-16le utf16 ucs-2 unicode iso-10646-ucs-2 csunicode unicodefeff"
    ),
    (.utf16(isBigEndian: true), "utf-16be unicodefffe"),
    (
      .shiftJIS, "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis cp932"
    ),
    (.eucJP, "euc-jp x-euc-jp cseucpkdfmtjapanese"),
    (.iso2022JP, "iso-2022-jp csiso2022jp"),
    (
      .eucKR,
      """
      euc-kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 cseuckr \
      csksc56011987 iso-ir-149 uhc cp949
      """
    ),
    (.big5, "big5 big5-hkscs cn-big5 csbig5 x-x-big5"),
    (
      .gb18030,
      """
      gb18030 gbk gb2312 gb_2312 gb_2312-80 chinese x-gbk csgb2312 csiso58gb231280 iso-ir-58 \
      hz-gb-2312 cp936
      """
    ),
  ]

  /// The labels of the encodings of one byte, a line each, in the order of scripts/make-charsets.
  private static let singles: StaticString = """
    ibm866 cp866 866 csibm866
    iso-8859-2 iso8859-2 iso88592 latin2 l2 csisolatin2 iso_8859-2
    iso-8859-3 iso8859-3 iso88593 latin3 l3 csisolatin3 iso_8859-3
    iso-8859-4 iso8859-4 iso88594 latin4 l4 csisolatin4 iso_8859-4
    iso-8859-5 iso8859-5 iso88595 cyrillic csisolatincyrillic iso_8859-5
    iso-8859-6 iso8859-6 iso88596 arabic csisolatinarabic iso_8859-6 asmo-708
    iso-8859-7 iso8859-7 iso88597 greek greek8 csisolatingreek iso_8859-7
    iso-8859-8 iso8859-8 iso88598 hebrew visual iso-8859-8-i logical csisolatinhebrew iso_8859-8
    iso-8859-10 iso8859-10 iso885910 latin6 l6 csisolatin6
    iso-8859-13 iso8859-13 iso885913
    iso-8859-14 iso8859-14 iso885914
    iso-8859-15 iso8859-15 iso885915 l9 csisolatin9 iso_8859-15
    iso-8859-16
    koi8-r koi8 koi koi8_r cskoi8r
    koi8-u koi8-ru
    macintosh mac x-mac-roman csmacintosh
    windows-874 dos-874 iso-8859-11 iso8859-11 tis-620
    windows-1250 cp1250 x-cp1250
    windows-1251 cp1251 x-cp1251
    windows-1252 cp1252 x-cp1252 iso-8859-1 iso8859-1 iso88591 iso_8859-1 latin1 l1 ascii us-ascii \
    ansi_x3.4-1968 cp819 ibm819 csisolatin1
    windows-1253 cp1253 x-cp1253
    windows-1254 cp1254 x-cp1254 iso-8859-9 iso8859-9 iso88599 latin5 l5 csisolatin5 iso_8859-9
    windows-1255 cp1255 x-cp1255
    windows-1256 cp1256 x-cp1256
    windows-1257 cp1257 x-cp1257
    windows-1258 cp1258 x-cp1258
    x-mac-cyrillic x-mac-ukrainian mac-cyrillic
    """

  /// All encodings with their labels.
  private static var all: [(charset: Charset, names: [Substring])] {
    labels.map { ($0.charset, $0.names.description.split(separator: " ")) }
      + singles.description.split(separator: "\n").enumerated().map {
        (.single($0), $1.split(separator: " "))
      }
  }

  /// The encoding that a label means; nil for one that is not known.
  package init?(label: String) {
    let name = label.trimmingBlanks.lowercased()
    // Nearly all that is read is one of these.
    if name == "utf-8" || name == "utf8" {
      self = .utf8
      return
    }
    guard let found = Self.all.first(where: { $0.names.contains(name[...]) }) else { return nil }
    self = found.charset
  }

  /// The usual label.
  package var name: String {
    String(Self.all.first { $0.charset == self }?.names.first ?? "")
  }

  /// What the mark of a byte order at the beginning tells, and its length; nil without one.
  package static func mark(_ bytes: some Collection<UInt8>) -> (charset: Charset, length: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    return nil
  }
}
