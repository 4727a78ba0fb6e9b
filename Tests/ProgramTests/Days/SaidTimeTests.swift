import CEL
import Items
import Program
import Testing

/// Days, times, lengths and rules as people write and say them, in five languages.
///
/// Each row has a text and its value, `-` for none; a rule is in brackets.
@Suite struct SaidTimeTests {
  /// Friday, 20 November 2026, 10:00 in UTC.
  private static let now = Timestamp(seconds: 1_795_168_800)

  /// A row of a table.
  struct Row: Sendable, CustomTestStringConvertible {
    let language: String
    let text: String
    let value: String
    var testDescription: String { "\(language): \(text)" }
  }

  private static func rows(_ language: String, _ table: String) -> [Row] {
    table.split(separator: "\n").map { line in
      let parts = line.split(separator: "|").map(String.init)
      return Row(language: language, text: parts[0], value: parts[1])
    }
  }

  private static func value(_ text: String, _ language: String) -> String {
    guard let reading = SpokenDate(language, now: now, clock: .utc)?.reading(text) else {
      return "-"
    }
    guard let rule = reading.recurrence else { return reading.when ?? "-" }
    return "[\(rule)]" + (reading.time.map { " " + $0.localText.suffix(5) } ?? "")
  }

  private static let english = rows(
    "en",
    """
    in half an hour|2026-11-20T10:30
    in an hour and a half|2026-11-20T11:30
    in one and a half hours|2026-11-20T11:30
    in a quarter of an hour|2026-11-20T10:15
    in three quarters of an hour|2026-11-20T10:45
    in two days|2026-11-22
    in a couple of hours|2026-11-20T12:00
    in a few days|-
    in 2 hours and 30 minutes|2026-11-20T12:30
    in 1.5 hours|2026-11-20T11:30
    in 1h30m|2026-11-20T11:30
    in 90 min|2026-11-20T11:30
    half an hour from now|2026-11-20T10:30
    3 days from now|2026-11-23
    an hour from now|2026-11-20T11:00
    in half a year|2027-05-20
    in a fortnight|2026-12-04
    in two days at 9am|2026-11-22T09:00
    24:00|2026-11-21T00:00
    tomorrow 24:00|2026-11-22T00:00
    midnight|2026-11-21T00:00
    at midnight|2026-11-21T00:00
    friday at midnight|2026-11-28T00:00
    tomorrow at midnight|2026-11-22T00:00
    tonight at midnight|2026-11-21T00:00
    tonight at 12|2026-11-21T00:00
    tomorrow at 12 noon|2026-11-21T12:00
    tomorrow at 12|2026-11-21T12:00
    tomorrow at 12am|2026-11-21T00:00
    at 17.30|2026-11-20T17:30
    tomorrow at 5 p.m.|2026-11-21T17:00
    tomorrow at 5 pm|2026-11-21T17:00
    tomorrow at 5 o'clock|2026-11-21T17:00
    tomorrow at 5:30pm|2026-11-21T17:30
    a week from monday|2026-11-30
    monday week|2026-11-30
    a week from tomorrow|2026-11-28
    the day after tomorrow|2026-11-22
    the day after tomorrow at 9am|2026-11-22T09:00
    two days before christmas|-
    next week on tuesday|2026-11-24
    tuesday next week|2026-11-24
    next week tuesday at 9am|2026-11-24T09:00
    on tuesday of next week|2026-11-24
    tuesday in two weeks|2026-12-08
    two weeks from friday|2026-12-11
    a week today|2026-11-27
    a week on monday|2026-11-30
    end of next month|2026-12-31
    at the end of next month|2026-12-31
    the end of next week|2026-11-29
    at the end of the month|2026-11-30
    end of the month|2026-11-30
    by the end of the week|2026-11-22
    beginning of next month|2026-12-01
    start of next month|2026-12-01
    start of next week|2026-11-23
    at the beginning of the month|2026-12-01
    mid-month|2026-12-15
    in the middle of next month|2026-12-15
    first of next month|2026-12-01
    the 1st of next month|2026-12-01
    on the 15th of next month|2026-12-15
    the first monday of next month|2026-12-07
    last day of the month|2026-11-30
    last friday of the month|2026-11-27
    the friday after next|2026-12-04
    the week after next|2026-12-04
    end of february|2027-02-28
    mid december|2026-12-15
    early december|-
    3/12|-
    25/12|-
    12/25/2026|2026-12-25
    3/12/2026|-
    25th of december|2026-12-25
    the twenty-fifth of december|2026-12-25
    december twenty-fifth|2026-12-25
    on friday the 4th of december|2026-12-04
    friday 4 december|2026-12-04
    friday, december 4th|2026-12-04
    on friday the 5th of december|-
    december 4th 2026|2026-12-04
    december 4th, 2026 at 5pm|2026-12-04T17:00
    4 dec|2026-12-04
    on the twelfth|2026-12-12
    on the 25th|2026-11-25
    daily|[every day]
    weekly|[every week]
    monthly|[every month]
    yearly|[every year]
    annually|[every year]
    every morning|[every day] 09:00
    every evening|[every day] 18:00
    every night|[every day] 21:00
    every morning at 7|[every day] 07:00
    every day at 9|[every day] 09:00
    weekly on friday|[every friday]
    every weekday at 8|[every weekday] 08:00
    every 1st of the month|[every month on 1]
    on weekdays|[every weekday]
    weekdays at 8am|[every weekday] 08:00
    mondays and thursdays|[every monday, thursday]
    on fridays|[every friday]
    on fridays at 5pm|[every friday] 17:00
    every monday morning|[every monday] 09:00
    every monday and thursday at 9|[every monday, thursday] 09:00
    fortnightly|[every 2 weeks]
    biweekly|[every 2 weeks]
    quarterly|[every 3 months]
    every quarter|[every 3 months]
    every half year|[every 6 months]
    every weekend|[every saturday, sunday]
    every hour|-
    every two hours|-
    the daily|-
    monthly on the 1st|[every month on 1]
    every fortnight|[every 2 weeks]
    call 5|-
    5|-
    half|-
    a|-
    the|-
    second|-
    the second|-
    end|-
    the end|-
    end of days|-
    quarter|-
    first|-
    mid|-
    three|-
    for 12|-
    in 3|-
    a week|-
    half an hour|-
    a couple of|-
    monday to friday|-
    friday in december|-
    friday the 13th|-
    sunday next month|-
    in half a month|-
    second next month|-
    on 3/12|-
    may|-
    march|-
    sat|2026-11-21
    tonight at 1|2026-11-21T01:00
    tomorrow evening at 8|2026-11-21T20:00
    tomorrow at 5 in the morning|2026-11-21T05:00
    in 24 hours|2026-11-21T10:00
    from monday|2026-11-23
    after monday|-
    a day after tomorrow|2026-11-22
    one|-
    next|-
    next one|-
    in an hour at 5|-
    at the end|-
    at 5.30|2026-11-21T05:30
    version 2.10|-
    1.5|-
    1 2|-
    two and a half|-
    monday mondays|-
    on 25/12 at 5pm|2026-12-25T17:00
    for half an hour|-
    """)

