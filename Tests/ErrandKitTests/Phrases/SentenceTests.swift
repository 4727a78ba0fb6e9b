import CEL
import Catalog
import Engine
import FoundationEssentials
import Phrases
import Program
import Testing

@testable import ErrandKit

/// Sentences that people might say, written down before the phrases.
@Suite struct SentenceTests {
  /// A sentence with the accepted intents; nil if the program offers nothing for it.
  struct Row {
    let say: String
    let intents: [String?]
    let parameters: [String: JSONValue]?
  }

  private static func rows(_ language: String) throws -> [Row] {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../ErrandCLITests/Phrases/sentences-\(language).jsonl")
    let text = try String(contentsOf: path, encoding: .utf8)
    return try text.split(separator: "\n").map { line in
      let row = try JSONValue(parsing: String(line))
      var parameters: [String: JSONValue]?
      if case .object(let given)? = row["parameters"] { parameters = given }
      let others = (row["or"]?.array ?? []).map { $0.string == "none" ? nil : $0.string }
      return Row(
        say: row["say"]?.string ?? "", intents: [row["intent"]?.string] + others,
        parameters: parameters)
    }
  }

  /// A library with the items that the sentences of a language name.
  private static func items(_ rows: [Row]) -> SpokenItems {
    var items: [SpokenItem] = []
    for name in ["link", "task", "shared", "file"] {
      for case let title? in rows.map({ $0.parameters?[name]?.string }) {
        items.append(SpokenItem(reference: "\(name):\(items.count)", title: title, names: title))
      }
    }
    return SpokenItems(
      SpokenItems.Source(
        named: { text, entity in
          items.filter {
            $0.title.lowercased() == text.lowercased()
              && $0.reference.hasPrefix(entity.lowercased().prefix(4))
          }
        },
        near: { _, entity, newest in
          let prefix = entity.lowercased().prefix(4)
          return (newest > 0 ? items.filter { $0.reference.hasPrefix(prefix) } : [], true)
        }))
  }

  private static func phrases(_ language: String, cache: String? = nil) -> SpokenPhrases {
    SpokenPhrases(
      DefinitionCatalog(), languages: [language], now: Timestamp(seconds: 1_795_507_200),
      clock: .utc, cache: cache)
  }

