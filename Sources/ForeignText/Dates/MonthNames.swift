/// Names of months in the most frequent languages of web pages.
enum MonthNames {
  /// Returns the number of a month, 1 for January; nil for another word.
  static func month(_ word: String) -> Int? { word.count >= 3 ? months[word] : nil }

  private static let months: [String: Int] = {
    var months: [String: Int] = [:]
    for (month, names) in names.enumerated() {
      for name in names.split(separator: " ") where months[String(name)] == nil {
        months[String(name)] = month + 1
      }
    }
    return months
  }()

  /// English, German, French, Spanish, Portuguese, Italian, Catalan, Dutch, Swedish, Danish, Norwegian, Finnish, Polish,
  /// Czech, Russian, Ukrainian, Romanian, Hungarian, Greek, Turkish and Indonesian, with abbreviations, and genitive
  /// forms where dates use them.
  private static let names: [Substring] = [
    "january jan januar jän jänner janvier janv enero ene janeiro gennaio gen januari stycznia января янв január ιανουαρίου ιαν gener ledna tammikuuta ianuarie ocak oca січня",
    "february feb februar febr février févr fevrier febrero fevereiro fev febbraio februari lutego февраля фев február φεβρουαρίου φεβ febrer února helmikuuta februarie şubat şub лютого",
    "march mar mär märz mars marzo março maart mrt marca марта мар március márc μαρτίου μαρ μάρ març marts března maaliskuuta martie mart maret березня",
    "april apr avril avr abril abr aprile kwietnia апреля апр április ápr απριλίου απρ dubna huhtikuuta aprilie nisan nis квітня",
    "may mai mayo maio maggio mag mei maj maja мая май május máj μαΐου μαϊ μαι μάι maig května toukokuuta mayıs травня",
    "june jun juni juin junio junho giugno giu czerwca июня июн június jún ιουνίου ιουν ιον ιούν juny června kesäkuuta iunie haziran haz червня",
    "july jul juli juillet juil julio julho luglio lug lipca июля июл július júl ιουλίου ιουλ ιολ ιούλ juliol července heinäkuuta iulie temmuz tem липня",
    "august aug août aout agosto ago augustus augusti sierpnia августа авг augusztus αυγούστου αυγ αύγ agost srpna elokuuta ağustos ağu agustus серпня",
    "september sep sept septembre septiembre setembro set settembre września сентября сен сент szeptember szept σεπτεμβρίου σεπ σεπτ setembre září syyskuuta septembrie eylül eyl вересня",
    "october oct oktober okt octobre octubre outubro out ottobre ott października октября окт október οκτωβρίου οκτ října lokakuuta octombrie ekim eki жовтня",
    "november nov novembre noviembre novembro listopada ноября ноя нояб νοεμβρίου νοε νοέ listopadu marraskuuta noiembrie kasım kas листопада",
    "december dec dezember dez décembre déc decembre diciembre dic dezembro dicembre grudnia декабря дек δεκεμβρίου δεκ desembre desember prosince joulukuuta decembrie aralık ara грудня",
  ]
}
