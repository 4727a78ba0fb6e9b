/// A text encoding (Encoding Standard, https://encoding.spec.whatwg.org).
package enum Charset: Equatable, Sendable {
  case utf8
  case utf16(isBigEndian: Bool)
  case utf32(isBigEndian: Bool)
  /// A single-byte encoding, by the number of its table.
  case single(Int)
  case shiftJIS, eucJP, iso2022JP, eucKR, big5, gb18030

  /// The default of browsers.
  package static let windows1252 = Charset.single(19)

  /// The labels of the multi-byte encodings (§4.2), the preferred one first.
  private static let labels: [(charset: Charset, names: StaticString)] = [
    (.utf8, "utf-8 utf8 unicode-1-1-utf-8 unicode11utf8 unicode20utf8 x-unicode20utf8"),
    (
      .utf16(isBigEndian: false),
      "utf-16 utf-16le utf16 ucs-2 unicode iso-10646-ucs-2 csunicode unicodefeff"
    ),
    (.utf16(isBigEndian: true), "utf-16be unicodefffe"),
    (.utf32(isBigEndian: false), "utf-32 utf-32le ucs-4 iso-10646-ucs-4"),
    (.utf32(isBigEndian: true), "utf-32be"),
    (
      .shiftJIS,
      "shift_jis shift-jis sjis x-sjis ms_kanji ms932 windows-31j csshiftjis cp932 shift_jis_2004 shift_jisx0213"
    ),
    (.eucJP, "euc-jp x-euc-jp cseucpkdfmtjapanese euc-jis-2004 euc-jisx0213"),
    (.iso2022JP, "iso-2022-jp csiso2022jp iso-2022-jp-1 iso-2022-jp-2 iso-2022-jp-ext"),
    (
      .eucKR,
      """
      euc-kr ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 korean windows-949 cseuckr \
      csksc56011987 iso-ir-149 uhc cp949
      """
    ),
    (.big5, "big5 big5-hkscs cn-big5 csbig5 x-x-big5 cp950"),
    (
      .gb18030,
      """
      gb18030 gbk gb2312 gb_2312 gb_2312-80 chinese x-gbk csgb2312 csiso58gb231280 iso-ir-58 \
      hz-gb-2312 cp936
      """
    ),
  ]

  /// The labels of the single-byte encodings, a line each, in the order of scripts/make-charsets.
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
    macintosh mac x-mac-roman csmacintosh mac-roman
    windows-874 cp874 dos-874 iso-8859-11 iso8859-11 tis-620
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
    ibm437 cp437 437 cspc8codepage437
    cp720 ibm720 dos-720
    cp737 ibm737
    ibm775 cp775 cspc775baltic
    ibm850 cp850 850 cspc850multilingual
    ibm852 cp852 852 cspcp852
    ibm855 cp855 855 csibm855
    cp856 ibm856
    ibm857 cp857 857 csibm857
    ibm858 cp858 ibm00858 cp00858
    ibm860 cp860 860 csibm860
    ibm861 cp861 861 cp-is csibm861
    ibm862 cp862 862 cspc862latinhebrew
    ibm863 cp863 863 csibm863
    ibm864 cp864 csibm864
    ibm865 cp865 865 csibm865
    ibm869 cp869 869 cp-gr csibm869
    cp1006 ibm1006
    cp1125 ibm1125 ruscii cp866u
    koi8-t
    kz-1048 kz1048 rk1048 strk1048-2002 cskz1048
    ptcp154 csptcp154 pt154 cp154 cyrillic-asian
    hp-roman8 roman8 r8 cshproman8
    x-mac-greek mac-greek
    x-mac-icelandic mac-icelandic mac-iceland
    x-mac-ce mac-ce mac-latin2 mac-centraleurope mac-centeuro
    x-mac-turkish mac-turkish
    x-mac-croatian mac-croatian
    x-mac-romanian mac-romanian
    """

  /// All encodings with their labels.
  private static var all: [(charset: Charset, names: [Substring])] {
    labels.map { ($0.charset, $0.names.description.split(separator: " ")) }
      + singles.description.split(separator: "\n").enumerated().map {
        (.single($0), $1.split(separator: " "))
      }
  }

  /// Looks up a label; nil if unknown.
  package init?(label: String) {
    let name = label.trimmingBlanks.lowercased()
    // Fast path for the most frequent encoding.
    if name == "utf-8" || name == "utf8" {
      self = .utf8
      return
    }
    let all = Self.all
    let found =
      all.first { $0.names.contains(name[...]) }
      // Also accept variants such as `windows_1251` and `ISO_8859_2`.
      ?? all.first { $0.names.contains { Self.letters($0) == Self.letters(name[...]) } }
    guard let found else { return nil }
    self = found.charset
  }

  private static func letters(_ label: Substring) -> [UInt8] {
    label.utf8.filter { $0 != UInt8(ascii: "-") && $0 != UInt8(ascii: "_") }
  }

  /// The preferred label.
  package var name: String {
    String(Self.all.first { $0.charset == self }?.names.first ?? "")
  }

  /// Returns the encoding and length of a byte order mark, if any.
  package static func mark(_ bytes: some Collection<UInt8>) -> (charset: Charset, length: Int)? {
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { return (.utf8, 3) }
    if bytes.starts(with: [0, 0, 0xFE, 0xFF]) { return (.utf32(isBigEndian: true), 4) }
    if bytes.starts(with: [0xFF, 0xFE, 0, 0]) { return (.utf32(isBigEndian: false), 4) }
    if bytes.starts(with: [0xFE, 0xFF]) { return (.utf16(isBigEndian: true), 2) }
    if bytes.starts(with: [0xFF, 0xFE]) { return (.utf16(isBigEndian: false), 2) }
    return nil
  }
}
