/// The names of months as dates of pages have them, in the languages of most pages.
enum MonthNames {
  /// The number of a month, 1 for January; nil for another word.
  static func month(_ word: String) -> Int? {
    guard word.count >= 3 else { return nil }
    for (month, names) in names.enumerated() {
      for name in names.split(separator: " ") where word == name { return month + 1 }
    }
    return nil
  }

  /// English, German, French, Spanish, Portuguese, Italian, Dutch, Swedish, Polish and Russian, with
  /// what is short for them; the forms of the genitive where dates have these.
  private static let names: [Substring] = [
    "january jan januar jän jänner janvier janv enero ene janeiro gennaio gen januari stycznia января янв",
    "february feb februar febr février févr fevrier febrero fevereiro fev febbraio februari lutego февраля фев",
    "march mar mär märz mars marzo março maart mrt marca марта мар",
    "april apr avril avr abril abr aprile kwietnia апреля апр",
    "may mai mayo maio maggio mag mei maj maja мая май",
    "june jun juni juin junio junho giugno giu czerwca июня июн",
    "july jul juli juillet juil julio julho luglio lug lipca июля июл",
    "august aug août aout agosto ago augustus augusti sierpnia августа авг",
    "september sep sept septembre septiembre setembro set settembre września сентября сен сент",
    "october oct oktober okt octobre octubre outubro out ottobre ott października октября окт",
    "november nov novembre noviembre novembro listopada ноября ноя нояб",
    "december dec dezember dez décembre déc decembre diciembre dic dezembro dicembre grudnia декабря дек",
  ]
}