  private static let german = rows(
    "de",
    """
    in einer halben Stunde|2026-11-20T10:30
    in anderthalb Stunden|2026-11-20T11:30
    in eineinhalb Stunden|2026-11-20T11:30
    in zweieinhalb Stunden|2026-11-20T12:30
    in 2 Stunden und 30 Minuten|2026-11-20T12:30
    in einer Viertelstunde|2026-11-20T10:15
    in einer Dreiviertelstunde|2026-11-20T10:45
    in 1,5 Stunden|2026-11-20T11:30
    in einer Stunde|2026-11-20T11:00
    heute in 14 Tagen|2026-12-04
    in vierzehn Tagen|2026-12-04
    in ein paar Tagen|-
    in einem halben Jahr|2027-05-20
    morgen um Mitternacht|2026-11-22T00:00
    Freitag um Mitternacht|2026-11-28T00:00
    morgen um 24 Uhr|2026-11-22T00:00
    morgen um 0 Uhr|2026-11-21T00:00
    um 17.30 Uhr|2026-11-20T17:30
    morgen 17.30 Uhr|2026-11-21T17:30
    morgen um 17.30|2026-11-21T17:30
    morgen um 17:30 Uhr|2026-11-21T17:30
    morgen 17 Uhr 30|2026-11-21T17:30
    heute Nacht um 2|2026-11-21T02:00
    Montag in einer Woche|2026-11-30
    Freitag in zwei Wochen|2026-12-11
    nächste Woche Dienstag|2026-11-24
    nächste Woche am Dienstag|2026-11-24
    Dienstag nächster Woche|2026-11-24
    Ende nächsten Monats|2026-12-31
    Ende nächster Woche|2026-11-29
    Anfang nächsten Monats|2026-12-01
    Anfang nächster Woche|2026-11-23
    Mitte nächsten Monats|2026-12-15
    übernächsten Freitag|2026-12-04
    übernächste Woche|2026-12-04
    Ende Februar|2027-02-28
    Anfang Dezember|2026-12-01
    am Ersten des nächsten Monats|2026-12-01
    am 15. des nächsten Monats|2026-12-15
    am letzten Tag des Monats|2026-11-30
    eine Woche nach Montag|2026-11-30
    bis Ende der Woche|2026-11-22
    am Ende des Monats|2026-11-30
    nächste Woche Dienstag um 9 Uhr|2026-11-24T09:00
    am 3/12|2026-12-03
    am 3.12.|2026-12-03
    3.12.|2026-12-03
    3.12.2026 17:00|2026-12-03T17:00
    3.12.26|2026-12-03
    am 3. Dezember um 17 Uhr|2026-12-03T17:00
    Freitag, den 4. Dezember|2026-12-04
    Freitag, 4.12.|2026-12-04
    am Freitag, dem 5. Dezember|-
    am fünfundzwanzigsten Dezember|2026-12-25
    am zwölften|2026-12-12
    am dritten Dezember|2026-12-03
    täglich|[every day]
    täglich um 9 Uhr|[every day] 09:00
    wöchentlich|[every week]
    wöchentlich am Freitag|[every friday]
    monatlich|[every month]
    jährlich|[every year]
    vierteljährlich|[every 3 months]
    jeden Montag|[every monday]
    jeden Morgen|[every day] 09:00
    jeden Abend um 8|[every day] 20:00
    werktags|[every weekday]
    werktags um 8|[every weekday] 08:00
    montags|[every monday]
    montags und donnerstags|[every monday, thursday]
    montags um 9|[every monday] 09:00
    jedes Wochenende|[every saturday, sunday]
    alle 14 Tage|[every 2 weeks]
    jeden Montagmorgen|[every monday] 09:00
    jeden Ersten des Monats|[every month on 1]
    halb|-
    Ende|-
    ein|-
    am Ende|-
    zwei|-
    die Woche|-
    Mitte|-
    ersten|-
    den ersten|-
    achten|-
    erste|-
    morgens|2026-11-21T09:00
    Montag bis Freitag|-
    halbe|-
    Tag|-
    in Teilen|-
    Anfang|-
    um 5|2026-11-20T17:00
    halben Tag|-
    im Januar|-
    """)

