import CEL
import Catalog
import Engine
import Glibc
import Program
import Testing

@testable import ErrandKit

/// Sentences in the words of people rather than of phrases, with a library of a few items.
@Suite struct SentenceReaderTests {
  private static let titles = [
    "Link": [
      "Sourdough for beginners", "What sleep does to memory", "Git rebase without fear",
      "Ten lighthouses worth the walk", "Gazpacho andaluz paso a paso", "京都の紅葉めぐり",
    ],
    "Task": [
      "Call the dentist", "Buy oat milk", "Finish the tax return", "Herrn Müller zurückrufen",
      "Appeler le plombier", "Llevar el coche al taller",
    ],
  ]

  /// The items with those titles, found by any of their words; the oat milk is bought already.
  static var items: SpokenItems.Source {
    SpokenItems.Source(
      named: { text, entity in
        all(entity).filter { $0.title.lowercased() == text.lowercased() }
      },
      near: { _, entity, newest in (newest > 0 ? all(entity) : [], isNear: true) })
  }

  private static func all(_ entity: String) -> [SpokenItem] {
    (titles[entity] ?? []).enumerated().map { index, title in
      SpokenItem(
        reference: "\(entity.lowercased()):\(index + 1)", title: title, names: title,
        states: entity == "Task" ? ["done": title == "Buy oat milk"] : [:])
    }
  }

  private static func read(_ language: String, _ sentence: String) -> [Understanding] {
    let phrases = SpokenPhrases(
      DefinitionCatalog(), languages: LanguageCode.chain(language),
      now: Timestamp(seconds: 1_795_507_200), clock: .utc)
    return phrases.understand(sentence, items: SpokenItems(items))
  }

  private static func told(_ found: [Understanding]) -> String {
    guard found.count == 1 else { return found.map(\.action).joined(separator: " | ") }
    let values = found[0].arguments.map { "\($0.name)=\($0.text)" }
    return ([found[0].action] + values).joined(separator: " ")
  }

  /// Now is Tuesday, 24 November 2026, 8:00.
  @Test(arguments: [
    // Words for the kind of an item and small words.
    ("en", "archive the sourdough article", "archive link=Sourdough for beginners"),
    ("en", "open the page about sleep and memory", "open link=What sleep does to memory"),
    ("es", "abre el artículo del gazpacho", "open link=Gazpacho andaluz paso a paso"),
    ("ja", "京都の紅葉の記事を開いて", "open link=京都の紅葉めぐり"),
    // Other forms of their words.
    ("en", "I have called the dentist", "toggle-task done=true task=Call the dentist"),
    ("fr", "J'ai appelé le plombier", "toggle-task done=true task=Appeler le plombier"),
    // Typing errors, in words of phrases and of items.
    ("en", "archvie the sourdough article", "archive link=Sourdough for beginners"),
    ("en", "mark tax retrun as done", "toggle-task done=true task=Finish the tax return"),
    ("en", "svae https://go.dev please", "save url=https://go.dev"),
    // Words that say nothing.
    ("en", "um could you please save https://go.dev for me", "save url=https://go.dev"),
    ("de", "könntest du bitte https://go.dev speichern", "save url=https://go.dev"),
    // A language with its region, as the environment names it.
    ("en-US", "archvie the sourdough article please", "archive link=Sourdough for beginners"),
    ("de-AT", "könntest du bitte https://go.dev speichern", "save url=https://go.dev"),
    // Addresses as they are spoken.
    ("en", "save swift dot org", "save url=https://swift.org"),
    ("es", "guarda swift punto org", "save url=https://swift.org"),
    // Parameters beside a text.
    (
      "en", "add a note tagged ideas and garden: build a hedgehog house",
      "add-note tags=ideas,garden text=build a hedgehog house"
    ),
    ("en", "add a task buy bread #home", "add-task tags=home title=buy bread"),
    ("en", "with the tag recipes, make a note: less salt", "add-note tags=recipes text=less salt"),
    (
      "en", "I want https://kottke.org saved with the tags blog and design",
      "save tags=blog,design url=https://kottke.org"
    ),
    // Feasts, and days of the month in words.
    (
      "en", "remind me to feed the cat on christmas eve",
      "add-task due=2026-12-24 title=feed the cat"
    ),
    (
      "en", "remind me to call on the twenty fourth of december",
      "add-task due=2026-12-24 title=call"
    ),
    ("en", "add a task plan christmas", "add-task title=plan christmas"),
    ("de", "erinnere mich an Heiligabend an die Oma", "add-task due=2026-12-24 title=Oma"),
  ])
  func isUnderstood(_ language: String, _ sentence: String, _ expected: String) {
    #expect(Self.told(Self.read(language, sentence)) == expected)
  }

