/// The words of a language for lengths, for parts of months and weeks, and for rules without `every`.
struct DayWords: Sendable {
  /// Numbers of a unit by the words that count it, besides those of `PhraseNumbers`.
  let counts: [String: Double]
  /// Words that add half of the unit before or after them.
  let halves: [String: String]
  /// Ends (`.`), beginnings (`<`) and middles (`~`) by the words before a stretch of days, after it in
  /// Japanese.
  let edges: [String: String]
  /// Rules by the words that say them, with a part of the day after `;`.
  let rules: [String: String]
  /// The word before days of the week that makes them a rule, as in `los lunes`; nil where the days
  /// themselves do, as in `mondays`.
  let habit: String?
  /// Words between a length and the day from which it counts.
  let from: [String: String]
  /// Words after a length that make it a reminder.
  let before: [String: String]
  /// Words for an unknown number.
  let vague: Set<String>
  /// Words that never stand right before a rule, unlike before a name.
  let articles: Set<String>
  /// Whether the month precedes the day in `3/12`; nil where that depends on the region.
  var isMonthFirst: Bool?

  private init(
    counts: [(Double, String)], halves: String = "", edges: [(String, String)],
    rules: [(String, String)], habit: String? = nil, from: String = "", before: String,
    vague: String = "",
    articles: String = "", isMonthFirst: Bool? = false
  ) {
    self.counts = SpokenWords.table(counts)
    self.halves = SpokenWords.table([("", halves)])
    self.edges = SpokenWords.table(edges)
    self.rules = SpokenWords.table(rules)
    self.habit = habit
    self.from = SpokenWords.table([("", from)])
    self.before = SpokenWords.table([("", before)])
    self.vague = SpokenWords.set(vague)
    self.articles = SpokenWords.set(articles)
    self.isMonthFirst = isMonthFirst
  }

  /// The words of a language; those of English for one that is not known.
  static func of(_ language: String) -> DayWords {
    switch language {
    case "de": german
    case "fr": french
    case "es": spanish
    case "ja": japanese
    default: english
    }
  }

  private static let english = DayWords(
    counts: [
      (0.5, "half an|half a|a half|half"), (1, "a|an|another|the next"),
      (2, "a couple of|a couple"),
    ], halves: "and a half",
    edges: [
      (".", "end|at the end|at end"), ("<", "start|beginning|at the start|at the beginning"),
      ("~", "mid|mid-|middle|in the middle"),
    ],
    rules: [
      ("every day", "daily"), ("every week", "weekly"), ("every month", "monthly"),
      ("every year", "yearly|annually"),
      ("every 2 weeks", "fortnightly|biweekly|bi-weekly|every fortnight"),
      ("every 3 months", "quarterly|every quarter"),
      ("every 6 months", "half-yearly|every half year"),
      ("every weekday", "weekdays|on weekdays|on workdays|every business day"),
      ("every weekend", "weekends|on weekends|every weekend"),
      ("every day;morning", "every morning|each morning"),
      ("every day;afternoon", "every afternoon|each afternoon"),
      ("every day;evening", "every evening|each evening"),
      ("every day;night", "nightly|every night|each night"),
    ], from: "from|after|on", before: "before|earlier", vague: "few several some couple",
    articles: "the a an my your our his her their this that", isMonthFirst: nil)

  private static let german = DayWords(
    counts: [
      (0.5, "einer halben|eine halbe|einem halben|ein halbes|halbe|halben"), (1, "einer|einem"),
      (1.5, "anderthalb|eineinhalb|einundeinhalb"), (2.5, "zweieinhalb"), (3.5, "dreieinhalb"),
      (4.5, "viereinhalb"),
    ],
    edges: [
      (".", "ende|am ende|zum ende|gegen ende"), ("<", "anfang|am anfang|zu beginn|zum anfang"),
      ("~", "mitte|in der mitte"),
    ],
    rules: [
      ("every day", "täglich"), ("every week", "wöchentlich"), ("every month", "monatlich"),
      ("every year", "jährlich"),
      ("every 2 weeks", "zweiwöchentlich|14-tägig|vierzehntägig|alle vierzehn tage"),
      ("every 3 months", "vierteljährlich|jedes quartal|quartalsweise"),
      ("every 6 months", "halbjährlich|jedes halbe jahr|jedes halbjahr"),
      ("every weekday", "werktags|wochentags|an werktagen|an wochentagen"),
      ("every weekend", "jedes wochenende|an wochenenden"), ("every day;morgens", "jeden morgen"),
      ("every day;vormittags", "jeden vormittag"), ("every day;mittags", "jeden mittag"),
      ("every day;nachmittags", "jeden nachmittag"), ("every day;abends", "jeden abend"),
      ("every day;nachts", "jede nacht"),
    ], from: "nach|ab", before: "vorher|davor|zuvor",
    vague: "paar einige einigen wenige wenigen mehrere mehreren",
    articles: """
      der die das den dem des ein eine einen einem einer mein meine meinen meinem meiner dein deine \
      deinen unser unsere unseren
      """)

