import CEL
import Catalog
import Engine
import Items
import Links
import Phrases
import Program
import Source
import YAML

/// The phrases of all intents and shortcuts in reach, compiled for matching.
struct SpokenPhrases {
  /// A phrase of an intent or a shortcut.
  struct Phrase {
    let action: String
    let text: String
  }

  /// A sentence as it was understood.
  struct Understanding {
    let action: String
    let phrase: String
    /// The values by parameter, as they are read from the command line.
    let values: [(name: String, text: String)]
    /// Whether a value is any words.
    let hasGuess: Bool
  }

  let phrases: [Phrase]
  private let book: PhraseBook
  /// The values of enums by the name of their list.
  private let values: [String: [String]]
  /// The lists of addresses, which may be said without `https://`.
  private let addresses: Set<String>

  /// The maximum number of equally good understandings that are told.
  private static let limit = 20

  /// Compiles the phrases of the definitions in reach; a phrase that cannot be used is left out, and
  /// `left` is called with the reason.
  init(_ run: Run, left: (Phrase, String) -> Void = { _, _ in }) throws {
    let catalog = run.catalog
    var source = PhraseBook.Source()
    source.numberWords = PhraseNumbers.english
    source.skipWords = ["please", "could you", "can you", "would you", "for me", "i want to"]
    var phrases: [Phrase] = []
    var values: [String: [String]] = [:]
    var addresses: Set<String> = []
    for name in catalog.actionNames.sorted() {
      guard catalog.place(ofAction: name)?.kind != .automation,
        let definition = try catalog.action(name)
      else { continue }
      var lists: [PhraseList] = []
      for parameter in definition.allParameters where !parameter.isTrigger {
        let list = "\(name).\(parameter.name.text)"
        if case .enumeration(let choices) = parameter.type.unwrapped { values[list] = choices }
        if parameter.type.unwrapped.withoutOptionals == .url { addresses.insert(list) }
        lists.append(PhraseList(list, Self.content(parameter.type.unwrapped, run)))
      }
      let title = definition.displayTitle.lowercased()
      let own = definition.phrases.map(\.text) + ["[run|start] \(Self.plain(title))"]
      for text in own {
        let phrase = Phrase(action: name, text: text)
        let template = PhraseBook.Template(
          name, Self.qualified(text, name, Set(definition.allParameters.map(\.name.text))))
        var alone = source
        alone.templates = [template]
        alone.lists = lists
        do { _ = try PhraseBook(alone) } catch {
          left(phrase, "\(error)")
          continue
        }
        phrases.append(phrase)
        source.templates.append(template)
      }
      source.lists += lists
    }
    self.phrases = phrases
    self.values = values
    self.addresses = addresses
    book = try PhraseBook(source)
  }

  /// A text in which no sign has a meaning in templates.
  private static func plain(_ text: String) -> String {
    String(text.filter { $0.isLetter || $0.isNumber || $0 == " " })
  }

  /// A phrase whose `{parameter}` names the list of an action's parameter.
  private static func qualified(_ text: String, _ action: String, _ names: Set<String>) -> String {
    var result = text
    for name in names {
      result = result.replacing("{\(name)}", with: "{\(action).\(name):\(name)}")
    }
    return result
  }

  /// The values of a parameter: what its type reads, else any words.
  private static func content(_ type: DataType, _ run: Run) -> PhraseList.Content {
    let reader = DateReader(now: run.host.now(), clock: run.host.clock)
    return switch type {
    case .enumeration(let values): .values(values)
    case .int: .range(PhraseList.Range(from: -1_000_000, to: 1_000_000))
    case .date: .read { reader.date($0) != nil }
    case .timestamp: .read { reader.timestamp($0) != nil }
    case .duration: .read { DurationReader.duration($0) != nil }
    case .url: .read(isAddress)
    case .refined(let refined): content(refined.base, run)
    default: .wildcard
    }
  }

  /// Whether a word is an address, perhaps without `https://`.
  @Sendable
  private static func isAddress(_ text: String) -> Bool {
    guard text.contains("."), !text.contains(where: \.isWhitespace) else { return false }
    return (try? WebURL(pasted: text)) != nil || (try? WebURL("https://" + text)) != nil
  }

  /// The understandings of a sentence that are equally good; empty if nothing fits.
  func understand(_ sentence: String) -> [Understanding] {
    let matches = book.matches(sentence, limit: Self.limit)
    guard let best = matches.first else { return [] }
    var seen: Set<String> = []
    return matches.filter {
      ($0.wildcards, $0.literal, $0.open) == (best.wildcards, best.literal, best.open)
    }.compactMap { match in
      let values = match.slots.sorted { $0.key < $1.key }.map { name, value in
        let text = text(value)
        let isBare = addresses.contains("\(match.intent).\(name)") && !text.contains("://")
        return (name: name, text: isBare ? "https://" + text : text)
      }
      guard seen.insert(match.intent + values.map { "\($0.name)=\($0.text)" }.joined()).inserted
      else { return nil }
      return Understanding(
        action: match.intent, phrase: phrases[match.template].text, values: values,
        hasGuess: match.wildcards > 0)
    }
  }

  private func text(_ value: PhraseValue) -> String {
    switch value {
    case .listed(let list, let number): values[list]?[number] ?? ""
    case .number(let number): "\(Int(number))"
    case .words(let words): words
    }
  }

  /// The phrases that share the most words with a sentence.
  func nearest(to sentence: String, limit: Int) -> [Phrase] {
    func words(_ text: String) -> Set<String> {
      Set(text.lowercased().split { !$0.isLetter && !$0.isNumber }.map(String.init))
    }
    let wanted = words(sentence)
    let ranked = phrases.map { phrase in (phrase, words(phrase.text).intersection(wanted).count) }
    return ranked.filter { $0.1 > 0 }.enumerated()
      .sorted { ($1.element.1, $0.offset) < ($0.element.1, $1.offset) }
      .prefix(limit).map(\.element.0)
  }
}