  /// Sentences of which one part says what to do and another one names the item or the address.
  @Test(arguments: [
    (
      "en", "I won't need the sourdough page for a while, archive it",
      "archive link=Sourdough for beginners"
    ),
    (
      "en", "I spoke to the dentist this morning so mark that as done",
      "toggle-task done=true task=Call the dentist"
    ),
    (
      "en", "https://plants.example/ficus looks useful, hang on to it for me",
      "save url=https://plants.example/ficus"
    ),
    (
      "de", "mit Herrn Müller ist alles geklärt hak das ab",
      "toggle-task done=true task=Herrn Müller zurückrufen"
    ),
    (
      "fr", "J'ai eu le plombier au téléphone, tu peux cocher",
      "toggle-task done=true task=Appeler le plombier"
    ),
    (
      "es", "Lo del gazpacho ya no lo necesito, archívalo",
      "archive link=Gazpacho andaluz paso a paso"
    ),
    ("ja", "京都の紅葉はもう見たから、アーカイブして", "archive link=京都の紅葉めぐり"),
  ])
  func isUnderstoodInParts(_ language: String, _ sentence: String, _ expected: String) {
    let found = Self.read(language, sentence)
    #expect(Self.told(found) == expected)
    #expect(found.first?.isLoose == true)
  }

  /// A request at the end of a sentence that asks for what it says before is part of no text.
  @Test func aRequestIsNoPartOfATitle() {
    let told = Self.told(Self.read("es", "tengo que llamar a la abuela el domingo, recuérdamelo"))
    #expect(told == "add-task due=2026-11-29 title=llamar a la abuela")
  }

  /// An answer to a reading counts for other values, too, but not for other words.
  @Test func answersAreRemembered() throws {
    var template = Array("/tmp/errand-readings-XXXXXX".utf8CString)
    let folder = try #require(mkdtemp(&template).map { String(cString: $0) })
    defer {
      unlink(folder + "/readings")
      rmdir(folder)
    }
    let history = SpokenHistory(folder)
    func reading(_ sentence: String) throws -> Understanding {
      let found = try #require(Self.read("en", sentence).first)
      #expect(found.isUnsure)
      return found
    }
    let sourdough = try reading("I won't need the sourdough page for a while, archive it")
    let sleep = try reading("I won't need the sleep page for a while, archive it")
    let other = try reading("nobody wants the sleep page, archive it")
    #expect(history.answer(to: sourdough) == nil)
    history.remember(true, sourdough)
    #expect(history.answer(to: sleep) == true && history.answer(to: other) == nil)
    history.remember(false, sleep)
    #expect(history.answer(to: sourdough) == false)
    #expect(SpokenHistory(nil).answer(to: sourdough) == nil)
  }

  /// Sentences that are turned round, asked, about a word, or about something that is not there.
  @Test(arguments: [
    ("en", "close the door"), ("en", "open the window"), ("en", "play some jazz"),
    ("en", "I haven't finished the tax return yet"), ("en", "don't archive the sourdough article"),
    ("en", "no, don't add that to my list"), ("en", "what does archive mean?"),
    ("en", "delete the sourdough article"), ("en", "yesterday I saved a kitten"),
    ("en", "the sourdough was good, don't archive it"),
    ("es", "¿He llevado ya el coche al taller?"), ("es", "abre la ventana"),
    ("es", "¿Tengo que ir mañana?"), ("de", "muss ich morgen arbeiten?"),
    ("fr", "dois-je acheter du pain ?"), ("ja", "メモしないで"), ("ja", "明日行かないといけない？"),
    ("de", "speichere swift.org bitte nicht"), ("de", "mach das Fenster auf"),
    ("fr", "ferme la porte"), ("ja", "ラーメンの記事を削除して"),
  ])
  func changesNothing(_ language: String, _ sentence: String) {
    #expect(Self.read(language, sentence).isEmpty)
  }

