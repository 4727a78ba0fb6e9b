import CEL
import Catalog
import Engine
import Phrases
import Program

/// Sentences that ask for a command of the program.
extension SpokenBook {
  /// The command that a sentence asks for; nil if it asks for none, or names items that there are not.
  func command(_ sentence: String, items: SpokenItems) -> SpokenCommand? {
    let isPlain = items.memory.call != nil || mayAskForCommand(sentence)
    let forms = isPlain ? [SpokenForm(sentence)] + forms(of: sentence) : respelled(sentence)
    guard !forms.isEmpty, let book = commandBooks?.commands else { return nil }
    for form in forms {
      for match in book.matches(form.text, limit: Self.mostCommands) {
        guard var command = command(match, form, items) else { continue }
        command.isMisspelt = !isPlain
        return command
      }
    }
    return nil
  }

  /// The sentence with the telling words of commands that are misspelt in it; none if there are none.
  private func respelled(_ sentence: String) -> [SpokenForm] {
    let said = PhraseText.composed(sentence)
    guard !vocabulary.isDense, said.count <= Self.longestMisspelt else { return [] }
    var words = withoutEmptyWords(SpokenForm.words(of: said))
    var isOther = false
    for index in words.indices {
      let bare = PhraseText.bare(words[index].text.lowercased())
      let letters = Array(bare.unicodeScalars)
      guard letters.count >= Self.shortestMisspelt, !literals.has(bare),
        let word = table.commandWords.first(where: { word in
          word.unicodeScalars.count >= Self.shortestMisspelt
            && SpokenVocabulary.isOneSlip(letters, Array(word.unicodeScalars))
        })
      else { continue }
      words[index].text = word
      isOther = true
    }
    return isOther ? [SpokenForm(words, of: said)] : []
  }

  /// The lengths of sentences and words in which a command may be misspelt.
  private static let (longestMisspelt, shortestMisspelt) = (200, 5)

  private static let mostCommands = 8

  /// Whether a sentence has a telling word of a command, or numbers to count with.
  private func mayAskForCommand(_ sentence: String) -> Bool {
    if vocabulary.isDense { return table.commandWords.contains { sentence.contains($0) } }
    let words = SpokenVocabulary.words(of: sentence)
    return words.contains(where: commandWords.contains)
      || words.count { Int($0) != nil || numbers[$0] != nil } > 1
      || sentence.contains { "+*/×÷-%".contains($0) } && sentence.contains(where: \.isNumber)
  }

  /// The templates of commands and those of choices of items; nil without any.
  func makeCommandBooks() -> (commands: PhraseBook, choices: PhraseBook)? {
    var source = Self.source(table, times)
    let number = PhraseList.Content.range(
      PhraseList.Range(from: -1_000_000_000, to: 1_000_000_000, fractions: .any))
    let tags = PhraseList.Content.read { [language = table.language] in
      Self.elements($0, language) != nil
    }
    source.lists = [
      PhraseList("items", .wildcard), PhraseList("title", .wildcard), PhraseList("rest", .wildcard),
      PhraseList("tags", tags),
      PhraseList("tag", tags), PhraseList("new", tags), PhraseList("a", number),
      PhraseList("b", number), PhraseList("sum", .read { SpokenSum($0) != nil }),
      PhraseList("day", .read { [times] in times.namedDay($0) != nil }),
    ]
    func made(_ areChoices: Bool) -> PhraseBook? {
      source.templates = PhraseBook.Templates(
        table.commands.compactMap { name, template in
          SpokenCommandName(rawValue: name)?.isChoice == areChoices
            ? PhraseBook.Template(name, template) : nil
        })
      return try? PhraseBook(source)
    }
    guard let commands = made(false), let choices = made(true) else { return nil }
    return (commands, choices)
  }