  private static let french = rows(
    "fr",
    """
    dans une demi-heure|2026-11-20T10:30
    dans une heure et demie|2026-11-20T11:30
    dans un quart d'heure|2026-11-20T10:15
    dans trois quarts d'heure|2026-11-20T10:45
    dans 2 heures et 30 minutes|2026-11-20T12:30
    dans 1 h 30|2026-11-20T11:30
    dans 2h|2026-11-20T12:00
    dans quinze jours|2026-12-04
    dans huit jours|2026-11-27
    dans 8 jours|2026-11-28
    dans deux jours et demi|2026-11-22T22:00
    d'ici deux semaines|2026-12-04
    demain à 17h30|2026-11-21T17:30
    demain à 17 h 30|2026-11-21T17:30
    demain 17h30|2026-11-21T17:30
    demain à 17.30|2026-11-21T17:30
    demain à minuit|2026-11-22T00:00
    ce soir à minuit|2026-11-21T00:00
    lundi en huit|2026-11-30
    mardi de la semaine prochaine|2026-11-24
    la semaine prochaine mardi|2026-11-24
    mardi prochain|2026-11-24
    fin du mois prochain|2026-12-31
    à la fin du mois|2026-11-30
    à la fin du mois prochain|2026-12-31
    début du mois prochain|2026-12-01
    début décembre|2026-12-01
    fin février|2027-02-28
    mi-décembre|2026-12-15
    le 1er du mois prochain|2026-12-01
    le dernier jour du mois|2026-11-30
    lundi dans une semaine|2026-11-30
    dans une semaine à partir de lundi|2026-11-30
    4 décembre|2026-12-04
    le 1er décembre|2026-12-01
    le premier décembre|2026-12-01
    le 3/12|2026-12-03
    le 3/12/2026|2026-12-03
    vendredi 4 décembre|2026-12-04
    vendredi 5 décembre|-
    le vingt-cinq décembre|2026-12-25
    tous les matins|[every day] 09:00
    chaque soir à 20h|[every day] 20:00
    tous les lundis|[every monday]
    le lundi|2026-11-23
    les lundis|[every monday]
    chaque mois|[every month]
    tous les jours|[every day]
    tous les jours à 9h|[every day] 09:00
    tous les deux jours|[every 2 days]
    toutes les semaines|[every week]
    tous les lundis et jeudis|[every monday, thursday]
    tous les trois mois|[every 3 months]
    tous les quinze jours|[every 2 weeks]
    la fin|-
    le début|-
    demi|-
    premier|-
    le premier|-
    une heure|-
    midi|2026-11-20T12:00
    les|-
    quinze jours|-
    en|-
    le mois|-
    lundi vendredi|-
    """)

