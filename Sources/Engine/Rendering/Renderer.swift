package import CEL
package import Catalog
import Inbox
package import Items
import Program
import Source
package import Store

/// Formats values for people (language §7).
package struct Renderer {
  private let workspace: Workspace
  private let clock: LocalClock
  /// Whether durations are spelled out as `13 min` rather than `13m`.
  var spellsLengths = false
  /// The form of values in texts.
  var form = TextForm.plain

  /// A renderer with the user's local clock.
  init(_ workspace: Workspace, clock: LocalClock) {
    self.workspace = workspace
    self.clock = clock
  }

  /// The text of a value: items by title, lists joined, times in the user's zone, null as empty.
  package func text(of value: Value) -> String {
    if form == .apple, value.item == nil {
      return Self.kind(ofContent: value) ?? ShortcutFunctions.text(of: value, clock)
    }
    return switch value {
    case .null: ""
    case .string(let text): text
    case .timestamp(let moment): displayText(of: moment)
    case .duration(let length):
      spellsLengths ? DurationText.spoken(length) : DurationText.text(for: length)
    case .list(let values): values.map(text).joined(separator: ", ")
    case .map(let map):
      map.entries.map { "\(text(of: $0.key)): \(text(of: $0.value))" }.joined(separator: ", ")
    case .optional(let optional): optional.wrapped.map(text) ?? ""
    case .object: value.item.map(title) ?? value.text
    default: value.text
    }
  }

  /// The media type and size of bytes that are not text; nil for any other value.
  private static func kind(ofContent value: Value) -> String? {
    guard case .bytes(let bytes) = value, String(validating: bytes, as: UTF8.self) == nil else {
      return nil
    }
    return "\(ContentSignature.mediaType(ofFile: bytes)), \(ByteCount.text(bytes.count))"
  }

  /// The text of a value within a text of a language, which decides on the decimal sign.
  func text(of value: Value, in language: Language?) -> String {
    switch (language, value) {
    case (let language?, .double(let number)): language.text(of: number, value.text)
    case (let language?, .list(let values)):
      values.map { text(of: $0, in: language) }.joined(separator: ", ")
    default: text(of: value)
    }
  }

  /// The text of a property or another field of an item, in the form of its type.
  package func text(of name: String, in item: Item) -> String {
    text(of: item.field(name) ?? .null, as: item.schema.properties.first { $0.name == name }?.type)
  }

  private func text(of value: Value, as type: DataType?) -> String {
    switch (type, value) {
    case (.refined(let type), _): type.text(of: value) ?? text(of: value)
    case (.list(let element), .list(let values)):
      values.map { text(of: $0, as: element) }.joined(separator: ", ")
    default: text(of: value)
    }
  }

  /// A local date and time; only the date at the start of a day, which stands for a date without a time.
  private func displayText(of moment: Timestamp) -> String {
    let time = clock.time(at: moment)
    if clock.start(of: time.date) == moment { return time.date.iso8601 }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let minutes = "\(time.date.iso8601) \(two(time.hour)):\(two(time.minute))"
    return time.second == 0 ? minutes : minutes + ":" + two(time.second)
  }

  /// The title of an item on one line; its reference when the title is empty.
  package func title(of item: Item) -> String {
    let entity = try? workspace.entity(item.entity)
    let title =
      entity?.title.flatMap { render($0, for: item) }
      ?? item.schema.properties.lazy.compactMap { item.field($0.name)?.asText }.first
    let line = Self.line(title ?? "")
    return line.isEmpty ? item.reference?.description ?? item.entity : line
  }

  private static func line(_ text: String) -> String {
    text.split(whereSeparator: \.isNewline).joined(separator: " ")
  }

  /// The card of an item: title, subtitle, reference, warnings and marks.
  package func card(of item: Item) -> Presentation.Card {
    let entity = try? workspace.entity(item.entity)
    var card = Presentation.Card(
      title: title(of: item),
      subtitle: entity?.subtitle.flatMap { render($0, for: item) },
      reference: item.reference?.description)
    card.warnings = lines(entity?.warnings, for: item)
    card.marks = lines(entity?.marks, for: item)
    return card
  }

  /// The non-empty texts of templates for an item, each on one line.
  private func lines(_ templates: [CompiledTemplate]?, for item: Item) -> [String] {
    (templates ?? []).map { Self.line(render($0, for: item) ?? "") }.filter { !$0.isEmpty }
  }

  /// The card of an item with the matches of its search marked.
  private func foundCard(of item: Item) -> Presentation.Card {
    var card = card(of: item)
    guard let words = item.searchWords, let reference = item.reference,
      // A card without highlights is still useful.
      let store = try? workspace.store(for: item.entity),
      let highlights = try? store.search.highlights(in: reference, matching: words)
    else { return card }
    for highlight in highlights where card.markedTitle == nil {
      if let title = highlight.text.part(card.title), title.hasMarks {
        card.markedTitle = title
        // A title shows only the beginning of a long text.
        if highlight.isWhole, title.markCount == highlight.text.markCount { return card }
      }
    }
    let others = highlights.filter { $0.text.text != card.title }
    let prose = others.filter { !$0.isList }
    let best = prose.first(where: \.isWhole) ?? others.first(where: \.isWhole) ?? prose.first
    card.snippet = (best ?? others.first)?.text
    return card
  }

  /// The text of a value for other programs: the `text/plain` of an item, else the display text.
  package func plainText(of value: Value) -> String {
    guard let item = value.item else { return text(of: value) }
    let entity = try? workspace.entity(item.entity)
    return entity?.plainText.flatMap { render($0, for: item) } ?? title(of: item)
  }

  /// The text of an entity's template; nil when its evaluation fails.
  private func render(_ template: CompiledTemplate, for item: Item) -> String? {
    try? text(of: template, Frame([.object(item)]))
  }

  /// The text of a template.
  ///
  /// - Throws: an evaluation error.
  func text(of template: CompiledTemplate, _ frame: Frame) throws(EvaluationError) -> String {
    var result = ""
    for segment in template.segments {
      switch segment {
      case .text(let text): result += text
      case .expression(let expression):
        result += text(of: try expression.evaluate(frame), in: template.language)
      }
    }
    return result
  }

  /// The presentation of a value on the screen.
  package func presentation(of value: Value) -> Presentation {
    if let item = value.item { return cards([item], value) }
    if let kind = Self.kind(ofContent: value) { return lines([kind], value) }
    switch value {
    case .list(let values):
      let items = values.compactMap(\.item)
      if !items.isEmpty, items.count == values.count { return cards(items, value) }
      return lines(values.map(text), value)
    case .map where form == .apple: return lines([text(of: value)], value)
    case .map(let map):
      return lines(map.entries.map { "\(text(of: $0.key)): \(text(of: $0.value))" }, value)
    default: return lines([text(of: value)], value)
    }
  }

  private func cards(_ items: [Item], _ value: Value) -> Presentation {
    Presentation(.cards(items.indices.lazy.map { foundCard(of: items[$0]) }), value: value)
  }

  private func lines(_ lines: [String], _ value: Value) -> Presentation {
    Presentation(.text(lines.joined(separator: "\n")), value: value)
  }
}

