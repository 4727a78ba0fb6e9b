// swift-format-ignore-file
// Written by scripts/make-languages from CLDR, by Babel 2.18.0.

extension Language {
  /// English.
  static let en = Language(
    code: "en", plural: .one, decimal: ".",
    months: Names(
      wide: ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
      short: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
      narrow: ["J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"]),
    monthsAlone: Names(
      wide: ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
      short: ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"],
      narrow: ["J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"]),
    days: Names(
      wide: ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"],
      short: ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"],
      narrow: ["S", "M", "T", "W", "T", "F", "S"]),
    daysShort: ["Su", "Mo", "Tu", "We", "Th", "Fr", "Sa"],
    halves: ["AM", "PM"], narrowHalves: ["a", "p"],
    eras: ["BC", "AD"],
    wideEras: ["Before Christ", "Anno Domini"],
    quarters: ["Q1", "Q2", "Q3", "Q4"],
    wideQuarters: ["1st quarter", "2nd quarter", "3rd quarter", "4th quarter"],
    now: "just now", soon: "in a moment",
    yesterday: "yesterday", tomorrow: "tomorrow",
    past: [
      "minute": Amount(one: "{0} minute ago", other: "{0} minutes ago"),
      "hour": Amount(one: "{0} hour ago", other: "{0} hours ago"),
      "day": Amount(one: "{0} day ago", other: "{0} days ago"),
      "week": Amount(one: "{0} week ago", other: "{0} weeks ago"),
      "month": Amount(one: "{0} month ago", other: "{0} months ago"),
      "year": Amount(one: "{0} year ago", other: "{0} years ago"),
    ],
    future: [
      "minute": Amount(one: "in {0} minute", other: "in {0} minutes"),
      "hour": Amount(one: "in {0} hour", other: "in {0} hours"),
      "day": Amount(one: "in {0} day", other: "in {0} days"),
      "week": Amount(one: "in {0} week", other: "in {0} weeks"),
      "month": Amount(one: "in {0} month", other: "in {0} months"),
      "year": Amount(one: "in {0} year", other: "in {0} years"),
    ],
    lengths: [
      "day": Amount(one: "{0} day", other: "{0} days"),
      "hour": Amount(one: "{0} hr", other: "{0} hr"),
      "minute": Amount(one: "{0} min", other: "{0} min"),
      "second": Amount(one: "{0} sec", other: "{0} sec"),
    ],
    list: ListPattern(two: "{0} and {1}", start: "{0}, {1}",
      middle: "{0}, {1}", end: "{0}, and {1}"))

  /// German.
  static let de = Language(
    code: "de", plural: .one, decimal: ",",
    months: Names(
      wide: ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"],
      short: ["Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.", "Dez."],
      narrow: ["J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"]),
    monthsAlone: Names(
      wide: ["Januar", "Februar", "März", "April", "Mai", "Juni", "Juli", "August", "September", "Oktober", "November", "Dezember"],
      short: ["Jan", "Feb", "Mär", "Apr", "Mai", "Jun", "Jul", "Aug", "Sep", "Okt", "Nov", "Dez"],
      narrow: ["J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"]),
    days: Names(
      wide: ["Sonntag", "Montag", "Dienstag", "Mittwoch", "Donnerstag", "Freitag", "Samstag"],
      short: ["So.", "Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa."],
      narrow: ["S", "M", "D", "M", "D", "F", "S"]),
    daysShort: ["So.", "Mo.", "Di.", "Mi.", "Do.", "Fr.", "Sa."],
    halves: ["AM", "PM"], narrowHalves: ["AM", "PM"],
    eras: ["v. Chr.", "n. Chr."],
    wideEras: ["vor unserer Zeitrechnung", "unserer Zeitrechnung"],
    quarters: ["Q1", "Q2", "Q3", "Q4"],
    wideQuarters: ["1. Quartal", "2. Quartal", "3. Quartal", "4. Quartal"],
    now: "gerade eben", soon: "gleich",
    yesterday: "gestern", tomorrow: "morgen",
    past: [
      "minute": Amount(one: "vor {0} Minute", other: "vor {0} Minuten"),
      "hour": Amount(one: "vor {0} Stunde", other: "vor {0} Stunden"),
      "day": Amount(one: "vor {0} Tag", other: "vor {0} Tagen"),
      "week": Amount(one: "vor {0} Woche", other: "vor {0} Wochen"),
      "month": Amount(one: "vor {0} Monat", other: "vor {0} Monaten"),
      "year": Amount(one: "vor {0} Jahr", other: "vor {0} Jahren"),
    ],
    future: [
      "minute": Amount(one: "in {0} Minute", other: "in {0} Minuten"),
      "hour": Amount(one: "in {0} Stunde", other: "in {0} Stunden"),
      "day": Amount(one: "in {0} Tag", other: "in {0} Tagen"),
      "week": Amount(one: "in {0} Woche", other: "in {0} Wochen"),
      "month": Amount(one: "in {0} Monat", other: "in {0} Monaten"),
      "year": Amount(one: "in {0} Jahr", other: "in {0} Jahren"),
    ],
    lengths: [
      "day": Amount(one: "{0} Tg.", other: "{0} Tg."),
      "hour": Amount(one: "{0} Std.", other: "{0} Std."),
      "minute": Amount(one: "{0} Min.", other: "{0} Min."),
      "second": Amount(one: "{0} Sek.", other: "{0} Sek."),
    ],
    list: ListPattern(two: "{0} und {1}", start: "{0}, {1}",
      middle: "{0}, {1}", end: "{0} und {1}"))