  private static let spanish = rows(
    "es",
    """
    en media hora|2026-11-20T10:30
    dentro de una hora y media|2026-11-20T11:30
    en hora y media|2026-11-20T11:30
    dentro de un cuarto de hora|2026-11-20T10:15
    en tres cuartos de hora|2026-11-20T10:45
    dentro de 2 horas y 30 minutos|2026-11-20T12:30
    en dos días|2026-11-22
    dentro de quince días|2026-12-04
    en un par de horas|2026-11-20T12:00
    mañana a medianoche|2026-11-22T00:00
    mañana a las 17.30|2026-11-21T17:30
    mañana a las 17:30 h|2026-11-21T17:30
    mañana a las 5 de la tarde|2026-11-21T17:00
    mañana a las 5 p.m.|2026-11-21T17:00
    el martes de la semana que viene|2026-11-24
    la semana que viene el martes|2026-11-24
    el martes de la próxima semana|2026-11-24
    a fin de mes|2026-11-30
    a finales de mes|2026-11-30
    a finales del mes que viene|2026-12-31
    a principios del mes que viene|2026-12-01
    a principios de diciembre|2026-12-01
    a mediados de diciembre|2026-12-15
    el uno del mes que viene|2026-12-01
    el primer día del mes que viene|2026-12-01
    el último día del mes|2026-11-30
    dentro de una semana|2026-11-27
    el lunes que viene|2026-11-23
    el 4 de diciembre de 2026|2026-12-04
    el 3/12|2026-12-03
    el viernes 4 de diciembre|2026-12-04
    el viernes 5 de diciembre|-
    el veinticinco de diciembre|2026-12-25
    4 de diciembre a las 5 de la tarde|2026-12-04T17:00
    cada mañana|[every day] 09:00
    todos los días|[every day]
    todas las noches|[every day] 21:00
    los lunes|[every monday]
    los lunes y jueves|[every monday, thursday]
    los lunes a las 9|[every monday] 09:00
    todos los lunes|[every monday]
    diariamente|[every day]
    cada mes|[every month]
    semanalmente|[every week]
    cada dos días|[every 2 days]
    cada quince días|[every 2 weeks]
    fin|-
    media|-
    la media|-
    el primero|-
    primero|-
    uno|-
    los|-
    a media|-
    una hora|-
    el mes|-
    final|-
    """)