/// Values as tables.
extension Renderer {
  /// The same renderer with durations spelled out, as in tables.
  private var spelling: Renderer {
    var renderer = self
    renderer.spellsLengths = true
    return renderer
  }

  /// A table with a column for each property of items or each key of maps, else with a single
  /// column.
  package func table(of value: Value) -> Presentation {
    if !spellsLengths { return spelling.table(of: value) }
    let values = value.elements
    let items = values.compactMap(\.item)
    guard let first = items.first, items.count == values.count else {
      let table = table(ofMaps: values) ?? (["value"], values.map { [text(of: $0)] })
      return Presentation(.table(columns: table.columns, rows: table.rows), value: value)
    }
    let names =
      ["ref"]
      + first.schema.properties.map(\.name).filter { name in
        items.contains { !text(of: name, in: $0).isEmpty }
      }
    let rows = items.map { item in names.map { text(of: $0, in: item) } }
    return Presentation(.table(columns: names, rows: rows), value: value)
  }

  /// A table with given columns: properties of items, or keys of maps.
  ///
  /// - Throws: `invalid-value` for an unknown property, and for other values.
  func table(of value: Value, columns: [String]) throws -> Presentation {
    if !spellsLengths { return try spelling.table(of: value, columns: columns) }
    let values = value.elements
    let rows = try values.map { value in
      switch value {
      case .map(let map): return columns.map { map[$0].map(text) ?? "" }
      case .object(let object):
        return try columns.map { name in
          if let field = object.field(name) {
            return value.item.map { text(of: name, in: $0) } ?? text(of: field)
          }
          throw RunError(
            .invalidValue, "`columns`: a \(object.typeName) has no `\(name)`",
            help: value.item.flatMap {
              Suggestion.help(for: name, in: $0.schema.properties.map(\.name))
            })
        }
      default:
        throw RunError(
          .invalidValue, "`columns` only apply to items and maps, not \(value.typeName)")
      }
    }
    return Presentation(.table(columns: columns, rows: rows), value: value)
  }

