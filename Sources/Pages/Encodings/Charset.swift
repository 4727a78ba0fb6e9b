/// An encoding of text, by the Encoding Standard (https://encoding.spec.whatwg.org).
enum Charset: Equatable {
  case utf8
  case utf16(isBigEndian: Bool)
  /// One byte a character, by the number of its table.
  case single(Int)
  case shiftJIS, eucJP, iso2022JP, eucKR, big5, gb18030

  /// What browsers take a page for that says nothing.
  static let windows1252 = Charset.single(19)

  /// The encoding that a label means (§4.2); nil for one that is not known.
  init?(label: String) {
    let name = label.trimmedHTML.lowercased()
    switch name {
    case "utf-8", "utf8", "unicode-1-1-utf-8", "unicode11utf8", "unicode20utf8", "x-unicode20utf8":
      self = .utf8
    case "utf-16", "utf-16le", "utf16", "ucs-2", "unicode", "iso-10646-ucs-2", "csunicode",
      "unicodefeff":
      self = .utf16(isBigEndian: false)
    case "utf-16be", "unicodefffe": self = .utf16(isBigEndian: true)
    case "shift_jis", "shift-jis", "sjis", "x-sjis", "ms_kanji", "ms932", "windows-31j",
      "csshiftjis", "cp932":
      self = .shiftJIS
    case "euc-jp", "x-euc-jp", "cseucpkdfmtjapanese": self = .eucJP
    case "iso-2022-jp", "csiso2022jp": self = .iso2022JP
    case "euc-kr", "ks_c_5601-1987", "ks_c_5601-1989", "ksc5601", "ksc_5601", "korean",
      "windows-949", "cseuckr", "csksc56011987", "iso-ir-149", "uhc", "cp949":
      self = .eucKR
    case "big5", "big5-hkscs", "cn-big5", "csbig5", "x-x-big5": self = .big5
    case "gbk", "gb2312", "gb_2312", "gb_2312-80", "gb18030", "chinese", "x-gbk", "csgb2312",
      "csiso58gb231280", "iso-ir-58", "hz-gb-2312", "cp936":
      self = .gb18030
    default:
      guard let table = Self.table(of: name) else { return nil }
      self = .single(table)
    }
  }

  /// The number of the table of an encoding of one byte, in the order of scripts/make-charsets.
  private static func table(of name: String) -> Int? {
    switch name {
    case "ibm866", "cp866", "866", "csibm866": 0
    case "iso-8859-2", "iso8859-2", "iso88592", "latin2", "l2", "csisolatin2", "iso_8859-2": 1
    case "iso-8859-3", "iso8859-3", "iso88593", "latin3", "l3", "csisolatin3", "iso_8859-3": 2
    case "iso-8859-4", "iso8859-4", "iso88594", "latin4", "l4", "csisolatin4", "iso_8859-4": 3
    case "iso-8859-5", "iso8859-5", "iso88595", "cyrillic", "csisolatincyrillic", "iso_8859-5": 4
    case "iso-8859-6", "iso8859-6", "iso88596", "arabic", "csisolatinarabic", "iso_8859-6",
      "asmo-708":
      5
    case "iso-8859-7", "iso8859-7", "iso88597", "greek", "greek8", "csisolatingreek", "iso_8859-7":
      6
    case "iso-8859-8", "iso8859-8", "iso88598", "hebrew", "visual", "iso-8859-8-i", "logical",
      "csisolatinhebrew", "iso_8859-8":
      7
    case "iso-8859-10", "iso8859-10", "iso885910", "latin6", "l6", "csisolatin6": 8
    case "iso-8859-13", "iso8859-13", "iso885913": 9
    case "iso-8859-14", "iso8859-14", "iso885914": 10
    case "iso-8859-15", "iso8859-15", "iso885915", "l9", "csisolatin9", "iso_8859-15": 11
    case "iso-8859-16": 12
    case "koi8-r", "koi8", "koi", "koi8_r", "cskoi8r": 13
    case "koi8-u", "koi8-ru": 14
    case "macintosh", "mac", "x-mac-roman", "csmacintosh": 15
    case "windows-874", "dos-874", "iso-8859-11", "iso8859-11", "tis-620": 16
    case "windows-1250", "cp1250", "x-cp1250": 17
    case "windows-1251", "cp1251", "x-cp1251": 18
    case "windows-1252", "cp1252", "x-cp1252", "iso-8859-1", "iso8859-1", "iso88591", "iso_8859-1",
      "latin1", "l1", "ascii", "us-ascii", "ansi_x3.4-1968", "cp819", "ibm819", "csisolatin1":
      19
    case "windows-1253", "cp1253", "x-cp1253": 20
    case "windows-1254", "cp1254", "x-cp1254", "iso-8859-9", "iso8859-9", "iso88599", "latin5",
      "l5", "csisolatin5", "iso_8859-9":
      21
    case "windows-1255", "cp1255", "x-cp1255": 22
    case "windows-1256", "cp1256", "x-cp1256": 23
    case "windows-1257", "cp1257", "x-cp1257": 24
    case "windows-1258", "cp1258", "x-cp1258": 25
    case "x-mac-cyrillic", "x-mac-ukrainian", "mac-cyrillic": 26
    default: nil
    }
  }
}