  private static let japanese = rows(
    "ja",
    """
    1時間半後|2026-11-20T11:30
    30分後|2026-11-20T10:30
    半時間後|2026-11-20T10:30
    ３０分後に|2026-11-20T10:30
    2時間30分後|2026-11-20T12:30
    三日後|2026-11-23
    1か月後|2026-12-20
    半年後|2027-05-20
    明日１７時|2026-11-21T17:00
    明日１７：３０|2026-11-21T17:30
    明日24時|2026-11-22T00:00
    明日の午後５時半|2026-11-21T17:30
    来週の火曜日|2026-11-24
    来月末|2026-12-31
    再来週の金曜|2026-12-04
    あさって|2026-11-22
    明後日の9時|2026-11-22T09:00
    来月の15日|2026-12-15
    来月1日|2026-12-01
    来月初め|2026-12-01
    今月末まで|2026-11-30
    2月末|2027-02-28
    12月上旬|-
    今週の日曜|2026-11-22
    来週末|2026-11-28
    12月4日金曜日|2026-12-04
    12月4日（金）|2026-12-04
    12月5日金曜日|-
    12/4|2026-12-04
    2026年12月4日|2026-12-04
    １２月４日１７時|2026-12-04T17:00
    十二月四日|2026-12-04
    毎朝|[every day] 09:00
    毎晩|[every day] 18:00
    毎朝7時|[every day] 07:00
    毎週月曜と木曜|[every monday, thursday]
    毎週月曜日と木曜日の9時|[every monday, thursday] 09:00
    毎日8時|[every day] 08:00
    毎週金曜|[every friday]
    毎年|[every year]
    月曜と木曜|-
    半|-
    末|-
    初め|-
    月|-
    日|-
    30分|-
    一|-
    毎|-
    三月|-
    週|-
    数日後|-
    """)

  @Test(arguments: english + german + french + spanish + japanese)
  func isRead(_ row: Row) {
    #expect(Self.value(row.text, row.language) == row.value)
  }