  /// The keys and the rows of maps, in order of appearance; nil for other values.
  private func table(ofMaps values: [Value]) -> (columns: [String], rows: [[String]])? {
    var keys: [Value] = []
    for value in values {
      guard let map = value.asMap else { return nil }
      for (key, _) in map.entries where !keys.contains(key) { keys.append(key) }
    }
    guard !keys.isEmpty else { return nil }
    let rows = values.map { value in keys.map { value.asMap?[$0].map(text) ?? "" } }
    return (keys.map(text), rows)
  }
}

/// Describes the results of a search in a sentence.
package struct FoundText {
  /// Maximum number of matches to count.
  private static let countLimit = 5_000

  private let query: Query
  private let definition: EntityDefinition
  private let words: ProgramWords

  /// - Parameter definition: the entity of the query.
  package init(
    _ query: Query, of definition: EntityDefinition, words: ProgramWords = ProgramWords()
  ) {
    self.query = query
    self.words = words
    self.definition = definition
  }

  /// The sentence for the items found.
  ///
  /// - Throws: errors of the store.
  package func text(_ items: [Item], in store: Database) throws -> String {
    if items.isEmpty { return nothing }
    if let sentence = try near(items, in: store) { return sentence }
    let found = words.found(items.count.grouped, name(items.count))
    guard items.count >= query.limit ?? Int.max else { return found }
    let summary = try store.search.summary(of: query, countingTo: Self.countLimit)
    if !summary.hasMore, summary.count <= items.count { return found }
    let total =
      summary.hasMore ? words.moreThan(Self.countLimit.grouped) : summary.count.grouped
    return words.first(
      items.count.grouped, of: total, definition.displayNamePlural, isBest: searched != nil)
  }

  private func name(_ count: Int) -> String {
    count == 1 ? definition.displayName : definition.displayNamePlural
  }

  /// The sentence for items of which some match only some words; nil when they all match all.
  ///
  /// - Throws: errors of the store.
  package func near(_ items: [Item], in store: Database) throws -> String? {
    let close = items.count { $0.isNear }
    if close == 0 { return nil }
    let exact = items.count - close
    if exact == 0 { return partly(close, try store.search.summary(of: query, countingTo: 1)) }
    return words.found(exact.grouped, name(exact)) + " "
      + words.close(close.grouped, isOne: close == 1)
  }

  private var searched: String? {
    query.match.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  private var nothing: String {
    guard let searched else { return words.none(definition.displayNamePlural) }
    return words.nothingMatches(searched.shortened)
  }

  /// The sentence for partial matches.
  private func partly(_ count: Int, _ summary: SearchSummary) -> String {
    let missing = summary.missing.map { missing in
      let suggestion = missing.suggestion.map { "; did you mean “\($0)”?" } ?? "."
      return "Nothing has “\(missing.word.shortened)”\(suggestion)"
    }
    let lines = missing.isEmpty ? ["No \(definition.displayName) has all of these words."] : missing
    let found = count == 1 ? "Found 1 close match." : "The best \(count.grouped) close matches."
    return (lines + [found]).joined(separator: " ")
  }
}

/// A template rendered for each value, which is its `self`.
package struct ValueTemplate {
  let renderer: Renderer
  /// Compiled with `self` as the only slot.
  let template: CompiledTemplate

  /// The text for a value.
  ///
  /// - Throws: `RunError` when an expression fails.
  package func text(for value: Value) throws -> String {
    try RunError.translating { try renderer.text(of: template, Frame([value])) }
  }
}
