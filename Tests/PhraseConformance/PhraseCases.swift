import CEL
import Compression
import JSON
import Phrases

/// The cases of a file of phrases: a language with its test sentences, or a row about the syntax.
package struct PhraseCases {
  /// A sentence with its expected match.
  package struct Case {
    package let name: String
    package let sentence: String
    /// Nil if nothing may match.
    let intent: String?
    /// Nil if any slots will do.
    let slots: [String: Value]?
  }

  package let cases: [Case]
  private let book: Result<PhraseBook, PhraseError>
  private let lists: [String: [Value]]
  private let fixedSlots: [MapValue]
  private let isInvalid: Bool
  private let id: String

  /// Reads the lines of a file, which may be packed by gzip.
  package static func lines(of bytes: [UInt8]) throws -> [String] {
    var text = bytes
    if bytes.starts(with: [0x1F, 0x8B]) {
      let decoder = try GzipDecoder()
      var rest = bytes[...]
      text = []
      repeat {
        text += try decoder.decode(&rest, limit: 1 << 20)
      } while !rest.isEmpty || decoder.hasMore
    }
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map(String.init)
  }

  /// Reads a language object or a row about the syntax.
  package init(_ line: String) throws {
    guard case .map(let map) = try JSONParser().parse(line) else { throw Malformed() }
    var source = PhraseBook.Source()
    var lists: [String: [Value]] = [:]
    for (name, value) in Self.entries(map["lists"]) {
      guard case .map(let list) = value else { throw Malformed() }
      if case .list(let values)? = list["values"] {
        var texts: [String] = []
        var outs: [Value] = []
        for value in values {
          guard case .map(let value) = value, let text = Self.text(value["in"]) else {
            throw Malformed()
          }
          texts.append(text)
          outs.append(value["out"] ?? .null)
        }
        lists[name] = outs
        source.lists.append(PhraseList(name, .values(texts)))
      } else if case .map(let range)? = list["range"] {
        source.lists.append(PhraseList(name, .range(Self.range(range))))
      } else {
        source.lists.append(PhraseList(name, .wildcard))
      }
    }
    for (name, value) in Self.entries(map["rules"]) { source.rules[name] = Self.text(value) }
    for (text, value) in Self.entries(map["numberWords"]) {
      source.numberWords[text] = Self.number(value)
    }
    if map["numberWords"] == nil, Self.text(map["language"]) == "en" {
      source.numberWords = PhraseNumbers.english
    }
    if case .list(let words)? = map["skipWords"] { source.skipWords = words.compactMap(Self.text) }
    source.joinsCJK = map["ignoreWhitespace"] == .bool(true)
    var cases: [Case] = []
    var fixed: [MapValue] = []
    id = Self.text(map["id"]) ?? Self.text(map["language"]) ?? ""
    if let template = Self.text(map["template"]) {
      source.templates = .init([PhraseBook.Template("match", template)])
      fixed = [MapValue([])]
      let slots = Dictionary(Self.entries(map["slots"])) { $1 }
      for sentence in Self.texts(map["matches"]) {
        var expected: [String: Value] = [:]
        if case .map(let values)? = slots[sentence] {
          expected = Dictionary(Self.entries(.map(values))) { $1 }
        }
        cases.append(Case(name: id, sentence: sentence, intent: "match", slots: expected))
      }
      for sentence in Self.texts(map["doesNotMatch"]) {
        cases.append(Case(name: id, sentence: sentence, intent: nil, slots: nil))
      }
    } else {
      var templates: [PhraseBook.Template] = []
      for template in Self.maps(map["templates"]) {
        templates.append(
          PhraseBook.Template(
            Self.text(template["intent"]) ?? "", Self.text(template["sentence"]) ?? ""))
        if case .map(let slots)? = template["slots"] {
          fixed.append(slots)
        } else {
          fixed.append(MapValue([]))
        }
      }
      source.templates = .init(templates)
      for test in Self.maps(map["tests"]) + Self.maps(map["madeTests"]) {
        cases.append(
          Case(
            name: id, sentence: Self.text(test["sentence"]) ?? "",
            intent: Self.text(test["intent"]),
            slots: Dictionary(Self.entries(test["slots"])) { $1 }))
      }
      for sentence in Self.texts(map["negative"]) {
        cases.append(Case(name: id, sentence: sentence, intent: nil, slots: nil))
      }
    }
    isInvalid = map["invalid"] == .bool(true)
    if isInvalid { cases = [Case(name: id, sentence: "", intent: nil, slots: nil)] }
    self.cases = cases
    self.lists = lists
    fixedSlots = fixed
    do throws(PhraseError) { book = .success(try PhraseBook(source)) } catch {
      book = .failure(error)
    }
  }

  private struct Malformed: Error {}

  /// The difference of a case; nil if it is right.
  package func failure(of one: Case) -> String? {
    switch (book, isInvalid) {
    case (.failure, true): return nil
    case (.success, true): return "accepted, but it is not valid"
    case (.failure(let error), false): return "refused: \(error)"
    case (.success(let book), false):
      let match = book.match(one.sentence)
      guard let intent = one.intent else {
        return match.map { "matched \($0.intent) (template \($0.template)), but nothing should" }
      }
      guard let match else { return "nothing matched, expected \(intent)" }
      let found = slots(of: match)
      guard match.intent == intent, one.slots.map({ Self.isSame($0, found) }) ?? true else {
        return
          "matched \(match.intent) (template \(match.template)) \(found), expected \(intent) \(one.slots ?? [:])"
      }
      return nil
    }
  }

  private func slots(of match: PhraseBook.Match) -> [String: Value] {
    var slots = match.slots.mapValues { value -> Value in
      switch value {
      case .listed(let list, let number): lists[list]?[number] ?? .null
      case .number(let number): .double(number)
      case .words(let words): .string(words)
      }
    }
    // A value of the sentence counts more than a fixed one.
    for (name, value) in Self.entries(.map(fixedSlots[match.template])) {
      if slots[name] == nil { slots[name] = value }
    }
    return slots
  }

  private static func isSame(_ left: [String: Value], _ right: [String: Value]) -> Bool {
    left.count == right.count
      && left.allSatisfy { name, value in
        guard let other = right[name] else { return false }
        if let one = number(value), let two = number(other) { return abs(one - two) < 1e-9 }
        return value == other
      }
  }

  // MARK: Values

  private static func text(_ value: Value?) -> String? {
    if case .string(let text)? = value { text } else { nil }
  }

  private static func number(_ value: Value?) -> Double? {
    switch value {
    case .int(let number): Double(number)
    case .double(let number): number
    default: nil
    }
  }

  private static func texts(_ value: Value?) -> [String] {
    if case .list(let values)? = value { values.compactMap(text) } else { [] }
  }

  private static func maps(_ value: Value?) -> [MapValue] {
    guard case .list(let values)? = value else { return [] }
    return values.compactMap { if case .map(let map) = $0 { map } else { nil } }
  }

  private static func entries(_ value: Value?) -> [(String, Value)] {
    guard case .map(let map)? = value else { return [] }
    return map.entries.compactMap { key, value in text(key).map { ($0, value) } }
  }

  private static func range(_ map: MapValue) -> PhraseList.Range {
    let fractions: PhraseList.Range.Fractions =
      switch text(map["fractions"]) {
      case "halves": .halves
      case "tenths": .tenths
      default: .none
      }
    return PhraseList.Range(
      from: Int(number(map["from"]) ?? 0), to: Int(number(map["to"]) ?? 0),
      step: Int(number(map["step"]) ?? 1), multiplier: number(map["multiplier"]) ?? 1,
      fractions: fractions)
  }
}