  @Test(arguments: [
    ("en", "from 3 to 5 december", "2026-12-03/2026-12-05"),
    ("en", "from the 3rd to the 5th of december", "2026-12-03/2026-12-05"),
    ("en", "december 3 to december 5", "2026-12-03/2026-12-05"),
    ("en", "30 december to 2 january", "2026-12-30/2027-01-02"),
    ("en", "from 2026-12-03 until 2026-12-05", "2026-12-03/2026-12-05"),
    ("en", "from monday to friday", "2026-11-23/2026-11-27"),
    ("en", "from today to tomorrow", "2026-11-20/2026-11-21"),
    ("en", "tomorrow from 3 to 5pm", "2026-11-21T15:00/2026-11-21T17:00"),
    ("en", "from 8 to 10pm on monday", "2026-11-23T20:00/2026-11-23T22:00"),
    ("en", "tomorrow 15:00-17:00", "2026-11-21T15:00/2026-11-21T17:00"),
    ("en", "tomorrow from 10pm to 2am", "2026-11-21T22:00/2026-11-22T02:00"),
    ("en", "monday 9am to tuesday 5pm", "2026-11-23T09:00/2026-11-24T17:00"),
    ("en", "from 11am to 1pm", "2026-11-20T11:00/2026-11-20T13:00"),
    ("en", "the next 3 days", "2026-11-20/2026-11-22"),
    ("en", "in the next two weeks", "2026-11-20/2026-12-03"),
    ("en", "last 7 days", "2026-11-14/2026-11-20"),
    ("en", "since monday", "2026-11-16/"), ("en", "until monday", "/2026-11-23"),
    ("de", "vom 3.12. bis 5.12.", "2026-12-03/2026-12-05"),
    ("de", "vom 3.12. bis 5.12", "2026-12-03/2026-12-05"),
    ("de", "vom 3. bis 5. Dezember", "2026-12-03/2026-12-05"),
    ("de", "vom 3. bis zum 5. Dezember", "2026-12-03/2026-12-05"),
    ("de", "3.–5. Dezember", "2026-12-03/2026-12-05"), ("de", "3.-5.12.", "2026-12-03/2026-12-05"),
    ("de", "vom 30.12. bis 2.1.", "2026-12-30/2027-01-02"),
    ("de", "von Montag bis Freitag", "2026-11-23/2026-11-27"),
    ("de", "morgen von 15 bis 17 Uhr", "2026-11-21T15:00/2026-11-21T17:00"),
    ("de", "am Montag von 15:30 bis 17:00", "2026-11-23T15:30/2026-11-23T17:00"),
    ("de", "die nächsten drei Tage", "2026-11-20/2026-11-22"),
    ("fr", "du 3 au 5 décembre", "2026-12-03/2026-12-05"),
    ("fr", "de lundi à vendredi", "2026-11-23/2026-11-27"),
    ("fr", "demain de 15h à 17h", "2026-11-21T15:00/2026-11-21T17:00"),
    ("fr", "les 3 prochains jours", "2026-11-20/2026-11-22"),
    ("es", "del 3 al 5 de diciembre", "2026-12-03/2026-12-05"),
    ("es", "de lunes a viernes", "2026-11-23/2026-11-27"),
    ("es", "mañana de 15:00 a 17:00", "2026-11-21T15:00/2026-11-21T17:00"),
    ("es", "los próximos 3 días", "2026-11-20/2026-11-22"),
    ("ja", "12月3日から5日まで", "2026-12-03/2026-12-05"),
    ("ja", "12月3日から5日", "2026-12-03/2026-12-05"),
    ("ja", "12月30日から1月2日まで", "2026-12-30/2027-01-02"),
    ("ja", "12月3日〜12月5日", "2026-12-03/2026-12-05"),
    ("ja", "月曜日から金曜日まで", "2026-11-23/2026-11-27"),
    ("ja", "明日の15時から17時まで", "2026-11-21T15:00/2026-11-21T17:00"),
    ("ja", "今後3日間", "2026-11-20/2026-11-22"),
    ("en", "this week", "2026-11-16/2026-11-22"), ("en", "tomorrow", "2026-11-21"),
    ("en", "at ten to five", "2026-11-20T16:50"), ("en", "3 to 4", nil),
    ("de", "bis 5", "2026-11-20T17:00"),
  ])
  func rangesAreRead(_ language: String, _ text: String, _ range: String?) {
    let reading = SpokenDate(language, now: Self.now, clock: .utc)?.reading(text)
    let time = reading.flatMap { $0.isSpan ? nil : $0.time?.localText }
    #expect((time ?? reading?.range) == range)
  }

