import Catalog
package import Program

/// The program's own questions and sentences in the shipped languages; messages about mistakes are
/// English.
package struct ProgramWords: Sendable {
  /// The position of the language in the rows below.
  private let position: Int
  private let language: Language

  private static let order = ["en", "de", "fr", "es", "ja"]

  /// Creates the words of a language.
  package init(_ language: Language = .english) {
    self.language = language
    position = Self.order.firstIndex(of: language.code) ?? 0
  }

  private func pick(
    _ english: String, _ german: String, _ french: String, _ spanish: String, _ japanese: String
  ) -> String {
    switch position {
    case 1: german
    case 2: french
    case 3: spanish
    case 4: japanese
    default: english
    }
  }

  // MARK: Questions

  package var whatNext: String {
    pick("What next?", "Was jetzt?", "Et ensuite ?", "¿Y ahora?", "次は何をしますか?")
  }
  package var whichOne: String {
    pick("Which one?", "Welcher?", "Lequel ?", "¿Cuál?", "どれですか?")
  }
  package var goOn: String {
    pick("Continue?", "Weiter?", "Continuer ?", "¿Continuar?", "続けますか?")
  }
  package var whichItem: String {
    pick(
      "Which item do you mean?", "Welcher Eintrag ist gemeint?", "De quel élément s’agit-il ?",
      "¿A qué elemento te refieres?", "どの項目ですか?")
  }
  package var whatMeant: String {
    pick(
      "What did you mean?", "Was war gemeint?", "Que vouliez-vous dire ?", "¿Qué querías decir?",
      "どちらの意味ですか?")
  }

  /// Asks whether an item is to be deleted.
  package func delete(_ title: String, _ reference: String) -> String {
    pick(
      "Delete \(title) (\(reference))?", "\(title) (\(reference)) löschen?",
      "Supprimer \(title) (\(reference)) ?", "¿Eliminar \(title) (\(reference))?",
      "\(title)(\(reference))を削除しますか?")
  }

  /// Asks whether something that was understood is to be done.
  package func doThis(_ call: String) -> String {
    pick(
      "Do this: \(call)?", "Das tun: \(call)?", "Faire ceci : \(call) ?", "¿Hacer esto: \(call)?",
      "これを実行しますか: \(call)")
  }

  /// A sentence that says that a request was cancelled.
  package var nothingIsDone: String {
    pick(
      "Nothing is done.", "Es wird nichts getan.", "Rien n'est fait.", "No se hace nada.",
      "何もしません。")
  }

  /// A sentence that says how a request was read.
  package func readAs(_ sentence: String) -> String {
    pick(
      "Understood: \(sentence)", "Verstanden: \(sentence)", "Compris : \(sentence)",
      "Entendido: \(sentence)", "理解した内容: \(sentence)")
  }

  /// A sentence that lists the words of a request that were ignored.
  package func leftOut(_ words: [String]) -> String {
    func quoted(_ open: String, _ close: String) -> String {
      words.map { open + $0 + close }.joined(separator: ", ")
    }
    return pick(
      "Left out: \(quoted("“", "”")).", "Ausgelassen: \(quoted("„", "“")).",
      "Laissé de côté : \(quoted("« ", " »")).", "Se omite: \(quoted("«", "»")).",
      "省略: \(quoted("「", "」"))")
  }

  // MARK: Answers

  /// The letters shown beside a yes-or-no question.
  package var yesOrNo: String { pick("y/N", "j/N", "o/N", "s/N", "y/N") }

  /// Whether an answer says yes or no; nil for anything else.
  package func isYes(_ answer: String) -> Bool? {
    let yes = pick("y yes", "j ja y yes", "o oui y yes", "s sí si y yes", "y yes はい うん")
    let no = pick("n no", "n nein no", "n non no", "n no", "n no いいえ いや")
    if yes.split(separator: " ").contains(Substring(answer)) { return true }
    return answer.isEmpty || no.split(separator: " ").contains(Substring(answer)) ? false : nil
  }

  package var typeYesOrNo: String {
    pick(
      "type y for yes or n for no", "j für ja oder n für nein", "o pour oui ou n pour non",
      "s para sí o n para no", "はいなら y、いいえなら n")
  }

  /// The word that agrees to something dangerous.
  package var yes: String { pick("yes", "ja", "oui", "sí", "はい") }
  package var typeYes: String {
    pick(
      "Type yes to continue:", "Zum Fortfahren ja eingeben:", "Tapez oui pour continuer :",
      "Escribe sí para continuar:", "続けるには「はい」と入力:")
  }
  package var numberOrTitle: String {
    pick(
      "Number or part of a title:", "Nummer oder Teil eines Titels:",
      "Numéro ou partie d’un titre :", "Número o parte de un título:", "番号または題名の一部:")
  }
  package var numberOrName: String {
    pick("Number or name:", "Nummer oder Name:", "Numéro ou nom :", "Número o nombre:", "番号または名前:")
  }
  package var numbersOrAll: String {
    pick(
      "Numbers such as 1,3-5, or all:", "Nummern wie 1,3-5, oder all:",
      "Numéros tels que 1,3-5, ou all :", "Números como 1,3-5, o all:", "1,3-5 のような番号、または all:")
  }
  package var suggestions: String {
    pick("suggestions: ", "Vorschläge: ", "suggestions : ", "sugerencias: ", "候補: ")
  }

  /// Says that more choices are not shown.
  package func more(_ count: Int) -> String {
    pick(
      "… and \(count) more: type part of a title to narrow",
      "… und \(count) weitere: Teil eines Titels eingeben",
      "… et \(count) de plus : tapez une partie d’un titre",
      "… y \(count) más: escribe parte de un título", "… ほか \(count) 件: 題名の一部を入力")
  }

  // MARK: Searches

  /// Says that nothing matches some words.
  func nothingMatches(_ words: String) -> String {
    pick(
      "Nothing matches “\(words)”.", "Nichts passt zu „\(words)“.",
      "Rien ne correspond à « \(words) ».", "Nada coincide con «\(words)».",
      "「\(words)」に一致するものはありません。")
  }

  /// Says that there are no items.
  func none(_ names: String) -> String {
    pick(
      "No \(names).", "Keine \(names).", "Aucun \(names).", "No hay \(names).", "\(names)はありません。")
  }

  /// Says how many items were found.
  func found(_ count: String, _ name: String) -> String {
    pick(
      "Found \(count) \(name).", "\(count) \(name) gefunden.", "\(count) \(name).",
      "\(count) \(name).", "\(name)が \(count) 件見つかりました。")
  }

  /// Says that some more items are close matches.
  func close(_ count: String, isOne: Bool) -> String {
    pick(
      isOne ? "1 more is a close match." : "\(count) more are close matches.",
      isOne ? "1 weiterer Treffer passt ungefähr." : "\(count) weitere passen ungefähr.",
      isOne ? "1 autre s’en approche." : "\(count) autres s’en approchent.",
      isOne ? "1 más se parece." : "\(count) más se parecen.",
      "ほかに近いものが \(count) 件あります。")
  }

  /// Says that the first of many items are shown.
  func first(_ count: String, of total: String, _ names: String, isBest: Bool) -> String {
    pick(
      "The \(isBest ? "best" : "newest") \(count) of \(total) \(names).",
      "Die \(isBest ? "besten" : "neuesten") \(count) von \(total): \(names).",
      "Les \(count) \(isBest ? "meilleurs" : "derniers") sur \(total) : \(names).",
      "Los \(count) \(isBest ? "mejores" : "últimos") de \(total): \(names).",
      "\(names)\(total) 件のうち\(isBest ? "最も近い" : "最新の") \(count) 件。")
  }

  /// Says that there are more than a number of items.
  func moreThan(_ count: String) -> String {
    pick(
      "more than \(count)", "mehr als \(count)", "plus de \(count)", "más de \(count)",
      "\(count) 以上")
  }
}

extension Workspace {
  /// The language in which the person is spoken to; English for one without tables.
  package var spokenLanguage: Language {
    catalog.languages.lazy.compactMap(Language.named).first ?? .english
  }
}

extension Run {
  /// The program's own sentences in the person's language.
  package var words: ProgramWords { ProgramWords(workspace.spokenLanguage) }
}
