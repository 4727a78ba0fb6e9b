/// Names of months in the most frequent languages of web pages.
enum MonthNames {
  /// Returns the number of a month, 1 for January; nil for another word.
  static func month(_ word: String) -> Int? {
    guard word.count >= 3 else { return nil }
    for (month, names) in names.enumerated() {
      for name in names.split(separator: " ") where word == name { return month + 1 }
    }
    return nil
  }

  /// English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Polish, Russian, Hungarian and Greek, with
  /// abbreviations, and genitive forms where dates use them.
  private static let names: [Substring] = [
    "january jan januar jän jänner janvier janv enero ene janeiro gennaio gen januari stycznia января янв január ιανουαρίου ιαν",
    "february feb februar febr février févr fevrier febrero fevereiro fev febbraio februari lutego февраля фев február φεβρουαρίου φεβ",
    "march mar mär märz mars marzo março maart mrt marca марта мар március márc μαρτίου μαρ μάρ",
    "april apr avril avr abril abr aprile kwietnia апреля апр április ápr απριλίου απρ",
    "may mai mayo maio maggio mag mei maj maja мая май május máj μαΐου μαϊ μαι μάι",
    "june jun juni juin junio junho giugno giu czerwca июня июн június jún ιουνίου ιουν ιον ιούν",
    "july jul juli juillet juil julio julho luglio lug lipca июля июл július júl ιουλίου ιουλ ιολ ιούλ",
    "august aug août aout agosto ago augustus augusti sierpnia августа авг augusztus αυγούστου αυγ αύγ",
    "september sep sept septembre septiembre setembro set settembre września сентября сен сент szeptember szept σεπτεμβρίου σεπ σεπτ",
    "october oct oktober okt octobre octubre outubro out ottobre ott października октября окт október οκτωβρίου οκτ",
    "november nov novembre noviembre novembro listopada ноября ноя нояб νοεμβρίου νοε νοέ",
    "december dec dezember dez décembre déc decembre diciembre dic dezembro dicembre grudnia декабря дек δεκεμβρίου δεκ",
  ]
}