  /// A span of days is not a day: the words of one are never taken for a time on the other.
  @Test(arguments: [
    ("de", "vom 3. bis 5. Dezember"), ("de", "vom 3.12. bis 5.12."), ("en", "from dec 3 to dec 5"),
    ("en", "tomorrow from 3 to 5pm"), ("fr", "du 3 au 5 décembre"), ("ja", "12月3日から5日まで"),
  ])
  func aSpanIsNotOneTime(_ language: String, _ text: String) {
    let reader = DateReader(now: Self.now, clock: .utc, language: Language.named(language))
    #expect(reader.whenText(text) == nil)
    #expect(reader.date(text) == nil)
  }

  @Test(arguments: [
    ("en", "half an hour", "30m"), ("en", "an hour and a half", "1h30m"), ("en", "a week", "7d"),
    ("de", "eine halbe Stunde", "30m"), ("de", "anderthalb Stunden", "1h30m"),
    ("de", "1,5 Std.", "1h30m"), ("fr", "une demi-heure", "30m"),
    ("fr", "une heure et demie", "1h30m"),
    ("fr", "1 h 30", "1h30m"), ("es", "media hora", "30m"), ("es", "dos horas y media", "2h30m"),
    ("ja", "1時間半", "1h30m"), ("ja", "１０分間", "10m"), ("ja", "半日", "12h"),
    ("en", "a few hours", nil), ("en", "half", nil), ("en", "5", nil),
    ("de", "ein paar Stunden", nil),
    ("en", "half a month", nil), ("fr", "une heure 75", nil), ("ja", "半", nil),
  ])
  func lengthsAreRead(_ language: String, _ text: String, _ length: String?) throws {
    let reader = try #require(SpokenDate(language, now: Self.now, clock: .utc))
    #expect(reader.duration(text) == length)
  }

  @Test(arguments: [
    ("recurrence", "de", "jeden Montag", "every monday"),
    ("recurrence", "en", "daily", "every day"),
    ("recurrence", "fr", "tous les lundis", "every monday"),
    ("recurrence", "de", "every friday", "every friday"),
    ("recurrence", "en", "every day at 9", nil), ("recurrence", "en", "now and then", nil),
    ("period", "en", "two weeks", "2w"), ("period", "de", "ein halbes Jahr", "6mo"),
    ("period", "en", "2 hours", nil),
    ("reminder", "de", "2 Std. vorher", "2h before"),
    ("reminder", "de", "1 Tag vorher", "1d before"),
    ("reminder", "fr", "2 h avant", "2h before"), ("reminder", "es", "2 h antes", "2h before"),
    ("reminder", "ja", "2時間前", "2h before"),
    ("reminder", "en", "half an hour before", "30m before"),
    ("reminder", "en", "before", nil), ("reminder", "en", "a few days before", nil),
  ])
  func flagsTakeThePersonsLanguage(
    _ type: String, _ language: String, _ text: String, _ value: String?
  ) throws {
    let refined = try #require(RefinedType.all.first { $0.name == type })
    let said = SpokenDate.value(
      of: text, as: .refined(refined), in: try #require(Language.named(language)), now: Self.now,
      clock: .utc)
    #expect(said?.text == value)
  }

  /// `3/12` is the one or the other day by the region, and in English without one neither.
  @Test(arguments: [
    ("en", true, "2027-03-12"), ("en", false, "2026-12-03"), ("en", nil, nil),
    ("de", true, "2026-12-03"),
    ("de", nil, "2026-12-03"), ("ja", nil, "2027-03-12"),
  ])
  func datesWithASlashGoByTheRegion(_ language: String, _ isMonthFirst: Bool?, _ day: String?) {
    let clock = LocalClock(isMonthFirst: isMonthFirst) { .utc }
    let reader = DateReader(now: Self.now, clock: clock, language: Language.named(language))
    #expect(reader.whenText("3/12") == day)
    let isMonthOnly = isMonthFirst == true && language == "en"
    #expect(reader.whenText("25/12/2026") == (isMonthOnly ? nil : "2026-12-25"))
  }
}