  /// Sentences that ask for commands of the program. Now is Tuesday, 24 November 2026.
  @Test(arguments: [
    ("en", "delete the sourdough article", "errand delete link:1"),
    ("en", "could you remove the dentist task please", "errand delete task:1"),
    ("en", "tag the sourdough article as bread", "errand update link:1 --add 'tags=bread'"),
    (
      "en", "remove the tag bread from the sourdough article",
      "errand update link:1 --remove 'tags=bread'"
    ),
    (
      "en", "rename the dentist task to phone the dentist",
      "errand update task:1 'title=phone the dentist'"
    ),
    ("en", "rename the tag bike to cycling", "errand tags rename bike cycling"),
    ("en", "What is 17 times 23?", "errand eval '17.0 * 23.0'"),
    ("en", "what is seventeen plus four", "errand eval '17.0 + 4.0'"),
    ("en", "3 * (4 + 1.5)", "errand eval '3.0 * (4.0 + 1.5)'"),
    ("en", "15 percent of 80", "errand eval '80.0 * 15.0 / 100.0'"),
    ("en", "how many days until christmas", "errand eval 'date(\"2026-12-25\").relative()'"),
    ("en", "undo that", "errand undo"),
    ("en", "delte the sourdough article", "errand delete link:1"),
    (
      "en", "renmae the dentist task to phone the dentist",
      "errand update task:1 'title=phone the dentist'"
    ),
    ("de", "lösche den Artikel über sourdough", "errand delete link:1"),
    ("de", "was ist 3 mal 4", "errand eval '3.0 * 4.0'"),
    ("de", "mach das rückgängig", "errand undo"),
    ("fr", "supprime la tâche appeler le plombier", "errand delete task:5"),
    ("fr", "combien font 3 fois 4", "errand eval '3.0 * 4.0'"),
    ("es", "borra el artículo del gazpacho", "errand delete link:5"),
    ("es", "cambia la etiqueta viajes por vacaciones", "errand tags rename viajes vacaciones"),
    ("ja", "京都の紅葉の記事を削除して", "errand delete link:6"),
    ("ja", "タグの「旅行」を「旅」に変えて", "errand tags rename '旅行' '旅'"),
  ])
  func asksForACommand(_ language: String, _ sentence: String, _ line: String) {
    #expect(Self.command(language, sentence)?.line == line)
  }

  /// Sentences that are turned round, asked, or about something that is not there.
  @Test(arguments: [
    ("en", "don't delete the sourdough article"), ("en", "delete the door"),
    ("en", "how do I delete an article?"), ("en", "add a task to delete the old photos"),
    ("en", "what is the sourdough article about"), ("en", "never delete the dentist task"),
    ("de", "lösche den Artikel über sourdough nicht"),
  ])
  func asksForNoCommand(_ language: String, _ sentence: String) {
    #expect(Self.command(language, sentence) == nil)
  }

  private static func command(_ language: String, _ sentence: String) -> SpokenCommand? {
    let phrases = SpokenPhrases(
      DefinitionCatalog(), languages: [language], now: Timestamp(seconds: 1_795_507_200),
      clock: .utc)
    if case .command(let command) = phrases.read(sentence, items: SpokenItems(items)) {
      return command
    }
    return nil
  }

  /// A state that an item is in already is told.
  @Test func aStateThatIsSoIsTold() throws {
    let found = try #require(Self.read("en", "mark oat milk as done").first)
    #expect(found.unchanged == "Buy oat milk")
    let open = try #require(Self.read("en", "mark the dentist task as done").first)
    #expect(open.unchanged == nil)
  }

  /// A loose reading says the use of each word, and can be said back as a phrase.
  @Test func aLooseReadingExplainsItself() throws {
    let found = try #require(Self.read("en", "into the archive with the sourdough please").first)
    #expect(found.isLoose && found.action == "archive")
    #expect(found.uses.contains { $0.word == "sourdough" && $0.use == "value of link" })
    #expect(found.uses.contains { $0.word == "archive" && $0.use == "names the intent" })
  }

  /// A text keeps its words as they were said.
  @Test func aTextIsNotRespelled() throws {
    let found = try #require(Self.read("en", "mkae a note: the Sauve is late").first)
    #expect(found.arguments.first { $0.name == "text" }?.text == "the Sauve is late")
  }
}