  private static let french = DayWords(
    counts: [(0.5, "une demi|un demi|demi"), (2, "une paire de")], halves: "et demie|et demi",
    edges: [
      (".", "fin|la fin|à la fin|en fin"), ("<", "début|le début|au début|en début"),
      ("~", "mi-|la mi-|à la mi-|milieu|au milieu"),
    ],
    rules: [
      ("every day", "quotidiennement"), ("every week", "hebdomadairement"),
      ("every month", "mensuellement"), ("every year", "annuellement"),
      ("every 2 weeks", "tous les quinze jours|une semaine sur deux"),
      ("every 3 months", "chaque trimestre|tous les trimestres"),
      ("every 6 months", "chaque semestre|tous les semestres"),
      ("every weekday", "les jours ouvrables|tous les jours ouvrables|chaque jour ouvrable"),
      ("every weekend", "tous les week-ends|chaque week-end|les week-ends|tous les weekends"),
      ("every day;matin", "tous les matins|chaque matin"),
      ("every day;midi", "tous les midis|chaque midi"),
      ("every day;après-midi", "tous les après-midi|tous les après-midis|chaque après-midi"),
      ("every day;soir", "tous les soirs|chaque soir"),
      ("every day;nuit", "toutes les nuits|chaque nuit"),
    ], habit: "les", from: "après|à partir de|à partir du", before: "avant|plus tôt",
    vague: "quelques plusieurs",
    articles: "le la les un une des du mon ma mes ton ta tes son sa ses notre nos votre vos leur")

  private static let spanish = DayWords(
    counts: [(0.5, "media|medio"), (2, "un par de")], halves: "y media|y medio",
    edges: [
      (".", "fin|a fin|final|al final|a final|finales|a finales"),
      (
        "<",
        "principio|al principio|principios|a principios|comienzos|a comienzos|inicios|a inicios"
      ),
      ("~", "mediados|a mediados|mitad|a mitad"),
    ],
    rules: [
      ("every day", "diariamente|a diario"), ("every week", "semanalmente"),
      ("every month", "mensualmente"), ("every year", "anualmente"),
      ("every 2 weeks", "quincenalmente|cada quince días|cada quincena"),
      ("every 3 months", "trimestralmente|cada trimestre"),
      ("every 6 months", "semestralmente|cada semestre"),
      ("every weekday", "los días laborables|cada día laborable|los días hábiles"),
      ("every weekend", "los fines de semana|todos los fines de semana|cada fin de semana"),
      ("every day;mañana", "cada mañana|todas las mañanas"),
      ("every day;tarde", "cada tarde|todas las tardes"),
      ("every day;noche", "cada noche|todas las noches"),
    ], habit: "los", from: "después de|después del|a partir de|a partir del", before: "antes",
    vague: "unos unas algunos algunas pocos pocas varios varias",
    articles: "el la los las un una mi mis tu tus su sus nuestro nuestra")

  private static let japanese = DayWords(
    counts: [(0.5, "半")], halves: "半",
    edges: [(".", "末|の末|の終わり"), ("<", "初め|の初め|はじめ|のはじめ|頭"), ("~", "半ば|の半ば|中旬")],
    rules: [
      ("every day;朝", "毎朝"), ("every day;夕方", "毎夕"), ("every day;夜", "毎晩|毎夜"),
      ("every weekend", "毎週末"), ("every weekday", "毎平日|平日毎日"), ("every 3 months", "毎四半期"),
    ], before: "前|前に", isMonthFirst: true)
}