  /// French.
  static let fr = Language(
    code: "fr", plural: .zeroOrOne, decimal: ",",
    months: Names(
      wide: ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"],
      short: ["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."],
      narrow: ["J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"]),
    monthsAlone: Names(
      wide: ["janvier", "février", "mars", "avril", "mai", "juin", "juillet", "août", "septembre", "octobre", "novembre", "décembre"],
      short: ["janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.", "déc."],
      narrow: ["J", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"]),
    days: Names(
      wide: ["dimanche", "lundi", "mardi", "mercredi", "jeudi", "vendredi", "samedi"],
      short: ["dim.", "lun.", "mar.", "mer.", "jeu.", "ven.", "sam."],
      narrow: ["D", "L", "M", "M", "J", "V", "S"]),
    daysShort: ["di", "lu", "ma", "me", "je", "ve", "sa"],
    halves: ["AM", "PM"], narrowHalves: ["AM", "PM"],
    eras: ["av. J.-C.", "ap. J.-C."],
    wideEras: ["avant Jésus-Christ", "après Jésus-Christ"],
    quarters: ["T1", "T2", "T3", "T4"],
    wideQuarters: ["1er trimestre", "2e trimestre", "3e trimestre", "4e trimestre"],
    now: "à l’instant", soon: "dans un instant",
    yesterday: "hier", tomorrow: "demain",
    past: [
      "minute": Amount(one: "il y a {0} minute", other: "il y a {0} minutes"),
      "hour": Amount(one: "il y a {0} heure", other: "il y a {0} heures"),
      "day": Amount(one: "il y a {0} jour", other: "il y a {0} jours"),
      "week": Amount(one: "il y a {0} semaine", other: "il y a {0} semaines"),
      "month": Amount(one: "il y a {0} mois", other: "il y a {0} mois"),
      "year": Amount(one: "il y a {0} an", other: "il y a {0} ans"),
    ],
    future: [
      "minute": Amount(one: "dans {0} minute", other: "dans {0} minutes"),
      "hour": Amount(one: "dans {0} heure", other: "dans {0} heures"),
      "day": Amount(one: "dans {0} jour", other: "dans {0} jours"),
      "week": Amount(one: "dans {0} semaine", other: "dans {0} semaines"),
      "month": Amount(one: "dans {0} mois", other: "dans {0} mois"),
      "year": Amount(one: "dans {0} an", other: "dans {0} ans"),
    ],
    lengths: [
      "day": Amount(one: "{0} j", other: "{0} j"),
      "hour": Amount(one: "{0} h", other: "{0} h"),
      "minute": Amount(one: "{0} min", other: "{0} min"),
      "second": Amount(one: "{0} s", other: "{0} s"),
    ],
    list: ListPattern(two: "{0} et {1}", start: "{0}, {1}",
      middle: "{0}, {1}", end: "{0} et {1}"))

  /// Spanish.
  static let es = Language(
    code: "es", plural: .one, decimal: ",",
    months: Names(
      wide: ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"],
      short: ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
      narrow: ["E", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"]),
    monthsAlone: Names(
      wide: ["enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre", "octubre", "noviembre", "diciembre"],
      short: ["ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"],
      narrow: ["E", "F", "M", "A", "M", "J", "J", "A", "S", "O", "N", "D"]),
    days: Names(
      wide: ["domingo", "lunes", "martes", "miércoles", "jueves", "viernes", "sábado"],
      short: ["dom", "lun", "mar", "mié", "jue", "vie", "sáb"],
      narrow: ["D", "L", "M", "X", "J", "V", "S"]),
    daysShort: ["DO", "LU", "MA", "MI", "JU", "VI", "SA"],
    halves: ["a. m.", "p. m."], narrowHalves: ["a. m.", "p. m."],
    eras: ["a. C.", "d. C."],
    wideEras: ["antes de Cristo", "después de Cristo"],
    quarters: ["T1", "T2", "T3", "T4"],
    wideQuarters: ["1.er trimestre", "2.º trimestre", "3.er trimestre", "4.º trimestre"],
    now: "ahora mismo", soon: "dentro de un momento",
    yesterday: "ayer", tomorrow: "mañana",
    past: [
      "minute": Amount(one: "hace {0} minuto", other: "hace {0} minutos"),
      "hour": Amount(one: "hace {0} hora", other: "hace {0} horas"),
      "day": Amount(one: "hace {0} día", other: "hace {0} días"),
      "week": Amount(one: "hace {0} semana", other: "hace {0} semanas"),
      "month": Amount(one: "hace {0} mes", other: "hace {0} meses"),
      "year": Amount(one: "hace {0} año", other: "hace {0} años"),
    ],
    future: [
      "minute": Amount(one: "dentro de {0} minuto", other: "dentro de {0} minutos"),
      "hour": Amount(one: "dentro de {0} hora", other: "dentro de {0} horas"),
      "day": Amount(one: "dentro de {0} día", other: "dentro de {0} días"),
      "week": Amount(one: "dentro de {0} semana", other: "dentro de {0} semanas"),
      "month": Amount(one: "dentro de {0} mes", other: "dentro de {0} meses"),
      "year": Amount(one: "dentro de {0} año", other: "dentro de {0} años"),
    ],
    lengths: [
      "day": Amount(one: "{0} d", other: "{0} d"),
      "hour": Amount(one: "{0} h", other: "{0} h"),
      "minute": Amount(one: "{0} min", other: "{0} min"),
      "second": Amount(one: "{0} s", other: "{0} s"),
    ],
    list: ListPattern(two: "{0} y {1}", start: "{0}, {1}",
      middle: "{0}, {1}", end: "{0} y {1}"))

  /// Japanese.
  static let ja = Language(
    code: "ja", plural: .none, decimal: ".",
    months: Names(
      wide: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
      short: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
      narrow: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]),
    monthsAlone: Names(
      wide: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
      short: ["1月", "2月", "3月", "4月", "5月", "6月", "7月", "8月", "9月", "10月", "11月", "12月"],
      narrow: ["1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11", "12"]),
    days: Names(
      wide: ["日曜日", "月曜日", "火曜日", "水曜日", "木曜日", "金曜日", "土曜日"],
      short: ["日", "月", "火", "水", "木", "金", "土"],
      narrow: ["日", "月", "火", "水", "木", "金", "土"]),
    daysShort: ["日", "月", "火", "水", "木", "金", "土"],
    halves: ["午前", "午後"], narrowHalves: ["午前", "午後"],
    eras: ["紀元前", "西暦"],
    wideEras: ["紀元前", "西暦"],
    quarters: ["Q1", "Q2", "Q3", "Q4"],
    wideQuarters: ["第1四半期", "第2四半期", "第3四半期", "第4四半期"],
    now: "たった今", soon: "まもなく",
    yesterday: "昨日", tomorrow: "明日",
    past: [
      "minute": Amount(one: "{0} 分前", other: "{0} 分前"),
      "hour": Amount(one: "{0} 時間前", other: "{0} 時間前"),
      "day": Amount(one: "{0} 日前", other: "{0} 日前"),
      "week": Amount(one: "{0} 週間前", other: "{0} 週間前"),
      "month": Amount(one: "{0} か月前", other: "{0} か月前"),
      "year": Amount(one: "{0} 年前", other: "{0} 年前"),
    ],
    future: [
      "minute": Amount(one: "{0} 分後", other: "{0} 分後"),
      "hour": Amount(one: "{0} 時間後", other: "{0} 時間後"),
      "day": Amount(one: "{0} 日後", other: "{0} 日後"),
      "week": Amount(one: "{0} 週間後", other: "{0} 週間後"),
      "month": Amount(one: "{0} か月後", other: "{0} か月後"),
      "year": Amount(one: "{0} 年後", other: "{0} 年後"),
    ],
    lengths: [
      "day": Amount(one: "{0} 日", other: "{0} 日"),
      "hour": Amount(one: "{0} 時間", other: "{0} 時間"),
      "minute": Amount(one: "{0} 分", other: "{0} 分"),
      "second": Amount(one: "{0} 秒", other: "{0} 秒"),
    ],
    list: ListPattern(two: "{0}、{1}", start: "{0}、{1}",
      middle: "{0}、{1}", end: "{0}、{1}"))

  /// All languages with tables.
  package static let all = [en, de, fr, es, ja]
}
