import TestSupport
import Testing

@testable import ErrandCLI

/// Texts in the requested language.
@Suite struct LanguageTests {
  @Test(arguments: [
    ("de", "buy milk ist hinzugefügt.\n"), ("de-AT", "buy milk ist hinzugefügt.\n"),
    ("fr", "buy milk : ajouté.\n"), ("es", "Añadido: buy milk.\n"),
    ("ja", "追加しました: buy milk\n"), ("C", "Added buy milk.\n"),
    (
      "it",
      "errand: there are no texts in the language “it”; English is used\nAdded buy milk.\n"
    ),
  ])
  func dialogIsTranslated(_ language: String, _ said: String) throws {
    let run = try Sandbox().run("add-task", "buy milk", "--language", language)
    #expect(run.err == said)
  }

  /// `LANGUAGE` counts only where the locale has a language (GNU gettext), and `LC_ALL` before `LANG`.
  @Test(arguments: [
    (["LANG": "de_DE.UTF-8"], "Nichts zu tun.\n"),
    (["LANG": "de_DE.UTF-8", "LC_ALL": "C"], "Nothing to do.\n"),
    (["LANG": "de_DE.UTF-8", "LANGUAGE": "fr:de"], "Rien à faire.\n"),
    (["LANG": "C", "LANGUAGE": "fr"], "Nothing to do.\n"),
    (["LC_MESSAGES": "es", "LANG": "de"], "Nada que hacer.\n"),
  ])
  func environmentChoosesTheLanguage(_ variables: [String: String], _ said: String) throws {
    let names = ["LANG", "LC_ALL", "LC_MESSAGES", "LANGUAGE"]
    let given = Dictionary(names.map { ($0, variables[$0] ?? "") }) { $1 }
    let sandbox = try Sandbox()
    sandbox.environment.merge(given) { $1 }
    #expect(try sandbox.run("tasks").err == said)
  }

  @Test func programsGetEnglish() throws {
    let sandbox = try Sandbox()
    #expect(try sandbox.run("add-task", "x", "--language", "de", "--json").err.contains("Added x."))
    #expect(try sandbox.run("tasks", "--language", "den haag").status == 2)
  }

  @Test func ownTranslationsBeatBuiltInOnesAndFollowTheirLanguage() throws {
    let sandbox = try Sandbox([
      ".config/errand/mine.yaml": """
      intent: grow
      parameters: {count: int, share: double}
      steps: [{say: 'Grew {{ count }}.', name: told}]
      dialog: {full: 'Done by {{ share }}.'}
      ---
      translation: grow
      language: de
      title: Wachsen
      steps:
        told: {say: '{{ plural(count, {"one": "Eine Pflanze", "other": string(count) + " Pflanzen"}) }}: {{ ["a", "b", "c"].listed() }}, {{ timestamp("2026-03-02T00:00:00Z").format("EEEE, d. MMMM") }}.'}
      dialog: {full: 'Fertig zu {{ share }}.'}
      ---
      translation: tasks
      language: de
      dialog: {full: Meine Liste.}
      """
    ])
    sandbox.environment["TZ"] = "UTC"
    let run = try sandbox.run("grow", "--count", "2", "--share", "0.5", "--language", "de")
    #expect(run.err == "2 Pflanzen: a, b und c, Montag, 2. März.\nFertig zu 0,5.\n")
    #expect(try sandbox.run("tasks", "--language", "de").err == "Meine Liste.\n")
    let english = try sandbox.run("grow", "--count", "2", "--share", "0.5")
    #expect(english.err == "Grew 2.\nDone by 0.5.\n")
  }

  @Test func mistakesInTranslationsAreTold() throws {
    let sandbox = try Sandbox([
      "x.yaml": """
      intent: grow
      title: Grow
      parameters: {count: {type: int, prompt: How many?}}
      steps: [stop]
      dialog: {full: 'Grew {{ count }}.'}
      ---
      translation: grow
      language: de
      parameters: {number: {prompt: Wie viele?}}
      dialog: {full: 'Fertig.'}
      ---
      translation: grew
      language: de
      title: Wachsen
      """
    ])
    let out = try sandbox.run("check", "x.yaml").err + sandbox.run("check", "x.yaml").out
    for part in [
      "[unknown-parameter]", "not translated: the prompt of `count`, `title` [W311]",
      "the translation lacks `count` [W312]", "[unknown-definition]",
    ] {
      #expect(out.contains(part), "\(part)")
    }
  }

  @Test func mistakesInPhrasesAreTold() throws {
    let sandbox = try Sandbox([
      "x.yaml": """
      shortcut: shout
      phrases: ['shout {nothing}', 'shout {a} {b}', 'really?', 'shout {a}', '[[a] [b]']
      parameters: {a: {type: string, default: x}, b: {type: string, default: y}}
      steps: [{say: '{{ a }}{{ b }}'}]
      """
    ])
    let run = try sandbox.run("check", "x.yaml")
    for part in [
      "there is no parameter or list `nothing`", "[W301]", "[W303]", "a group is not closed",
    ] {
      #expect((run.out + run.err).contains(part), "\(part)\n\(run)")
    }
  }

  /// A file may translate a built-in definition, into a new language too.
  @Test func phrasesOfForeignDefinitionsAreNotBlamed() throws {
    let sandbox = try Sandbox([
      "x.yaml": """
      translation: save
      language: de
      phrases: ['wegspeichern {url}', 'wegspeichern {adresse}']
      ---
      translation: save
      language: it
      phrases: ['salva {url}', 'salva {url} {title} {source}']
      """
    ])
    let run = try sandbox.run("check", "x.yaml")
    let said = run.out + run.err
    #expect(!said.contains("W303") && !said.contains("W302"), "\(said)")
    #expect(
      said.contains("there is no parameter or list `adresse`") && said.contains("[W301]"), "\(said)"
    )
    #expect(!said.contains("list `url`"), "\(said)")
  }

  @Test func conversationsRememberTheResult() throws {
    let sandbox = try Sandbox()
    for name in ["One", "Two"] {
      _ = try sandbox.run("save", "https://\(name.lowercased()).example", "--title", name)
    }
    let run = try sandbox.run(
      "do",
      input: "show my recent links\nmark the second one as read\nadd it to my favourites\nbye\nx\n")
    #expect(run.out.contains("1  Two") && run.out.contains("2  One"), "\(run)")
    #expect(run.err.contains("Marked as read: One."), "\(run)")
    #expect(run.err.contains("Favourite: One."), "\(run)")
    #expect(!run.err.contains("“x”"))
  }

  @Test func unknownCommandsMayBeSentences() throws {
    let run = try Sandbox().run("remind", "me", "to", "call", "Ada")
    #expect(run.status == 2 && run.err.contains("errand do remind me to call Ada"), "\(run)")
  }
}