  /// Rules of repetition as people say them.
  @Test(arguments: [
    ("en", "every monday", "every monday"), ("en", "every two weeks", "every 2 weeks"),
    ("en", "every first monday of the month", "every month on 1st monday"),
    ("en", "on the last friday of every month", "every month on last friday"),
    ("en", "every other tuesday", "every 2 weeks on tuesday"),
    ("en", "every month on the 15th", "every month on 15"),
    ("en", "the last workday of each month", "every month on last workday"),
    ("en", "every 24 december", "every year on 24 december"),
    ("en", "every second week", "every 2 weeks"),
    ("en", "the last day of every month", "every month on last"),
    ("en", "every 3rd day", "every 3 days"), ("de", "jeden dritten Tag", "every 3 days"),
    ("en", "every first day of the month", "every month on 1"),
    ("en", "on the first and third monday of every month", "every month on 1st monday, 3rd monday"),
    ("de", "jeden Montag und Donnerstag", "every monday, thursday"),
    ("de", "jeden ersten Montag im Monat", "every month on 1st monday"),
    ("de", "am letzten Freitag jedes Monats", "every month on last friday"),
    ("de", "jeden zweiten Dienstag", "every 2 weeks on tuesday"),
    ("de", "alle zwei Wochen", "every 2 weeks"), ("de", "jeden Monat am 15.", "every month on 15"),
    ("de", "am letzten Werktag jedes Monats", "every month on last workday"),
    ("fr", "chaque premier lundi du mois", "every month on 1st monday"),
    ("fr", "le 15 de chaque mois", "every month on 15"), ("fr", "tous les lundis", "every monday"),
    ("es", "el último viernes de cada mes", "every month on last friday"),
    ("es", "cada dos semanas", "every 2 weeks"), ("es", "el 15 de cada mes", "every month on 15"),
    ("ja", "毎月第2火曜日", "every month on 2nd tuesday"), ("ja", "毎月15日", "every month on 15"),
    ("ja", "毎月末", "every month on last"), ("ja", "毎月最後の金曜日", "every month on last friday"),
    ("ja", "隔週月曜日", "every 2 weeks on monday"), ("ja", "毎年12月24日", "every year on 24 december"),
  ])
  func rulesAreUnderstood(_ language: String, _ text: String, _ rule: String) throws {
    let dates = try #require(
      SpokenDate(language, now: Timestamp(seconds: 1_795_507_200), clock: .utc))
    #expect(dates.recurrence(text) == rule)
  }

  @Test(arguments: [
    ("en", "every book"), ("en", "monday"), ("en", "every of the"), ("de", "jeden Apfel"),
    ("fr", "chaque livre"), ("es", "cada libro"), ("ja", "毎月第6火曜日"),
  ])
  func otherTextsAreNoRules(_ language: String, _ text: String) throws {
    let dates = try #require(
      SpokenDate(language, now: Timestamp(seconds: 1_795_507_200), clock: .utc))
    #expect(dates.recurrence(text) == nil)
  }

  /// At least 80 % are understood, and at most 2 % are misunderstood.
  @Test(arguments: ["en", "de", "fr", "es", "ja"])
  func mostSentencesAreUnderstood(_ language: String) throws {
    let phrases = Self.phrases(language)
    let rows = try Self.rows(language)
    var right = 0
    var wrong: [String] = []
    let items = Self.items(rows)
    for row in rows {
      let found = phrases.understand(row.say, items: items)
      let intent = found.count == 1 ? found[0].action : nil
      if row.intents.contains(intent) {
        right += 1
      } else if let intent {
        wrong.append("\(row.say): \(intent)")
      }
    }
    #expect(rows.count > 60 && right * 100 >= rows.count * 80, "\(right) of \(rows.count)")
    #expect(wrong.count * 50 <= rows.count, "\(wrong)")
  }

  /// Of the sentences that were understood, most have the values that a person would mean.
  @Test(arguments: ["en", "de", "fr", "es", "ja"])
  func mostValuesAreThoseThatAreMeant(_ language: String) throws {
    let phrases = Self.phrases(language)
    var count = 0
    var others: [String] = []
    let rows = try Self.rows(language)
    let items = Self.items(rows)
    for row in rows {
      guard let parameters = row.parameters,
        let found = phrases.understand(row.say, items: items).first,
        found.action == row.intents.first
      else { continue }
      count += 1
      if found.parameters != parameters { others.append("\(row.say): \(found.parameters)") }
    }
    #expect(count > 30 && others.count * 10 <= count, "\(others.count) of \(count): \(others)")
  }

  /// Sentences about other things have no meaning here.
  @Test(arguments: ["en", "de", "fr", "es", "ja"])
  func otherSentencesAreNotUnderstood(_ language: String) throws {
    let phrases = Self.phrases(language)
    let rows = try Self.rows(language)
    let items = Self.items(rows)
    for row in rows where row.intents == [nil] {
      #expect(phrases.understand(row.say, items: items).isEmpty, "\(row.say)")
    }
  }

  /// Each shipped intent and shortcut has at least four phrases in each language.
  @Test(arguments: ["en", "de", "fr", "es", "ja"])
  func everyDefinitionHasPhrases(_ language: String) throws {
    let catalog = DefinitionCatalog()
    let table = PhraseTable(catalog, layers: [.builtIn], language: language)
    for name in catalog.actionNames where catalog.place(ofAction: name)?.kind != .automation {
      #expect(table.rows.count { $0.action == name } >= 4, "\(name)")
    }
    let problems = SpokenBook.Problems(table)
    for row in table.rows {
      #expect(problems.problem(with: row) == nil, "\(row.action): \(row.text)")
    }
  }

  /// The cached table equals a new one.
  @Test func keptPhrasesAreTheSame() throws {
    var table = PhraseTable(DefinitionCatalog(), layers: [.builtIn], language: "en")
    table.index = try PhraseBook(SpokenBook.source(table)).index
    let bytes = table.bytes(key: "key")
    let read = try #require(PhraseTable(bytes, key: "key"))
    #expect(Array(read.rows) == Array(table.rows) && read.parameters == table.parameters)
    #expect(read.rules == table.rules && read.skip == table.skip)
    #expect(PhraseTable(bytes, key: "other") == nil)
    for end in stride(from: 0, to: bytes.count, by: 997) {
      #expect(PhraseTable(Array(bytes[..<end]), key: "key") == nil)
    }
  }

  /// A time becomes a value or is left out; it stays in the text only if it is not the task's time.
  ///
  /// Now is Tuesday, 24 November 2026.
  @Test(arguments: [
    ("en", "remind me to call Ada on friday at 5pm", "due=2026-11-27T17:00 title=call Ada"),
    ("en", "add task call the office at 9", "due=2026-11-24T09:00 title=call the office"),
    (
      "en", "remind me to stretch every day at 8",
      "due=2026-11-25T08:00 repeat=every day title=stretch"
    ),
    ("en", "add task lunch for 12", "title=lunch for 12"),
    ("en", "remind me to send it on the 9", "due=2026-12-09 title=send it"),
    ("en", "remind me tonight to lock the door", "due=2026-11-24T18:00 title=lock the door"),
    ("en", "remind me in two hours to stir", "due=2026-11-24T10:00 title=stir"),
    ("en", "get me to remember to call Bob tomorrow", "due=2026-11-25 title=call Bob"),
    ("en", "remind me to call Ada on friday about Bob", "due=2026-11-27 title=call Ada about Bob"),
    ("en", "remind me to stretch every other day", "repeat=every 2 days title=stretch"),
    ("en", "remind me to pay before the end of the month", "due=2026-11-30 title=pay"),
    ("en", "remind me to review last week", "title=review last week"),
    ("en", "add task 'call at 9'", "title=call at 9"),
    ("en", "note call Ada at 5pm", "text=call Ada at 5pm"),
    ("en", "what's due tomorrow", "due=2026-11-25"),
    ("en", "tasks due this week", "due=2026-11-23 until=2026-11-29"),
    ("en", "tasks due by friday", "until=2026-11-27"), ("en", "what is overdue", "overdue=true"),
    ("en", "show done tasks", "done=true"),
    ("en", "what did I save last week", "since=2026-11-16 until=2026-11-22"),
    ("en", "links since friday", "since=2026-11-20"),
    ("en", "find links about bread from monday", "query=bread since=2026-11-23 until=2026-11-23"),
    ("en", "search black friday", "query=black friday"),
    ("de", "erinnere mich morgen um halb neun an Leo", "due=2026-11-25T08:30 title=Leo"),
    ("de", "neue Aufgabe: Miete zahlen am 3.4.", "due=2027-04-03 title=Miete zahlen"),
    ("de", "was ist überfällig", "overdue=true"),
    ("de", "Links von gestern", "since=2026-11-23 until=2026-11-23"),
    ("fr", "rappelle-moi samedi en quinze de payer", "due=2026-12-12 title=payer"),
    ("fr", "rappelle-moi de payer demain à 8h30", "due=2026-11-25T08:30 title=payer"),
    ("fr", "mes tâches pour demain", "due=2026-11-25"),
    ("es", "recuérdame pagar el día 20", "due=2026-12-20 title=pagar"),
    ("es", "recuérdame pagar mañana a las ocho", "due=2026-11-25T08:00 title=pagar"),
    ("es", "¿qué guardé la semana pasada?", "since=2026-11-16 until=2026-11-22"),
    ("ja", "明日8時に電話するのを思い出させて", "due=2026-11-25T08:00 title=電話する"),
    ("ja", "先週何を保存した", "since=2026-11-16 until=2026-11-22"),
    ("ja", "明日の予定は？", "due=2026-11-25"), ("ja", "タスクはさみを買う", "title=はさみを買う"),
  ])
  func timesHaveTheirPlace(_ language: String, _ sentence: String, _ values: String) throws {
    let found = try #require(Self.phrases(language).understand(sentence).first)
    let told = found.arguments.map { "\($0.name)=\($0.text)" } + found.leftOut.map { "-" + $0 }
    #expect(told.joined(separator: " ") == values)
  }

  /// Titles with words of times, which are none.
  @Test(arguments: [
    ("en", "add task read the daily"),
    ("en", "add task call the daily mail"),
    ("en", "add task buy a weekend bag"),
    ("en", "add task watch midnight express"),
    ("en", "add task plan the second half"),
    ("en", "add task read three quarters"),
    ("en", "add task write the monthly"),
    ("en", "add task visit the second hand shop"),
    ("en", "add task watch the quarter finals"),
    ("en", "add task fix the end"),
    ("en", "add task run a half marathon"),
    ("en", "add task lunch for 12"),
    ("en", "add task buy 5"),
    ("en", "add task finish chapter 3/12"),
    ("en", "add task read the second"),
    ("en", "add task write about a few days"),
    ("en", "add task water half"),
    ("en", "add task spend half an hour"),
    ("en", "add task find the middle"),
    ("de", "neue Aufgabe Halbmarathon laufen"),
    ("de", "neue Aufgabe Viertelfinale schauen"),
    ("de", "neue Aufgabe Anfang schreiben"),
    ("de", "neue Aufgabe das Ende"),
    ("de", "neue Aufgabe kaufe 5"),
    ("de", "neue Aufgabe Montagsmaler suchen"),
    ("de", "neue Aufgabe Kapitel 3/12"),
    ("de", "neue Aufgabe die Mitte finden"),
    ("de", "neue Aufgabe lies den zweiten"),
    ("de", "neue Aufgabe Mittagessen für 12"),
    ("de", "neue Aufgabe eine halbe Stunde lesen"),
    ("de", "neue Aufgabe den Werktags Plan schreiben"),
    ("de", "neue Aufgabe lies die tägliche"),
    ("fr", "nouvelle tâche lire le premier"),
    ("fr", "nouvelle tâche courir un semi-marathon"),
    ("fr", "nouvelle tâche acheter 5"),
    ("fr", "nouvelle tâche écrire la fin"),
    ("fr", "nouvelle tâche trouver le milieu"),
    ("fr", "nouvelle tâche lire le quotidien"),
    ("fr", "nouvelle tâche dîner pour 12"),
    ("fr", "nouvelle tâche lire chapitre 3/12"),
    ("fr", "nouvelle tâche boire un demi"),
    ("fr", "nouvelle tâche méditer une heure"),
    ("fr", "nouvelle tâche le quart de finale"),
    ("fr", "nouvelle tâche écrire le début"),
    ("es", "nueva tarea leer el primero"),
    ("es", "nueva tarea correr media maratón"),
    ("es", "nueva tarea comprar 5"),
    ("es", "nueva tarea escribir el final"),
    ("es", "nueva tarea leer el diario"),
    ("es", "nueva tarea cena para 12"),
    ("es", "nueva tarea leer capítulo 3/12"),
    ("es", "nueva tarea tomar una media"),
    ("es", "nueva tarea meditar una hora"),
    ("es", "nueva tarea comprar los cuartos"),
    ("es", "nueva tarea escribir el principio"),
    ("es", "nueva tarea buscar el medio"),
    ("ja", "タスク半分読む"),
    ("ja", "タスク日記を書く"),
    ("ja", "タスク月を見る"),
    ("ja", "タスク末っ子に電話する"),
    ("ja", "タスク初めの章を読む"),
    ("ja", "タスク5個買う"),
    ("ja", "タスク12人分の昼食"),
    ("ja", "タスク年賀状を書く"),
    ("ja", "タスク週刊誌を買う"),
    ("ja", "タスク平日の予定を考える"),
    ("ja", "タスク毎回確認する"),
    ("ja", "タスク半ばまで読む"),
  ])
  func titlesStayAsTheyAre(_ language: String, _ sentence: String) throws {
    let found = try #require(Self.phrases(language).understand(sentence).first)
    #expect(found.action == "add-task" && found.leftOut.isEmpty)
    #expect(found.arguments.map(\.name) == ["title"])
    #expect(sentence.hasSuffix(found.arguments.first?.text ?? "-"))
  }

  /// Lengths, rules and what else is said of a task. Now is Tuesday, 24 November 2026, 8:00.
  @Test(arguments: [
    (
      "en", "remind me to stretch every morning",
      "add-task due=2026-11-24T09:00 repeat=every day title=stretch"
    ),
    (
      "en", "remind me to stretch daily at 9am",
      "add-task due=2026-11-24T09:00 repeat=every day title=stretch"
    ),
    ("en", "remind me to call Ada in half an hour", "add-task due=2026-11-24T08:30 title=call Ada"),
    ("en", "remind me to call Ada in a few days", "add-task title=call Ada -in a few days"),
    (
      "en", "remind me to call Ada on friday the 5th of december",
      "add-task title=call Ada -on friday the 5th of december"
    ),
    (
      "en", "remind me to call Ada friday the 4th of december",
      "add-task due=2026-12-04 title=call Ada"
    ),
    ("en", "remind me to call Ada tuesday next week", "add-task due=2026-12-01 title=call Ada"),
    ("en", "remind me to report at the end of next month", "add-task due=2026-12-31 title=report"),
    (
      "en", "add task stretch mondays and thursdays",
      "add-task repeat=every monday, thursday title=stretch"
    ),
    (
      "en", "add task call Ada tomorrow with high priority",
      "add-task due=2026-11-25 priority=high title=call Ada"
    ),
    ("en", "add call Ada to project Garden", "add-task project=Garden title=call Ada"),
    ("en", "add task paint starting monday", "add-task start=2026-11-30 title=paint"),
    ("en", "what reminders do i have", "remind"),
    ("en", "postpone call mum for a week", "postpone by=1w task=call mum"),
    ("en", "postpone call mum by 2 hours", "postpone task=call mum time=2h"),
    ("en", "push call mum back a week", "postpone by=1w task=call mum"),
    ("en", "move call mum to friday", "postpone task=call mum to=2026-11-27"),
    ("en", "snooze call mum until tomorrow at 9am", "snooze task=call mum until=2026-11-25T09:00"),
    ("de", "erinnere mich in anderthalb Stunden an Ada", "add-task due=2026-11-24T09:30 title=Ada"),
    (
      "de", "neue Aufgabe Blumen gießen montags und donnerstags",
      "add-task repeat=every monday, thursday title=Blumen gießen"
    ),
    ("de", "erinnere mich nächste Woche Dienstag an Ada", "add-task due=2026-12-01 title=Ada"),
    ("de", "neue Aufgabe Steuer mit hoher Priorität", "add-task priority=high title=Steuer"),
    ("de", "verschiebe Steuer um zwei Tage", "postpone by=2d task=Steuer"),
    ("de", "verschiebe Steuer um eine halbe Stunde", "postpone task=Steuer time=30m"),
    (
      "fr", "rappelle-moi tous les matins de m'étirer",
      "add-task due=2026-11-24T09:00 repeat=every day title=m'étirer"
    ),
    (
      "fr", "rappelle-moi de payer à la fin du mois prochain", "add-task due=2026-12-31 title=payer"
    ),
    ("fr", "reporte impôts d'une semaine", "postpone by=1w task=impôts"),
    ("fr", "nouvelle tâche payer avec priorité haute", "add-task priority=high title=payer"),
    ("fr", "nouvelle tâche arroser les lundis", "add-task repeat=every monday title=arroser"),
    (
      "es", "recuérdame llamar a Ada en media hora",
      "add-task due=2026-11-24T08:30 title=llamar a Ada"
    ),
    ("es", "nueva tarea regar los lunes", "add-task repeat=every monday title=regar"),
    ("es", "recuérdame pagar el 15 del mes que viene", "add-task due=2026-12-15 title=pagar"),
    ("es", "aplaza impuestos dos días", "postpone by=2d task=impuestos"),
    ("es", "añade pintar al proyecto Jardín", "add-task project=Jardín title=pintar"),
    ("ja", "毎朝ストレッチするのを思い出させて", "add-task due=2026-11-24T09:00 repeat=every day title=ストレッチする"),
    ("ja", "来週の火曜日に電話するのを思い出させて", "add-task due=2026-12-01 title=電話する"),
    ("ja", "税金を2日延ばして", "postpone by=2d task=税金"),
    ("ja", "税金を金曜日に延期して", "postpone task=税金 to=2026-11-27"),
    ("ja", "塗装をプロジェクト庭に追加して", "add-task project=庭 title=塗装"),
  ])
  func tasksAreSaidFreely(_ language: String, _ sentence: String, _ values: String) throws {
    let found = try #require(Self.phrases(language).understand(sentence).first)
    let told = found.arguments.map { "\($0.name)=\($0.text)" } + found.leftOut.map { "-" + $0 }
    #expect(([found.action] + told).joined(separator: " ") == values)
  }

  @Test(arguments: ["メモを全部消して", "メモは全部消して", "タスクを全部消して"])
  func aParticleBeginsNoText(_ sentence: String) {
    #expect(Self.phrases("ja").understand(sentence).isEmpty)
  }

  /// States are set, not switched.
  @Test(arguments: [
    ("en", "mark milk as done", "true"), ("en", "I finished milk", "true"),
    ("en", "reopen milk", "false"), ("en", "toggle milk", nil),
    ("de", "Milch ist erledigt", "true"), ("de", "Milch ist wieder offen", "false"),
    ("fr", "coche lait", "true"), ("fr", "rouvre lait", "false"), ("es", "completa leche", "true"),
    ("es", "reabre leche", "false"), ("ja", "牛乳を完了にして", "true"), ("ja", "牛乳を再開して", "false"),
  ])
  func statesAreSet(_ language: String, _ sentence: String, _ done: String?) throws {
    let rows = ["milk", "Milch", "lait", "leche", "牛乳"].map {
      Row(say: $0, intents: [], parameters: ["task": .string($0)])
    }
    let found = try #require(
      Self.phrases(language).understand(sentence, items: Self.items(rows)).first)
    #expect(found.action == "toggle-task")
    #expect(found.arguments.first { $0.name == "done" }?.text == done)
  }

  // Tuesday, 24 November 2026.
  @Test(arguments: [
    ("en", "on friday", "2026-11-27"), ("en", "the day after tomorrow", "2026-11-26"),
    ("en", "in two weeks", "2026-12-08"), ("en", "december 3rd", "2026-12-03"),
    ("en", "next month", "2026-12-24"), ("en", "on the 15th", "2026-12-15"),
    ("en", "tuesday", "2026-12-01"), ("de", "am nächsten Freitag", "2026-11-27"),
    ("de", "übermorgen", "2026-11-26"), ("de", "in drei Tagen", "2026-11-27"),
    ("de", "am 3. Dezember", "2026-12-03"), ("de", "nächste Woche", "2026-12-01"),
    ("fr", "vendredi prochain", "2026-11-27"), ("fr", "dans deux semaines", "2026-12-08"),
    ("fr", "le 3 décembre", "2026-12-03"), ("fr", "la semaine prochaine", "2026-12-01"),
    ("es", "el próximo viernes", "2026-11-27"), ("es", "dentro de dos semanas", "2026-12-08"),
    ("es", "el 3 de diciembre", "2026-12-03"), ("es", "pasado mañana", "2026-11-26"),
    ("ja", "明後日", "2026-11-26"), ("ja", "金曜日に", "2026-11-27"), ("ja", "12月3日", "2026-12-03"),
    ("ja", "2週間後", "2026-12-08"), ("ja", "来週の月曜日", "2026-11-30"),
  ])
  func datesAreRead(_ language: String, _ text: String, _ date: String) throws {
    let now = try #require(Timestamp(rfc3339: "2026-11-24T08:00:00Z"))
    let dates = try #require(SpokenDate(language, now: now, clock: .utc))
    #expect(dates.date(text)?.iso8601 == date)
  }

  @Test func otherWordsAreNoDates() throws {
    let dates = try #require(SpokenDate("en", now: Timestamp(seconds: 0), clock: .utc))
    for text in ["", "on", "the", "milk", "on the 32nd", "in 99999999999 weeks", "friday milk"] {
      #expect(dates.date(text) == nil, "\(text)")
    }
    #expect(dates.recurrence("every monday") == "every monday")
    #expect(dates.recurrence("every 2 weeks") == "every 2 weeks")
    #expect(dates.duration("25 minutes") == "25m")
  }
}
