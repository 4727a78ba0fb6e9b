/// The words of a language for dates, durations, lists and references to earlier sentences.
package struct SpokenWords: Sendable {
  /// Days from today by the words that name them.
  package let days: [String: Int]
  /// Days from today by the words that name them with a part of the day, such as `tonight`.
  let evenings: [String: Int]
  /// Stretches of days by the words that name them: a unit, with a dot for its end, and its distance
  /// from the present one; or the month and the day of a feast.
  let stretches: [String: String]
  /// Words before a date that say nothing more, such as `on`.
  package let before: Set<String>
  /// Words before a date after which a bare number is a day of the month.
  let dayMarks: Set<String>
  /// Words before a date that begin or end a range of days.
  let since: Set<String>
  let upTo: Set<String>
  /// Days that words after a day of the week add to it, as in `samedi en quinze`.
  let later: [String: Int]
  /// Words after a date that say nothing more.
  let after: Set<String>
  /// Words for the next one of a unit or of a day of the week.
  let next: Set<String>
  /// Words for this one.
  let this: Set<String>
  /// Words before a distance from now, such as `in`.
  let inWords: Set<String>
  /// Words after a distance from now, such as `from now`.
  let fromNow: [String]
  /// Words for each one, as in `every monday`.
  let every: Set<String>
  /// Units by name: d, w, mo, y, h, m.
  let units: [String: String]
  /// Words between the elements of a list.
  package let and: Set<String>
  /// Words before the second of two things to do, as in `and then archive it`.
  package var thenWords: Set<String> {
    Self.set("then so dann danach also puis ensuite donc alors luego después entonces pues")
  }
  /// Words for the last result, and for each of its elements.
  package let it: Set<String>
  package let ordinals: [String: Int]
  /// Words around an ordinal, such as `the` and `one`.
  package let ordinalFillers: Set<String>
  /// Words that end a conversation.
  package let goodbye: Set<String>
  /// Polite words at the end of a sentence, which belong to no text.
  package let polite: [String]
  /// Signs that cling to the word before them and never begin a text.
  package var particles: Set<Unicode.Scalar> = []
  /// Marks after a day of the month, as in `3.` or `3rd`.
  let dayEndings: [String]
  /// Words before the first of two days or times, as in `from monday to friday`, and between them.
  let spanStarts: [String]
  let spanEnds: [String]
  /// Words before a number of days from today on, besides those for the next one, and up to today.
  let ahead: Set<String>
  let past: Set<String>
  /// Pronouns that cling to the end of a verb, as in `archívalo`, the longest first.
  package var clitics: [String] = []
  /// Words with which a sentence says a duty; as a question it only asks for it.
  package var duties: [String] = []
  /// Signs of addresses by the words that say them, as in `swift dot org`.
  package var addressSigns: [String: String] = [:]

  /// The languages with words.
  static let languages = ["en", "de", "fr", "es", "ja"]

  /// The words of a language; nil for one that is not known.
  package static func of(_ language: String) -> SpokenWords? {
    switch language {
    case "en": english
    case "de": german
    case "fr": french
    case "es": spanish
    case "ja": japanese
    default: nil
    }
  }

  static func set(_ words: String) -> Set<String> {
    Set(words.split(separator: " ").map(String.init))
  }

  static func table<Value>(_ rows: [(Value, String)]) -> [String: Value] {
    var table: [String: Value] = [:]
    for (value, words) in rows {
      for word in words.split(separator: "|") { table[String(word)] = value }
    }
    return table
  }

  /// The words of English.
  static let english = SpokenWords(
    days: table([
      (0, "today"), (1, "tomorrow|tmrw|tomorow|tommorow|tommorrow"),
      (2, "the day after tomorrow|day after tomorrow"),
      (-1, "yesterday"), (-2, "the day before yesterday|day before yesterday"),
    ]),
    evenings: table([
      (0, "tonight|this evening|this afternoon|this morning"), (-1, "last night"),
    ]),
    stretches: table([
      ("w 0", "this week"), ("w -1", "last week|the last week|the past week"), ("w 1", "next week"),
      ("we 0", "this weekend|the weekend"), ("we -1", "last weekend"), ("mo 0", "this month"),
      ("mo -1", "last month|the last month|the past month"), ("mo 1", "next month"),
      ("w 2", "week after next"), ("mo 2", "month after next"), ("y 1", "next year"),
      ("y 0", "this year"), ("y -1", "last year"), ("w. 0", "the end of the week|end of week"),
      ("mo. 0", "the end of the month|end of month"), ("y. 0", "the end of the year|end of year"),
      ("12-24", "christmas eve"), ("12-25", "christmas|christmas day|xmas"),
      ("12-26", "boxing day"), ("12-31", "new year's eve"),
      ("1-1", "new year|new year's|new year's day"), ("10-31", "halloween"),
      ("2-14", "valentine's day"),
    ]),
    before: set("on by until till for due before the of from since during"),
    dayMarks: set("on the"), since: set("since"), upTo: set("by until till before"),
    later: ["week": 7, "in a week": 7, "fortnight": 14, "after next": 7], after: set("the"),
    next: set("next coming"), this: set("this"), inWords: set("in within"),
    fromNow: ["from now", "from today"], every: set("every each"),
    units: table([
      ("d", "day|days|d"), ("w", "week|weeks|w"), ("mo", "month|months|mo"),
      ("y", "year|years|y"), ("h", "hour|hours|h|hr|hrs"), ("m", "minute|minutes|min|mins|m"),
      ("14d", "fortnight|fortnights"), ("30m", "half-hour"),
      ("15m", "quarter of an hour|quarters of an hour|quarter hour"),
    ]),
    and: set("and & or"), it: set("it that this them those these"),
    ordinals: table([
      (1, "first|1st"), (2, "second|2nd"), (3, "third|3rd"), (4, "fourth|4th"), (5, "fifth|5th"),
      (6, "sixth|6th"), (7, "seventh|7th"), (8, "eighth|8th"), (9, "ninth|9th"),
      (10, "tenth|10th"), (11, "eleventh"), (12, "twelfth"),
      (13, "thirteenth"), (14, "fourteenth"), (15, "fifteenth"), (16, "sixteenth"),
      (17, "seventeenth"), (18, "eighteenth"), (19, "nineteenth"), (20, "twentieth"),
      (30, "thirtieth"), (-1, "last"),
    ]),
    ordinalFillers: set("the one link number item task note file page of them"),
    goodbye: set("bye goodbye quit exit stop done leave"),
    polite: ["please", "thanks", "thank you", "for me"], dayEndings: ["st", "nd", "rd", "th"],
    spanStarts: ["from"],
    spanEnds: ["to", "till", "until", "through", "–"],
    ahead: set(""), past: set("last past"),
    duties: [
      "i must", "i should", "i need to", "i have to", "i've got to", "we need to", "we have to",
    ],
    addressSigns: ["dot": ".", "slash": "/", "dash": "-", "hyphen": "-"])

  private static let german = SpokenWords(
    days: table([
      (0, "heute"), (1, "morgen"), (2, "übermorgen"), (-1, "gestern"), (-2, "vorgestern"),
    ]),
    evenings: [:],
    stretches: table([
      ("w 0", "diese woche|dieser woche"),
      ("w -1", "letzte woche|letzter woche|vorige woche|vergangene woche"),
      ("w 1", "nächste woche|nächster woche|kommende woche|kommender woche"),
      ("we 0", "wochenende|dieses wochenende|diesem wochenende"),
      ("mo 0", "diesen monat|diesem monat|dieses monats"),
      ("mo -1", "letzten monat|vorigen monat|letztem monat"),
      ("mo 1", "nächsten monat|nächsten monats|kommenden monat|kommenden monats"),
      ("w 2", "übernächste woche|übernächster woche"),
      ("mo 2", "übernächsten monat|übernächsten monats"),
      ("y 1", "nächstes jahr|nächsten jahres|nächstem jahr"),
      ("y 0", "dieses jahr|diesem jahr"), ("y -1", "letztes jahr|letztem jahr"),
      ("w. 0", "ende der woche|ende dieser woche"),
      ("mo. 0", "ende des monats|ende dieses monats|monatsende"),
      ("y. 0", "ende des jahres|jahresende"),
      ("12-6", "nikolaus"), ("12-24", "heiligabend|heilig abend|weihnachten"),
      ("12-31", "silvester"), ("1-1", "neujahr"),
    ]),
    before: set("am an bis zum vor für ab den der die dem das zu von vom aus seit"),
    dayMarks: set("am den zum vom"), since: set("seit ab"), upTo: set("bis vor"),
    later: [
      "in acht tagen": 7, "in einer woche": 7, "in vierzehn tagen": 14, "in zwei wochen": 14,
      "übernächsten": 7, "übernächster": 7,
    ],
    after: set("an"),
    next: set("nächsten nächste nächster nächstes kommenden kommende kommender"),
    this: set("diesen diese dieses dieser"), inWords: set("in innerhalb binnen"), fromNow: [],
    every: set("jeden jede jedes alle"),
    units: table([
      ("d", "tag|tage|tagen|t."), ("w", "woche|wochen"), ("mo", "monat|monate|monaten|monats"),
      ("y", "jahr|jahre|jahren|jahres"), ("h", "stunde|stunden|std|std.|h"),
      ("m", "minute|minuten|min|min."), ("15m", "viertelstunde|viertelstunden"),
      ("45m", "dreiviertelstunde"),
    ]),
    and: set("und oder &"), it: set("es das ihn sie ihm diesen dies"),
    ordinals: table([
      (1, "ersten|erste|erstes"), (2, "zweiten|zweite|zweites"), (3, "dritten|dritte|drittes"),
      (4, "vierten|vierte"), (5, "fünften|fünfte"), (6, "sechsten|sechste"),
      (7, "siebten|siebte|siebenten"), (8, "achten|achte"), (9, "neunten|neunte"),
      (10, "zehnten|zehnte"),
      (-1, "letzten|letzte"),
    ]),
    ordinalFillers: set("den die das der link nummer eintrag aufgabe notiz datei seite davon"),
    goodbye: set("tschüss tschüs ende fertig schluss beenden"),
    polite: ["bitte", "danke"], dayEndings: [".", "sten", "ste", "ten", "te"],
    spanStarts: ["von", "vom", "ab"],
    spanEnds: ["bis", "–"],
    ahead: set("kommenden folgenden"), past: set("letzten vergangenen"),
    duties: [
      "ich muss", "ich soll", "ich sollte", "ich brauche", "wir müssen", "wir sollten", "muss ich",
      "soll ich", "sollte ich", "müssen wir",
    ],
    addressSigns: [
      "punkt": ".", "slash": "/", "schrägstrich": "/", "bindestrich": "-", "minus": "-",
    ])

  private static let french = SpokenWords(
    days: table([
      (0, "aujourd'hui"), (1, "demain"), (2, "après-demain|après demain"), (-1, "hier"),
      (-2, "avant-hier"),
    ]),
    evenings: table([(0, "ce soir|ce matin|cet après-midi"), (-1, "hier soir")]),
    stretches: table([
      ("w 0", "cette semaine"), ("w -1", "semaine dernière|semaine passée"),
      ("w 1", "semaine prochaine"), ("we 0", "ce week-end|ce weekend|week-end|weekend"),
      ("mo 0", "ce mois|ce mois-ci"), ("mo -1", "mois dernier|mois passé"),
      ("mo 1", "mois prochain"), ("y 1", "an prochain|année prochaine"), ("y 0", "cette année"),
      ("y -1", "an dernier|année dernière"),
      ("w. 0", "fin de la semaine|fin de semaine"), ("mo. 0", "fin du mois|fin de mois"),
      ("y. 0", "fin de l'année"),
      ("12-24", "veille de noël|réveillon de noël"), ("12-25", "noël|jour de noël"),
      ("12-31", "saint-sylvestre|réveillon"), ("1-1", "jour de l'an|nouvel an"),
    ]),
    before: set("le la les pour avant au du de d'ici d'aujourd'hui jusqu'au depuis dès"),
    dayMarks: set("le au du"), since: set("depuis dès"), upTo: set("avant d'ici jusqu'au"),
    later: ["en huit": 7, "en quinze": 14], after: [],
    next: set("prochain prochaine prochains"), this: set("ce cette cet"),
    inWords: set("dans d'ici sous"), fromNow: [], every: set("chaque tous toutes"),
    units: table([
      ("d", "jour|jours|j"), ("w", "semaine|semaines"), ("mo", "mois"),
      ("y", "an|ans|année|années"),
      ("h", "heure|heures|h"), ("m", "minute|minutes|min|mn"), ("30m", "demi-heure|demi-heures"),
      ("15m", "quart d'heure|quarts d'heure"), ("7d", "huit jours"),
      ("14d", "quinze jours|quinzaine"),
    ]),
    and: set("et ou &"), it: set("le la les ça cela celui-ci celui-là"),
    ordinals: table([
      (1, "premier|première|1er"), (2, "deuxième|second|seconde"), (3, "troisième"),
      (4, "quatrième"), (5, "cinquième"), (6, "sixième"), (7, "septième"), (8, "huitième"),
      (9, "neuvième"), (10, "dixième"), (-1, "dernier|dernière"),
    ]),
    ordinalFillers: set("le la lien numéro élément tâche note fichier page"),
    goodbye: set("salut adieu fin quitter terminé"),
    polite: ["s'il te plaît", "s'il vous plaît", "stp", "svp", "merci"], dayEndings: ["er"],
    spanStarts: ["du", "de", "depuis le", "depuis", "à partir du", "à partir de"],
    spanEnds: ["au", "à", "jusqu'au", "jusqu'à", "–"],
    ahead: set("prochaines"), past: set("derniers dernières"),
    clitics: [
      "-le-moi", "-la-moi", "-les-moi", "-le", "-la", "-les", "-lui", "-ça",
    ],
    duties: [
      "je dois", "dois-je", "il faut", "faut-il", "je devrais", "on doit", "nous devons", "j'ai à",
      "est-ce que je dois", "est-ce qu'il faut",
    ],
    addressSigns: ["point": ".", "slash": "/", "tiret": "-"])

  private static let spanish = SpokenWords(
    days: table([
      (0, "hoy"), (1, "mañana"), (2, "pasado mañana"), (-1, "ayer"), (-2, "anteayer|antes de ayer"),
    ]),
    evenings: table([(0, "esta noche|esta tarde|esta mañana"), (-1, "anoche")]),
    stretches: table([
      ("w 0", "esta semana"), ("w -1", "semana pasada"), ("w 1", "próxima semana|semana que viene"),
      ("we 0", "este fin de semana|fin de semana"), ("mo 0", "este mes"),
      ("mo -1", "mes pasado"), ("mo 1", "próximo mes|mes que viene|mes próximo"),
      ("y 1", "próximo año|año que viene"), ("y 0", "este año"),
      ("y -1", "año pasado"), ("w. 0", "final de la semana|finales de semana"),
      ("mo. 0", "fin de mes|final de mes|finales de mes"), ("y. 0", "fin de año|final del año"),
      ("12-24", "nochebuena"), ("12-25", "navidad|día de navidad"), ("12-31", "nochevieja"),
      ("1-1", "año nuevo"), ("1-6", "reyes|día de reyes"),
    ]),
    before: set("el la para antes del de en al hasta los las día desde durante"),
    dayMarks: set("el día del al"), since: set("desde"), upTo: set("antes hasta"), later: [:],
    after: set("viene"),
    next: set("próximo próxima siguiente que"), this: set("este esta"),
    inWords: set("en dentro"), fromNow: [], every: set("cada todos todas"),
    units: table([
      ("d", "día|días"), ("w", "semana|semanas"), ("mo", "mes|meses"), ("y", "año|años"),
      ("h", "hora|horas|h"), ("m", "minuto|minutos|min"), ("15m", "cuarto de hora|cuartos de hora"),
      ("7d", "ocho días"), ("14d", "quince días|quincena"),
    ]),
    and: set("y e o &"), it: set("eso esto lo la ese este"),
    ordinals: table([
      (1, "primero|primera|primer"), (2, "segundo|segunda"), (3, "tercero|tercera|tercer"),
      (4, "cuarto|cuarta"), (5, "quinto|quinta"), (6, "sexto|sexta"), (7, "séptimo|séptima"),
      (8, "octavo|octava"), (9, "noveno|novena"), (10, "décimo|décima"), (-1, "último|última"),
    ]),
    ordinalFillers: set("el la enlace número elemento tarea nota archivo página"),
    goodbye: set("adiós fin salir terminar listo"), polite: ["por favor", "gracias"],
    dayEndings: ["º"],
    spanStarts: ["del", "desde el", "desde las", "desde la", "desde", "de las", "de la", "de"],
    spanEnds: ["al", "a las", "a la", "a", "hasta el", "hasta las", "hasta la", "hasta", "–"],
    ahead: set("próximos próximas siguientes"), past: set("últimos últimas pasados pasadas"),
    clitics: [
      "telas", "telos", "tela", "telo", "selas", "selos", "sela", "selo", "las", "los", "les", "la",
      "lo", "le",
    ],
    duties: [
      "tengo que", "debo", "debería", "hay que", "tenemos que", "necesito", "me toca", "debemos",
    ],
    addressSigns: ["punto": ".", "barra": "/", "guion": "-", "guión": "-"])

  private static let japanese = SpokenWords(
    days: table([
      (0, "今日|きょう|本日"), (1, "明日|あした|あす"), (2, "明後日|あさって"), (-1, "昨日|きのう"),
      (-2, "一昨日|おととい"),
    ]),
    evenings: table([(0, "今晩|今夜|今朝"), (-1, "昨夜|昨晩")]),
    stretches: table([
      ("w 0", "今週|今週中"), ("w -1", "先週"), ("w 1", "来週"), ("we 0", "週末|今週末"), ("we 1", "来週末"),
      ("mo 0", "今月|今月中"), ("mo -1", "先月"), ("mo 1", "来月"), ("w 2", "再来週"), ("mo 2", "再来月"),
      ("y 1", "来年"),
      ("y 0", "今年"), ("y -1", "去年"),
      ("mo. 0", "月末|今月末"), ("y. 0", "年末"),
      ("12-24", "クリスマスイブ"), ("12-25", "クリスマス"), ("12-31", "大晦日|大みそか"),
      ("1-1", "元日|元旦"),
    ]),
    before: [], dayMarks: [], since: set("から 以来 以降"), upTo: set("まで までに"), later: [:],
    after: set("に まで までに の は"), next: set("来 次の 来週の"), this: set("今週の 今度の"),
    inWords: [], fromNow: ["後", "後に"], every: set("毎"),
    units: table([
      ("d", "日|日間"), ("w", "週|週間"), ("mo", "か月|ヶ月|カ月|ヵ月"), ("y", "年|年間"),
      ("h", "時間"), ("m", "分|分間"),
    ]),
    and: set("と、 と や"), it: set("それ これ あれ"),
    ordinals: table([
      (1, "最初|一番目|1番目|一つ目"), (2, "二番目|2番目|二つ目"), (3, "三番目|3番目|三つ目"), (-1, "最後"),
    ]),
    ordinalFillers: set("の もの リンク"), goodbye: set("さようなら 終わり 終了 バイバイ"), polite: [],
    particles: Set("をはがにでともへの".unicodeScalars), dayEndings: [],
    spanStarts: [],
    spanEnds: ["から", "–", "-", "〜", "～", "~"],
    ahead: set("今後 次 これから 向こう"), past: set("過去 直近 この"),
    duties: ["ないと", "いけない", "なきゃ", "なければ", "べき", "ほうがいい", "方がいい"])
}