  private func command(
    _ match: PhraseBook.Match, _ form: SpokenForm, _ items: SpokenItems
  ) -> SpokenCommand? {
    guard let name = SpokenCommandName(rawValue: match.intent) else { return nil }
    func words(_ slot: String) -> String {
      guard let range = match.ranges[slot] else { return "" }
      return PhraseText.unquoted(PhraseText.trimmed(form.said(form.origin(of: range))))
    }
    func made(
      _ head: [String], _ found: (items: [SpokenItem], all: Bool) = ([], true),
      _ tail: [String] = []
    ) -> SpokenCommand {
      SpokenCommand(
        name: name, head: head, tail: tail, items: found.items, takesAll: found.all,
        open: match.open)
    }
    func number(_ slot: String) -> String {
      if case .number(let number)? = match.slots[slot] { SpokenSum.text(of: number) } else { "" }
    }
    func counted(_ sign: String) -> SpokenCommand {
      made(["eval", "\(number("a")) \(sign) \(number("b"))"])
    }
    func tags(_ flag: String) -> [String] {
      (Self.elements(words("tags"), table.language) ?? []).flatMap { [flag, "tags=\($0)"] }
    }
    func day(_ expression: (String) -> String) -> SpokenCommand? {
      times.namedDay(words("day")).map {
        made(["eval", expression("date(\"\($0.iso8601)\")")])
      }
    }
    func about(_ head: String, _ tail: [String] = []) -> SpokenCommand? {
      self.items(named: words("items"), items).map { made([head], $0, tail) }
    }
    switch name {
    case .undo: return made(["undo"])
    case .delete: return about("delete")
    case .tag: return about("update", tags("--add"))
    case .untag: return about("update", tags("--remove"))
    case .rename:
      guard let (found, all) = self.items(named: words("items"), items), !all || found.count == 1,
        let title = found.first?.titleProperty
      else { return nil }
      return made(["update"], (found, false), ["\(title)=\(words("title"))"])
    case .renameTag: return made(["tags", "rename", words("tag"), words("new")])
    case .deleteTag: return made(["tags", "delete", words("tag")])
    case .plus: return counted("+")
    case .minus: return counted("-")
    case .times: return counted("*")
    case .divided: return counted("/")
    case .percent: return made(["eval", "\(number("b")) * \(number("a")) / 100.0"])
    case .sum: return SpokenSum(words("sum")).map { made(["eval", $0.expression]) }
    case .days: return day { "\($0).relative()" }
    case .weekday: return day { "\($0).format(\"EEEE, d MMMM yyyy\")" }
    case .help, .nothing: return made([])
    case .correct, .again:
      if let other = command(words("rest"), items: items) { return other }
      return items.memory.call.flatMap {
        repeated($0, with: words("rest"), items, isCorrection: name == .correct)
      }.map {
        SpokenCommand(
          name: name, head: [], tail: [], items: [], takesAll: true, open: match.open, call: $0)
      }
    case .tagged, .done: return nil
    }
  }

  /// The items that words name, and whether all of them are meant; nil if there are none.
  private func items(
    named text: String, _ items: SpokenItems
  ) -> (items: [SpokenItem], all: Bool)? {
    if let found = items.remembered(text, table.language) { return (found, true) }
    for match in commandBooks?.choices.matches(text, limit: 1) ?? [] {
      var tag: String?
      if case .words(let said)? = match.slots["tag"] {
        tag = Self.elements(said, table.language)?.first ?? said
      }
      let found = items.chosen(tag, of: vocabulary.entities(namedIn: text))
      if found.isEmpty { items.note(missing: text) }
      return found.isEmpty ? nil : (found, true)
    }
    let found = items.items(named: text, vocabulary)
    return found.isEmpty ? nil : (found, false)
  }
}

/// A sum of numbers and signs, as in `3 * (4 + 1.5)`.
struct SpokenSum {
  /// The expression that computes it, with numbers that have fractions.
  let expression: String

  /// Reads a sum; nil for another text, or one number alone.
  init?(_ text: String) {
    let signs: [Character: String] = [
      "+": " + ", "-": " - ", "−": " - ", "–": " - ", "*": " * ", "×": " * ", "x": " * ",
      "·": " * ", "/": " / ", "÷": " / ", ":": " / ", "(": "(", ")": ")",
    ]
    guard text.utf8.count <= 200 else { return nil }
    var expression = ""
    var number = ""
    var hasSign = false
    /// Takes the number that ends here; false if it is none.
    func settle() -> Bool {
      defer { number = "" }
      guard !number.isEmpty else { return true }
      guard let value = Double(number.replacing(",", with: ".")) else { return false }
      expression += Self.text(of: value)
      return true
    }
    for character in text where !character.isWhitespace {
      if let digit = character.wholeNumberValue {
        number += "\(digit)"
      } else if character == "." || character == "," {
        number.append(character)
      } else if let sign = signs[character] {
        guard settle() else { return nil }
        hasSign = hasSign || character != "(" && character != ")" && !expression.isEmpty
        expression += sign
      } else {
        return nil
      }
    }
    guard settle(), hasSign, expression.last?.isNumber == true || expression.last == ")" else {
      return nil
    }
    self.expression = expression
  }

  /// A number as an expression has it.
  static func text(of number: Double) -> String { "\(number)" }
}
