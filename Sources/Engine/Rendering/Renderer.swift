package import CEL
package import Catalog
package import Items
import Program
import Source
package import Store

/// Makes text of values, as a person reads them (language §7).
package struct Renderer {
  private let workspace: Workspace
  private let clock: LocalClock
  /// Whether lengths of time are in words, as `13 min`, and not as they are typed, as `13m`.
  var spellsLengths = false

  /// A renderer of a workspace's items, with the clock on the person's wall.
  init(_ workspace: Workspace, clock: LocalClock) {
    self.workspace = workspace
    self.clock = clock
  }

  /// The text of a value: items by title, lists joined, times in the user's zone, null nothing.
  package func text(of value: Value) -> String {
    switch value {
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

  /// A moment on the user's wall; the first one of a day is how a day without a time is kept.
  private func displayText(of moment: Timestamp) -> String {
    let time = clock.time(at: moment)
    if clock.start(of: time.date) == moment { return time.date.iso8601 }
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }
    let minutes = "\(time.date.iso8601) \(two(time.hour)):\(two(time.minute))"
    return time.second == 0 ? minutes : minutes + ":" + two(time.second)
  }

  /// The title of an item on one line; its reference when it has none.
  package func title(of item: Item) -> String {
    let entity = try? workspace.entity(item.entity)
    let title = entity?.title.flatMap { render($0, for: item) } ?? firstText(of: item)
    let line = title.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.isEmpty ? item.reference?.description ?? item.entity : line
  }

  private func firstText(of item: Item) -> String {
    for name in item.schema.properties.map(\.name) {
      if case .string(let text) = item.field(name) ?? .null { return text }
    }
    return ""
  }

  /// How an item is shown: title, subtitle, reference, and what its entity marks it with.
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

  /// The texts of templates for an item, each on one line, without those that are empty.
  private func lines(_ templates: [CompiledTemplate]?, for item: Item) -> [String] {
    (templates ?? []).compactMap { template in
      let text = render(template, for: item) ?? ""
      let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
      return line.isEmpty ? nil : line
    }
  }

  /// A card with what the search that found the item was about.
  private func foundCard(of item: Item) -> Presentation.Card {
    var card = card(of: item)
    guard let words = item.searchWords, let reference = item.reference,
      // Without them a card is as good as any other.
      let store = try? workspace.store(for: item.entity),
      let highlights = try? store.search.highlights(in: reference, matching: words)
    else { return card }
    for highlight in highlights where card.markedTitle == nil {
      if let title = highlight.text.part(card.title), title.hasMarks {
        card.markedTitle = title
        // A long text shows but its beginning as a title.
        if highlight.isWhole, title.markCount == highlight.text.markCount { return card }
      }
    }
    let others = highlights.filter { $0.text.text != card.title }
    let prose = others.filter { !$0.isList }
    let best = prose.first(where: \.isWhole) ?? others.first(where: \.isWhole) ?? prose.first
    card.snippet = (best ?? others.first)?.text
    return card
  }

  /// The text of a value for other programs: an item's `text/plain`, else as for a person.
  package func plainText(of value: Value) -> String {
    guard let item = value.item else { return text(of: value) }
    let entity = try? workspace.entity(item.entity)
    return entity?.plainText.flatMap { render($0, for: item) } ?? title(of: item)
  }

  /// A template of an entity; nil where it has no value for the item.
  private func render(_ template: CompiledTemplate, for item: Item) -> String? {
    let frame = Frame(count: 1)
    frame.slots[CompiledEntity.selfSlot] = .object(item)
    return try? text(of: template, frame)
  }

  /// The text of a template.
  ///
  /// - Throws: an evaluation error.
  func text(of template: CompiledTemplate, _ frame: Frame) throws(EvaluationError) -> String {
    var result = ""
    for segment in template.segments {
      switch segment {
      case .text(let text): result += text
      case .expression(let expression): result += text(of: try expression.evaluate(frame))
      }
    }
    return result
  }

  /// How a value is put on the screen.
  package func presentation(of value: Value) -> Presentation {
    switch value {
    case .object:
      if let item = value.item {
        return Presentation(.cards(Presentation.Cards([item], make: foundCard)), value: value)
      }
    case .list(let values):
      let items = values.compactMap(\.item)
      if !items.isEmpty, items.count == values.count {
        return Presentation(.cards(Presentation.Cards(items, make: foundCard)), value: value)
      }
      return Presentation(.text(values.map(text).joined(separator: "\n")), value: value)
    case .map(let map):
      let lines = map.entries.map { "\(text(of: $0.key)): \(text(of: $0.value))" }
      return Presentation(.text(lines.joined(separator: "\n")), value: value)
    default: break
    }
    return Presentation(.text(text(of: value)), value: value)
  }
}

/// Values as tables.
extension Renderer {
  /// The same renderer with lengths of time in words, as cells have them.
  private var spelling: Renderer {
    var renderer = self
    renderer.spellsLengths = true
    return renderer
  }

  /// A table: of items a column for each property that one of them has, of maps one for each key,
  /// else of one column.
  package func table(of value: Value) -> Presentation {
    if !spellsLengths { return spelling.table(of: value) }
    let values = value.elements
    let items = values.compactMap(\.item)
    guard let first = items.first, items.count == values.count else {
      if let table = table(ofMaps: values) {
        return Presentation(.table(columns: table.columns, rows: table.rows), value: value)
      }
      let rows = values.map { [text(of: $0)] }
      return Presentation(.table(columns: ["value"], rows: rows), value: value)
    }
    let names =
      ["ref"]
      + first.schema.properties.map(\.name).filter { name in
        items.contains { !text(of: $0.field(name) ?? .null).isEmpty }
      }
    let rows = items.map { item in names.map { text(of: item.field($0) ?? .null) } }
    return Presentation(.table(columns: names, rows: rows), value: value)
  }

  /// A table of chosen columns: properties of items, or keys of maps.
  ///
  /// - Throws: `invalid-value` for a name that an item does not have, and for other values.
  func table(of value: Value, columns: [String]) throws -> Presentation {
    if !spellsLengths { return try spelling.table(of: value, columns: columns) }
    let values = value.elements
    let rows = try values.map { value in
      switch value {
      case .map(let map): return columns.map { map[$0].map(text) ?? "" }
      case .object(let object):
        return try columns.map { name in
          if let value = object.field(name) { return text(of: value) }
          throw RunError(
            .invalidValue, "`columns`: a \(object.typeName) has no `\(name)`",
            help: value.item.flatMap {
              Suggestion.help(for: name, in: $0.schema.properties.map(\.name))
            })
        }
      default:
        throw RunError(
          .invalidValue, "`columns` are those of items and maps, and this is \(value.typeName)")
      }
    }
    return Presentation(.table(columns: columns, rows: rows), value: value)
  }

  /// The keys and the rows of maps, in the order in which they first come; nil for other values.
  private func table(ofMaps values: [Value]) -> (columns: [String], rows: [[String]])? {
    var keys: [Value] = []
    for value in values {
      guard case .map(let map) = value else { return nil }
      for (key, _) in map.entries where !keys.contains(key) { keys.append(key) }
    }
    guard !keys.isEmpty else { return nil }
    let rows = values.map { value in
      guard case .map(let map) = value else { return keys.map { _ in "" } }
      return keys.map { map[$0].map(text) ?? "" }
    }
    return (keys.map(text), rows)
  }
}

/// Says in a sentence what a search found, and how much more there is.
package struct FoundText {
  /// How many matches are counted, so that the sentence costs little among a million.
  private static let counted = 5_000

  private let query: Query
  private let definition: EntityDefinition

  /// - Parameter definition: The entity of the query.
  package init(_ query: Query, of definition: EntityDefinition) {
    self.query = query
    self.definition = definition
  }

  /// The sentence for the items that were found.
  ///
  /// - Throws: What the store throws.
  package func text(_ items: [Item], in store: EntityStore) throws -> String {
    if items.isEmpty { return nothing }
    if let sentence = try near(items, in: store) { return sentence }
    let found = "Found \(items.count.grouped) \(name(items.count))."
    guard items.count >= query.limit ?? Int.max else { return found }
    let summary = try store.search.summary(of: query, countingTo: Self.counted)
    if !summary.hasMore, summary.count <= items.count { return found }
    let total = summary.hasMore ? "more than \(Self.counted.grouped)" : summary.count.grouped
    return
      "The \(words == nil ? "newest" : "best") \(items.count.grouped) of \(total) \(definition.displayNamePlural)."
  }

  private func name(_ count: Int) -> String {
    count == 1 ? definition.displayName : definition.displayNamePlural
  }

  /// The sentence about items that have only some of the words; nil when they have all.
  ///
  /// - Throws: What the store throws.
  package func near(_ items: [Item], in store: EntityStore) throws -> String? {
    guard items.first?.isNear == true else { return nil }
    return partly(items.count, try store.search.summary(of: query, countingTo: 1))
  }

  private var words: String? {
    query.match.flatMap { $0.allSatisfy(\.isWhitespace) ? nil : $0 }
  }

  private var nothing: String {
    guard let words else { return "No \(definition.displayNamePlural)." }
    return "Nothing matches “\(words.shortened)”."
  }

  /// Of items that have some of the words.
  private func partly(_ count: Int, _ summary: SearchSummary) -> String {
    var sentences = summary.missing.map { missing in
      let suggestion = missing.suggestion.map { "; did you mean “\($0)”?" } ?? "."
      return "Nothing has “\(missing.word.shortened)”\(suggestion)"
    }
    if sentences.isEmpty {
      sentences = ["No \(definition.displayName) has all of these words."]
    }
    sentences.append(
      count == 1 ? "Found 1 close match." : "The best \(count.grouped) close matches.")
    return sentences.joined(separator: " ")
  }
}

/// A template that is rendered for values one by one, `self` being the value.
package struct ValueTemplate {
  private let renderer: Renderer
  private let template: CompiledTemplate

  /// A compiled template in a frame whose only slot is `self`.
  init(_ renderer: Renderer, _ template: CompiledTemplate) {
    self.renderer = renderer
    self.template = template
  }

  /// The text for a value.
  ///
  /// - Throws: `RunError` where an expression in it has no value.
  package func text(for value: Value) throws -> String {
    let frame = Frame(count: 1)
    frame.slots[0] = value
    return try RunError.translating { try renderer.text(of: template, frame) }
  }
}
